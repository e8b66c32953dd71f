package kycdesk

import (
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/kyc"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// pictureTokenLife is how long a page may fetch its pictures.
const pictureTokenLife = time.Minute

// The purposes of a picture's token: a case, and a sample of decided cases.
const (
	ofCase   = "look"
	ofSample = "sample"
)

// pictureToken is the token in a picture's address: until when this member may fetch this picture of this case or sample, with a keyed hash.
func (s Services) pictureToken(purpose string, staffID, id, document int64, until time.Time) (string, error) {
	message := fmt.Sprintf("%d|%d|%d|%d", staffID, id, document, until.Unix())
	seal, err := s.Tag(purpose, []byte(message))
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(until.Unix(), 10) + "." + base64.RawURLEncoding.EncodeToString(seal), nil
}

// checkPictureToken refuses a token that was not issued, or that has expired.
func (s Services) checkPictureToken(r *desk.Request, purpose string, id, document int64) error {
	text := r.Param("right")
	seconds, _, _ := strings.Cut(text, ".")
	until, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || !r.Now().Before(time.Unix(until, 0)) {
		return errPictureToken
	}
	want, err := s.pictureToken(purpose, r.Member.ID, id, document, time.Unix(until, 0))
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(text), []byte(want)) {
		return errPictureToken
	}
	return nil
}

// picturePath is the address from which the member may fetch a picture, valid for a minute.
func (s Services) picturePath(cc caseContext, document int64) (ui.Path, error) {
	token, err := s.pictureToken(ofCase, cc.Me, cc.ID, document, cc.Now.Add(pictureTokenLife))
	if err != nil {
		return ui.Path{}, err
	}
	return ui.To("/admin/identity/{}/pictures/{}/{}", cc.ID, document, token), nil
}

// picture sends a picture into its page, watermarked with the viewer. The audit log records the view before anything is sent.
func (s Services) picture(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	document, err := r.ID("document")
	if err != nil {
		return err
	}
	if err := s.checkPictureToken(r, ofCase, id, document); err != nil {
		return err
	}
	if err := r.MayShow(); err != nil {
		return err
	}
	raw, err := s.Identities.View(r.Context.Request().Context(), r.Actor(), id, document)
	if err != nil {
		return err
	}
	if err := r.SendPicture(raw, number(id)); err != nil {
		return fmt.Errorf("send picture %d: %w", document, err)
	}
	return nil
}

// pictures are the current pictures, with the decisions on them.
func (cc caseContext) pictures() (list []kycview.Picture) {
	for _, d := range cc.Documents {
		list = append(list, cc.picture(d))
	}
	return list
}

// shown are the pictures for the member with the claim, with rights to fetch them, valid for a minute.
func (s Services) shown(cc caseContext) (list []kycview.Picture, err error) {
	if !cc.claimedByMe() {
		return nil, nil
	}
	list = cc.pictures()
	for i := range list {
		if list[i].Image, err = s.picturePath(cc, cc.Documents[i].ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (cc caseContext) picture(d kyc.Document) kycview.Picture {
	p := kycview.Picture{
		ID: strconv.FormatInt(d.ID, 10), Side: cc.side(d.Side), Selfie: d.Side == kyc.Selfie, Alt: cc.T("identity.picture.alt", "side", cc.side(d.Side), "number", cc.Number()),
		Mark: cc.T("identity.picture.mark"), Pending: d.Decision == kyc.Pending, Chip: decided[d.Decision],
	}
	p.Chip.Label = cc.T("identity.decision." + string(d.Decision))
	if d.Decision == kyc.Refused {
		p.Reason = cc.reason(d.Reason)
	}
	judge := cc.Right(nounJudge)
	if !judge.Offered() {
		return p
	}
	p.Form = ui.FormView{
		Post: cc.sel.On(ui.To("/admin/identity/{}/pictures/{}", cc.ID, d.ID)), Swap: ui.SwapNone, Class: "kyc-judge", Hidden: []ui.Hidden{cc.About().Shown()},
	}
	p.Buttons = []ui.ButtonView{
		{Label: cc.T("identity.accept"), Icon: ui.IconCheck, Key: "Y", Size: ui.Small, Submit: true, Current: d.Decision == kyc.Accepted},
		{Label: cc.T("identity.refuse.open"), Icon: ui.IconRetry, Key: "N", Size: ui.Small, HX: ui.OpenDialog(cc.refusalPath(d)), Current: d.Decision == kyc.Refused},
	}
	for i := range p.Buttons {
		p.Buttons[i] = cc.Button(judge, cc.Claim, p.Buttons[i])
	}
	return p
}

func (cc caseContext) refusalPath(d kyc.Document) ui.Path {
	return cc.sel.On(ui.To("/admin/identity/{}/pictures/{}/refusal", cc.ID, d.ID))
}

// decided are the chips of the decisions on a picture.
var decided = map[kyc.Decision]ui.ChipView{
	kyc.Pending:  {Icon: ui.IconQuestion},
	kyc.Accepted: {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	kyc.Refused:  {Tone: ui.ToneWarning, Icon: ui.IconRetry},
}
