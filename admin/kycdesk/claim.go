package kycdesk

import "candor/admin/desk"

// claim takes a case, or takes it for another quarter of an hour, and shows its page anew: with data, pictures and the rights to fetch them.
func (s Services) claim(r *desk.Request) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	rights := m.rights()
	if refusal := rights.claim.refusal(); refusal != nil && !rights.release.ok {
		return s.refuse(r, m.ID, refusal)
	}
	if _, err := s.Identities.Claim(m.ctx, by(r), m.ID); err != nil {
		return s.refuse(r, m.ID, err)
	}
	if !rights.release.ok {
		return r.Go(m.address(m.ID).String())
	}
	return s.changed(r, m.ID) // the pictures are there already
}

func (s Services) release(r *desk.Request) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	if _, err := s.Identities.Release(m.ctx, by(r), m.ID); err != nil {
		return s.refuse(r, m.ID, err)
	}
	return r.Go(m.address(m.ID).String())
}
