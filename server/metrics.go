package server

import (
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics count what whoever runs the server wants to see in a graph. A label is always a word
// of ours, never one that came with a request: else anybody could fill the memory with labels.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// newMetrics makes the metrics of one server. The queue may be nil.
func newMetrics(queue Queue, open *sockets) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "towers_requests_total", Help: "Requests answered, by method, route and class of status.",
		}, []string{"method", "route", "class"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "towers_request_seconds", Help: "Time until a request was answered, by method and route. A poll for news waits up to 20 s by design.",
			Buckets: []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30},
		}, []string{"method", "route"}),
	}
	// What is live tells a leak from garbage, which the heap as a whole does not.
	live := collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/gc/heap/live:bytes$`)}
	m.registry.MustRegister(m.requests, m.seconds, collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(live)),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("towers_sockets_open", "WebSockets that are open.", func() float64 { return float64(open.count()) })
	if queue != nil {
		m.registry.MustRegister(newQueueMetrics(queue))
	}
	return m
}

func (m *metrics) gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// measured counts a request and takes its time.
func (m *metrics) measured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			method, route := r.Method, chi.RouteContext(r.Context()).RoutePattern()
			if route == "" || ww.Status() == http.StatusMethodNotAllowed {
				method, route = "any", "none" // a method may be any word too
			}
			m.requests.WithLabelValues(method, route, strconv.Itoa(ww.Status()/100)+"xx").Inc()
			m.seconds.WithLabelValues(method, route).Observe(time.Since(began).Seconds())
		}()
		next.ServeHTTP(ww, r)
	})
}

// handler shows the metrics in the text form that Prometheus reads.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
