package lessons

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// links knows where a link of one page may lead. Between pages a link names the other file,
// as in [the ring](../03-the-ring/lesson.md#seam), so that it also works in an editor and
// where the repository is shown; here it becomes the URL of the page.
type links struct {
	outline outline
	folder  string   // of the page, within the course: "03-the-ring"
	ids     []string // that a link #… on this page may lead to
}

// at gives the links of a page in a folder of the lesson; "" is the lesson's own.
func (l *links) at(folder string, pg *page) *links {
	return &links{outline: l.outline, folder: path.Join(l.folder, folder), ids: pg.targets()}
}

// An outline says what there is in a course to link to: for each lesson, by its folder, the
// ids of its headings and figures and the ids of its exercises.
type outline map[string]targets

type targets struct{ ids, exercises []string }

// names gives the lessons of an outline, in order.
func (o outline) names() []string {
	all := make([]string, 0, len(o))
	for name := range o {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// scheme is the beginning of an absolute URL.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// resolve turns a link as written into one as served. The error says what was expected.
func (l *links) resolve(to string) (string, error) {
	switch s := strings.ToLower(scheme.FindString(to)); {
	case to == "":
		return "", fmt.Errorf("a link to nowhere; expected https://…, #heading or ../NN-name/lesson.md")
	case s == "http:" || s == "https:":
		if u, err := url.Parse(to); err != nil || u.Host == "" {
			return "", fmt.Errorf("`%s` is no address; expected one such as https://example.org/page", to)
		}
		return to, nil
	case s == "mailto:":
		return to, nil
	case s != "":
		return "", fmt.Errorf("a link may not lead to `%s`; expected http:, https: or mailto:, #heading or ../NN-name/lesson.md", s)
	case to[0] == '#':
		return to, heading(to[1:], l.ids)
	case to[0] == '/':
		return "", fmt.Errorf("`%s` begins with a slash; expected the other file, as in ../NN-name/lesson.md", to)
	}
	return l.file(to)
}

// file resolves a link to another file of the course.
func (l *links) file(to string) (string, error) {
	file, id, hasID := strings.Cut(to, "#")
	file, err := url.PathUnescape(file)
	if err != nil {
		return "", fmt.Errorf("`%s` is no path; expected one such as ../NN-name/lesson.md", to)
	}
	parts := strings.Split(path.Join(l.folder, file), "/")
	there, known := l.outline[parts[0]]
	switch {
	case len(parts) == 2 && parts[1] == "lesson.md":
		if !known {
			return "", unknown("lesson", parts[0], l.outline.names())
		}
		if !hasID {
			return "/lessons/" + parts[0], nil
		}
		return "/lessons/" + parts[0] + "#" + id, heading(id, there.ids)
	case len(parts) == 4 && parts[1] == "exercises" && parts[3] == "task.md" && !hasID:
		if !known {
			return "", unknown("lesson", parts[0], l.outline.names())
		}
		if !slices.Contains(there.exercises, parts[2]) {
			return "", unknown("exercise", parts[2], there.exercises)
		}
		return "/lessons/" + parts[0] + "/exercises/" + parts[2], nil
	}
	return "", fmt.Errorf("`%s` is no page of the course; expected ../NN-name/lesson.md or exercises/NAME/task.md", to)
}

// heading checks that there is a heading or figure of that id.
func heading(id string, ids []string) error {
	if slices.Contains(ids, id) {
		return nil
	}
	return unknown("heading", "#"+id, hashed(ids))
}

func hashed(ids []string) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = "#" + id
	}
	return all
}

func unknown(what, name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("unknown %s `%s`; there is none to link to", what, name)
	}
	return fmt.Errorf("unknown %s `%s`%s; expected %s", what, name, meant(name, known), oneOf(known))
}
