package passwords

import "time"

// PID is the process of the only worker.
func (w *Workers) PID() int {
	one := <-w.idle
	defer func() { w.idle <- one }()
	return one.process.Process.Pid
}

// SetPatience changes how long an answer may take.
func (w *Workers) SetPatience(d time.Duration) { w.patience = d }

// Niceness is the nice value of a worker.
const Niceness = niceness
