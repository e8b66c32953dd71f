package paydesk

import "candor/admin/desk"

func (s Services) claim(r *desk.Request) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	rights := m.rights(m.Withdrawal)
	if refusal := rights[nounClaim].refusal(); refusal != nil && !rights[nounRelease].ok { // whoever holds it may claim it again, for another quarter of an hour
		return s.refuse(r, m.ID, refusal)
	}
	w, err := s.Withdrawals.Claim(m.ctx, by(r), m.ID)
	if err != nil {
		return s.refuse(r, m.ID, err)
	}
	return s.done(r, m.ID, "withdrawal.claimed", "until", m.at(*w.ClaimedUntil))
}

func (s Services) release(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if _, err := s.Withdrawals.Release(r.Context.Request().Context(), by(r), id); err != nil {
		return s.refuse(r, id, err)
	}
	return s.done(r, id, "withdrawal.released")
}
