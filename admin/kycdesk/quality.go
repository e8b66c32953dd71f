package kycdesk

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/kyc"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/kycview"
	"candor/templates/ui"
)

// quality is the address of the samples, and the parent of theirs.
var quality = ui.To("/admin/identity/quality")

const (
	qualityRows = 100
	weeksBack   = 8 // weeks that a sample may be drawn of
	usualShare  = "10"
)

// qualityRoutes lists the routes of the samples of decided cases.
func (s Services) qualityRoutes() []desk.Route {
	return []desk.Route{
		{Method: http.MethodGet, Path: "/identity/quality", Permission: access.IdentityQuality, Handle: s.quality},
		{Method: http.MethodGet, Path: "/identity/quality/draw", Permission: access.IdentitySample, Handle: s.askDraw},
		{Method: http.MethodPost, Path: "/identity/quality/draw", Permission: access.IdentitySample, Handle: s.draw},
		{Method: http.MethodGet, Path: "/identity/quality/:sample", Permission: access.IdentitySample, Handle: s.sample},
		{Method: http.MethodGet, Path: "/identity/quality/:sample/verdict", Permission: access.IdentitySample, Handle: s.askVerdict},
		{Method: http.MethodPost, Path: "/identity/quality/:sample/verdict", Permission: access.IdentitySample, Handle: s.verdict},
		{Method: http.MethodGet, Path: "/identity/quality/:sample/pictures/:document/:right", Permission: access.IdentitySample, Handle: s.samplePicture},
	}
}

// qualityButton leads from the list to the samples.
func qualityButton(r *desk.Request) []ui.ButtonView {
	if !r.May(access.IdentityQuality) {
		return nil
	}
	return []ui.ButtonView{{Label: r.Word("identity.quality.open"), Icon: ui.IconShieldCheck, Size: ui.Small, Href: quality.String()}}
}

// quality shows how often second reviews agree with each reviewer, week by week, and the samples.
func (s Services) quality(r *desk.Request) error {
	ctx := r.Context.Request().Context()
	rates, err := s.Identities.Agreements(ctx, qualityRows)
	if err != nil {
		return err
	}
	open, err := s.Identities.Samples(ctx, false, qualityRows)
	if err != nil {
		return err
	}
	done, err := s.Identities.Samples(ctx, true, qualityRows)
	if err != nil {
		return err
	}
	var people []*int64
	for _, rate := range rates {
		people = append(people, &rate.ReviewerID)
	}
	for _, one := range done {
		people = append(people, &one.ReviewerID, one.AgainBy)
	}
	pc, err := s.pageContext(r, people)
	if err != nil {
		return err
	}
	v := kycview.Quality{Back: home, Cards: []kycview.QualityCard{pc.rates(rates), pc.openSamples(open, r.May(access.IdentitySample)), pc.doneSamples(done)}}
	if r.May(access.IdentitySample) {
		v.Draw = &ui.ButtonView{Label: r.Word("identity.draw.open"), Icon: ui.IconPlus, Kind: ui.Primary, Size: ui.Small, Key: "N", HX: ui.OpenDialog(ui.To("/admin/identity/quality/draw"))}
	}
	if v.Done, err = s.saidOfSample(r, pc); err != nil {
		return err
	}
	return r.Show(kycview.QualityPage(r.Page(r.Word("identity.quality"), navItem), v))
}

// table begins a card; "#" marks a numeric column.
func (pc pageContext) table(key string, columns ...string) kycview.QualityCard {
	card := kycview.QualityCard{Title: pc.T("identity.quality." + key), Note: pc.T("identity.quality." + key + ".note"), Table: ui.GridView{Caption: pc.T("identity.quality." + key), Empty: pc.T("identity.quality." + key + ".none")}}
	for _, name := range columns {
		numeric := name[0] == '#'
		if numeric {
			name = name[1:]
		}
		card.Table.Columns = append(card.Table.Columns, ui.Column{Label: pc.T("identity.quality.column." + name), Numeric: numeric})
	}
	return card
}

func (pc pageContext) week(at time.Time) string {
	year, week := at.ISOWeek()
	return pc.T("identity.quality.week", "week", week, "year", year)
}

func (pc pageContext) rates(list []kyc.Agreement) kycview.QualityCard {
	card := pc.table("rates", "week", "reviewer", "#drawn", "#reviewed", "#agreed", "#rate")
	for _, a := range list {
		rate := ui.Cell{Text: "—", Muted: true}
		if a.Reviewed > 0 {
			rate = ui.Cell{Text: ui.Percent(strconv.Itoa(a.Agreed * 100 / a.Reviewed)), Strong: true}
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: pc.week(a.Week)}, {Text: pc.Name(&a.ReviewerID)}, {Text: strconv.Itoa(a.Drawn)}, {Text: strconv.Itoa(a.Reviewed)}, {Text: strconv.Itoa(a.Agreed)}, rate,
		}})
	}
	return card
}

// openSamples names neither the case nor its reviewer: the second review is blind.
func (pc pageContext) openSamples(list []kyc.Sample, may bool) kycview.QualityCard {
	card := pc.table("waiting", "sample", "week", "#drawn_at")
	for _, one := range list {
		name := ui.Cell{Text: pc.sampleName(one.ID), Strong: true}
		if may {
			name.Href = sampleAddress(one.ID).String()
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{name, {Text: pc.week(one.Week)}, {Text: pc.At(one.DrawnAt), Muted: true}}})
	}
	return card
}

func (pc pageContext) doneSamples(list []kyc.Sample) kycview.QualityCard {
	card := pc.table("done", "sample", "case", "reviewer", "decided", "again", "agrees", "by", "note")
	for _, one := range list {
		chip := ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: pc.T("identity.quality.agrees")}
		if !one.Agrees() {
			chip = ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconClose, Label: pc.T("identity.quality.differs")}
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: pc.sampleName(one.ID)}, {Text: number(one.ApplicationID), Ident: true, Href: ui.To("/admin/identity/{}", one.ApplicationID).String()}, {Text: pc.Name(&one.ReviewerID)},
			{Text: pc.outcome(one.Outcome)}, {Text: pc.outcome(*one.Again)}, {Chips: []ui.ChipView{chip}}, {Text: pc.Name(one.AgainBy), Note: pc.At(*one.AgainAt)}, {Text: one.Note, Wrap: true},
		}})
	}
	return card
}

func (pc pageContext) sampleName(id int64) string {
	return pc.T("identity.quality.sample", "number", id)
}

func (pc pageContext) outcome(o kyc.Outcome) string { return pc.T("identity.outcome." + string(o)) }

func sampleAddress(id int64) ui.Path { return ui.To("/admin/identity/quality/{}", id) }

// saidOfSample is the message after a second review or a draw.
func (s Services) saidOfSample(r *desk.Request, pc pageContext) (string, error) {
	if drawn := r.QueryParam("drawn"); drawn == "0" {
		return pc.T("identity.draw.nothing"), nil
	} else if n := caseengine.Numbered(drawn, ""); n != 0 {
		return pc.T("identity.draw.done", "count", n), nil
	}
	id := caseengine.Numbered(r.QueryParam("done"), "")
	one, err := s.Identities.FindSample(pc.Ctx, id)
	switch {
	case errors.Is(err, kyc.ErrSample):
		return "", nil
	case err != nil || one.Again == nil:
		return "", err
	}
	key := "identity.verdict.differs"
	if one.Agrees() {
		key = "identity.verdict.agrees"
	}
	return pc.T(key, "sample", pc.sampleName(id), "outcome", pc.outcome(one.Outcome)), nil
}

// askDraw opens the dialog that draws samples of a week.
func (s Services) askDraw(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(quality.String())
	}
	monday := kyc.Monday(r.Now())
	return s.showDraw(r, http.StatusOK, caseengine.Typed{Values: map[string]string{"share": usualShare, "week": monday.AddDate(0, 0, -7).Format(time.DateOnly)}})
}

func (s Services) showDraw(r *desk.Request, status int, in caseengine.Typed) error {
	pc, err := s.pageContext(r, nil)
	if err != nil {
		return err
	}
	week := in.Field(ui.FieldView{Name: "week", Label: r.Word("identity.draw.week"), Required: true})
	for n := range weeksBack {
		monday := kyc.Monday(r.Now()).AddDate(0, 0, -7*n)
		value := monday.Format(time.DateOnly)
		week.Options = append(week.Options, ui.Option{Value: value, Label: pc.week(monday), Selected: value == week.Value})
	}
	share := in.Field(ui.FieldView{Name: "share", Label: r.Word("identity.draw.share"), Hint: r.Word("identity.draw.share.hint"), InputMode: "numeric", MaxLength: 3, Required: true})
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			ID: "draw", Title: r.Word("identity.draw.title"), Note: r.Word("identity.draw.note"), Form: ui.FormView{Post: ui.To("/admin/identity/quality/draw"), Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act: ui.ButtonView{Label: r.Word("identity.draw.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: []ui.FieldView{week, share},
	}))
}

// draw draws the samples.
func (s Services) draw(r *desk.Request) error {
	in := caseengine.Typed{Values: map[string]string{"share": r.PostFormValue("share"), "week": r.PostFormValue("week")}}
	share, _ := strconv.Atoi(in.Values["share"]) // anything else is out of range
	week, err := time.Parse(time.DateOnly, in.Values["week"])
	if err != nil {
		week = time.Time{}.AddDate(0, 0, 1) // no Monday
	}
	drawn, err := s.Identities.DrawSamples(r.Context.Request().Context(), r.Actor(), share, week)
	if refusal := errs.As(err); refusal != nil && len(refusal.Fields) > 0 {
		in.Errors = r.FieldTexts(err)
		return s.showDraw(r, http.StatusUnprocessableEntity, in)
	}
	if err != nil {
		return err
	}
	return r.RedirectTo(quality.With("drawn", drawn).String())
}
