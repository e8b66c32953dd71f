package passwords

// Kill ends the process of a worker from outside, as the system may.
func (w *Workers) Kill() error {
	one := <-w.idle
	defer func() { w.idle <- one }()
	return one.process.Process.Kill()
}
