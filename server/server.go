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
	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/web"
)

// A Library gives the course as it is now. The server asks it anew for each page, so that a
// lesson that was just saved is the one that is shown. Many goroutines ask at the same time.
type Library interface {
	Course(ctx context.Context) (*lessons.Course, error)
}

// A Config is what a server works with. The library, the built files and the log are needed.
// Without a store the server shows lessons and nothing else: it has nowhere to keep anything.
// With a store it needs a queue, Watch, Types and Exercise as well.
type Config struct {
	Library Library
	Built   fs.FS        // the built files with their manifest, see [web.Dist]
	Log     *slog.Logger // requests at level info, what went wrong at level error

	Store Store
	Queue Queue
	Watch func(id string) Watch // the news of one submission; the Queue's own Watch
	Types Types

	// Exercise gives what the checker has to know of an exercise.
	Exercise func(lesson string, e *lessons.Exercise) check.Exercise
	// Checking says in one sentence why nothing can be checked at present, and "" when all is
	// well. Nil means that all is always well. While it says something, programs are refused
	// and lessons, drafts and earlier results are served as ever.
	Checking func() string
}

// A Server answers the requests of browsers. Any number of goroutines may use it.
type Server struct {
	library  Library
	store    Store
	queue    Queue
	watch    func(id string) Watch
	types    Types
	checked  func(lesson string, e *lessons.Exercise) check.Exercise
	checking func() string
	door     *door // nil without a store

	assets  web.Assets
	files   map[string]file // by hashed name
	log     *slog.Logger
	limits  limits
	shelf   *shelf
	rates   *rates
	sockets *sockets
	metrics *metrics
	router  http.Handler
}

// New makes a server, reading all built files into memory (about two megabytes). The error is
// [web.ErrNotBuilt], or something that is wrong with the built files or missing in c.
func New(c Config) (*Server, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	assets, err := web.LoadAssets(c.Built)
	if err != nil {
		return nil, err
	}
	files, err := loadFiles(c.Built, assets)
	if err != nil {
		return nil, err
	}
	s := &Server{
		library: c.Library, store: c.Store, queue: c.Queue, watch: c.Watch, types: c.Types,
		checked: c.Exercise, checking: c.Checking,
		assets: assets, files: files, log: c.Log, limits: patient(), shelf: newShelf(), sockets: newSockets(),
	}
	if s.store != nil {
		s.door = newDoor(s.store)
	}
	s.rates = s.newRates()
	s.metrics = newMetrics(s.queue, s.sockets)
	s.router = s.routes()
	return s, nil
}

// complete says what is missing.
func (c *Config) complete() error {
	if c.Library == nil || c.Built == nil || c.Log == nil {
		return errors.New("server: a library, the built files and a log are needed")
	}
	if c.Checking == nil {
		c.Checking = func() string { return "" }
	}
	if c.Store != nil && (c.Queue == nil || c.Watch == nil || c.Types == nil || c.Exercise == nil) {
		return errors.New("server: with a store a queue, Watch, Types and Exercise are needed")
	}
	return nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.router.ServeHTTP(w, r) }

// routes is the map of the site. The order of the middleware matters: each sees what those
// below it did, so the log comes before the net under a panic and tells the status it sent.
func (s *Server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(s.number, s.logged, s.metrics.measured, secured, s.caught, s.sameOrigin(),
		middleware.ClientIPFromXFF("127.0.0.0/8", "::1/128"), s.rates.sender, s.inTurn(), middleware.GetHead)

	r.Get("/", s.serve(s.index))
	r.Get("/lessons", redirectTo("/"))
	r.Get("/lessons/", redirectTo("/"))
	r.Get("/lessons/{lesson}", s.serve(s.lesson))
	r.Get("/lessons/{lesson}/", s.serve(withoutSlash))
	r.Get("/lessons/{lesson}/exercises/{exercise}/", s.serve(withoutSlash))
	if s.store == nil {
		r.Get("/lessons/{lesson}/exercises/{exercise}", s.serve(s.exercisePlace))
	} else {
		s.exerciseRoutes(r)
		s.peopleRoutes(r)
	}

	r.Get("/static/{file}", s.serve(s.static))
	r.Get("/favicon.ico", s.serve(s.favicon))
	r.Get("/robots.txt", s.serve(robots))
	r.Get("/healthz", s.serve(s.healthy))
	r.Get("/readyz", s.serve(s.ready))
	r.Method(http.MethodGet, "/metrics", s.metrics.handler())

	r.NotFound(s.serve(func(_ http.ResponseWriter, r *http.Request) error {
		return &noPageError{path: r.URL.Path}
	}))
	r.MethodNotAllowed(s.serve(func(_ http.ResponseWriter, r *http.Request) error {
		return &methodError{method: r.Method, allowed: allowed(r)}
	}))
	return r
}

// exerciseRoutes are the routes of exercises and of what learners send in for them. Those under
// /api/ are for scripts and other programs; the forms are for pages without scripts.
func (s *Server) exerciseRoutes(r chi.Router) {
	r.Route("/lessons/{lesson}/exercises/{exercise}", func(r chi.Router) {
		r.Get("/", s.serve(s.exercise))
		r.With(s.rates.submits).Post("/", s.serve(s.submitForm))
		r.Post("/module", s.serve(s.module))
		r.With(s.rates.helps).Post("/format", s.serve(s.formatForm))
	})
	r.Route("/api/lessons/{lesson}/exercises/{exercise}", func(r chi.Router) {
		r.Get("/submissions", s.serve(s.listTries))
		r.With(s.rates.submits).Post("/submissions", s.serve(s.submit))
		r.Put("/draft", s.serve(s.saveDraft))
		r.Post("/draft", s.serve(s.saveDraft))
		r.With(s.rates.helps).Post("/types", s.serve(s.findTypes))
		r.Get("/solution", s.serve(s.solution))
		r.Post("/recheck", s.serve(s.recheck))
	})
	r.Get("/api/submissions/{submission}", s.serve(s.submission))
	r.With(s.rates.helps).Post("/api/format", s.serve(s.format))
	r.With(s.rates.lives).Get("/live", s.serve(s.live))
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
