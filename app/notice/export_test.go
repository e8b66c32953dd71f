package notice

// SetMaxMarks sets the number of marks up to which visitors are counted.
func (s *Service) SetMaxMarks(n float64) { s.maxMarks = n }
