package kycdesk

import (
	"strconv"

	"candor/admin/desk"
	"candor/templates/kycview"
)

// window shows the pictures of a case in a window of their own, for a second monitor. It says how long its rights allow that, which is never longer than
// the claim: after that its script takes the pictures away.
func (s Services) window(r *desk.Request) error {
	m, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	view := kycview.Window{Case: kycview.Case{ID: strconv.FormatInt(m.ID, 10), Number: m.Number(), Hidden: m.hidden(), Done: s.told(r, m.scene)}}
	if view.Pictures, err = s.shown(m); err != nil {
		return err
	}
	if m.held() {
		view.Seconds = int(min(rightLife, m.ClaimedUntil.Sub(m.Now)).Seconds())
	}
	return r.Show(kycview.Alone(r.Bare(m.Number()), view))
}
