package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/web"
)

// A Library gives the course as it is now. The server asks it anew for each page, so that a
// lesson that was just saved is the one that is shown. Many goroutines ask at the same time.
type Library interface {
	Course(ctx context.Context) (*lessons.Course, error)
}

// A Config is what a server works with. All of it is needed.
type Config struct {
	Library Library
	Built   fs.FS        // the built files with their manifest, see [web.Dist]
	Log     *slog.Logger // requests at level info, what went wrong at level error
}

// A Server answers the requests of browsers. Any number of goroutines may use it.
type Server struct {
	library Library
	assets  web.Assets
	files   map[string]file // by hashed name
	log     *slog.Logger
	limits  limits
	router  http.Handler
	shelf   *shelf
}

// New makes a server, reading all built files into memory (about two megabytes). The error is
// [web.ErrNotBuilt], or something that is wrong with the built files.
func New(c Config) (*Server, error) {
	if c.Library == nil || c.Built == nil || c.Log == nil {
		return nil, errors.New("server: a library, the built files and a log are needed")
	}
	assets, err := web.LoadAssets(c.Built)
	if err != nil {
		return nil, err
	}
	files, err := loadFiles(c.Built, assets)
	if err != nil {
		return nil, err
	}
	s := &Server{library: c.Library, assets: assets, files: files, log: c.Log, limits: patient(), shelf: newShelf()}
	s.router = s.routes()
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.router.ServeHTTP(w, r) }

// routes is the map of the site. The order of the middleware matters: each sees what those
// below it did, so the log comes before the net under a panic and tells the status it sent.
func (s *Server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(s.number, s.logged, secured, s.caught, s.sameOrigin(), middleware.GetHead)

	r.Get("/", s.serve(s.index))
	r.Get("/lessons", redirectTo("/"))
	r.Get("/lessons/", redirectTo("/"))
	r.Get("/lessons/{lesson}", s.serve(s.lesson))
	r.Get("/lessons/{lesson}/", s.serve(withoutSlash))
	r.Get("/lessons/{lesson}/exercises/{exercise}/", s.serve(withoutSlash))
	r.Get("/lessons/{lesson}/exercises/{exercise}", s.serve(s.exercise))

	r.Get("/static/{file}", s.serve(s.static))
	r.Get("/favicon.ico", s.serve(s.favicon))
	r.Get("/robots.txt", s.serve(robots))
	r.Get("/healthz", s.serve(s.healthy))
	r.Get("/readyz", s.serve(s.ready))

	r.NotFound(s.serve(func(_ http.ResponseWriter, r *http.Request) error {
		return &noPageError{path: r.URL.Path}
	}))
	r.MethodNotAllowed(s.serve(func(_ http.ResponseWriter, r *http.Request) error {
		return &methodError{method: r.Method, allowed: allowed(r)}
	}))
	return r
}

// A handler is a route that may fail. It has written nothing when it returns an error.
type handler func(w http.ResponseWriter, r *http.Request) error

// serve hands a route's error to the one place that makes a page of it.
func (s *Server) serve(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// allowed lists the methods for which there is a route at a request's address.
func allowed(r *http.Request) []string {
	routes := chi.RouteContext(r.Context()).Routes
	path := r.URL.RawPath // as chi itself looks for a route
	if path == "" {
		path = r.URL.Path
	}
	var methods []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		if !routes.Match(chi.NewRouteContext(), m, path) {
			continue
		}
		methods = append(methods, m)
		if m == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	return methods
}
