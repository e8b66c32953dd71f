package kycdesk

import (
	"strconv"

	"candor/admin/desk"
	"candor/templates/kycview"
)

// window shows the pictures of a case in a window of their own, for a second monitor. It says how long its rights allow that, which is never longer than
// the claim: after that its script takes the pictures away.
func (s Services) window(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	view := kycview.Window{Case: kycview.Case{ID: strconv.FormatInt(cc.ID, 10), Number: cc.Number(), Hidden: cc.hidden(), Done: s.told(r, cc.pageContext)}}
	if view.Pictures, err = s.shown(cc); err != nil {
		return err
	}
	if cc.held() {
		view.Seconds = int(min(rightLife, cc.ClaimedUntil.Sub(cc.Now)).Seconds())
	}
	return r.Show(kycview.Alone(r.Bare(cc.Number()), view))
}
