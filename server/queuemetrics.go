package server

import "github.com/prometheus/client_golang/prometheus"

// queueMetrics show the queue's figures. They are asked for once in each look, so that they fit
// together.
type queueMetrics struct {
	queue                                        Queue
	waiting, underWay, workers, slots, connected *prometheus.Desc
	judged, retried                              *prometheus.Desc
}

func newQueueMetrics(queue Queue) *queueMetrics {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("towers_queue_"+name, help, nil, nil)
	}
	return &queueMetrics{
		queue:     queue,
		waiting:   desc("waiting", "Submissions that no worker has begun."),
		underWay:  desc("under_way", "Submissions that a worker has."),
		workers:   desc("workers", "Workers heard of in the last few seconds."),
		slots:     desc("slots", "Submissions that the workers can judge at once."),
		connected: desc("connected", "1 while there is a NATS server, 0 otherwise."),
		judged:    desc("judged_total", "Verdicts recorded since the server began."),
		retried:   desc("retried_total", "Times that a submission was put back for a fault of ours."),
	}
}

// Describe tells the registry what there is.
func (q *queueMetrics) Describe(out chan<- *prometheus.Desc) { prometheus.DescribeByCollect(q, out) }

// Collect gives the present figures.
func (q *queueMetrics) Collect(out chan<- prometheus.Metric) {
	stats := q.queue.Stats()
	connected := 0
	if stats.Connected {
		connected = 1
	}
	for desc, value := range map[*prometheus.Desc]int{
		q.waiting: stats.Waiting, q.underWay: stats.UnderWay, q.workers: stats.Workers, q.slots: stats.Slots, q.connected: connected,
	} {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(value))
	}
	for desc, value := range map[*prometheus.Desc]uint64{q.judged: stats.Judged, q.retried: stats.Retried} {
		out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(value))
	}
}
