package notice

// SetMostReached changes up to how many marks visitors are counted.
func (s *Service) SetMostReached(n float64) { s.mostReached = n }
