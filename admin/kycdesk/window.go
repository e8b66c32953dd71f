package kycdesk

import (
	"strconv"

	"candor/admin/desk"
	"candor/templates/kycview"
)

// window shows a case's pictures in a separate window, for a second monitor. It says how long they may be shown, at most until the claim ends; then its script
// removes the pictures.
func (s Services) window(r *desk.Request) error {
	cc, err := s.cases().Named(r)
	if err != nil {
		return err
	}
	view := kycview.Window{Case: kycview.Case{ID: strconv.FormatInt(cc.ID, 10), Number: cc.Number(), Hidden: cc.hidden(), Done: s.said(r)}}
	if view.Pictures, err = s.shown(cc); err != nil {
		return err
	}
	if cc.claimedByMe() {
		view.Seconds = int(min(pictureTokenLife, cc.ClaimedUntil.Sub(cc.Now)).Seconds())
	}
	return r.Show(kycview.Alone(r.Bare(cc.Number()), view))
}
