package web

import "context"

type themeKey struct{}

// WithTheme makes pages that are drawn with the context come out in a reader's own choice of
// light: "light" or "dark". Anything else leaves the choice to the reader's system.
func WithTheme(ctx context.Context, theme string) context.Context {
	if theme != "light" && theme != "dark" {
		return ctx
	}
	return context.WithValue(ctx, themeKey{}, theme)
}

func themeOf(ctx context.Context) string {
	theme, _ := ctx.Value(themeKey{}).(string)
	return theme
}
