package notice

// SetMostReached sets the number of marks up to which visitors are counted.
func (s *Service) SetMostReached(n float64) { s.mostReached = n }
