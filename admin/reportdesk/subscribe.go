package reportdesk

import (
	"fmt"
	"net/http"
	"strconv"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/report"
	"candor/templates/reportview"
	"candor/templates/ui"
)

// rhythm says when a subscribed report comes.
func rhythm(r *desk.Request, one report.Subscription) string {
	return r.Word("report.mailed."+string(one.Rhythm), "hour", clock(one.Hour))
}

func clock(hour int) string { return fmt.Sprintf("%02d:00", hour) }

// askSubscription opens the dialog that subscribes a report, or ends its subscription.
func (s Services) askSubscription(r *desk.Request) error {
	k, err := kindOf(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(k.path().String())
	}
	mailed, err := s.Reports.Subscriptions(ctxOf(r), r.Member.ID)
	if err != nil {
		return err
	}
	if one, ok := mailed[k.name]; ok {
		return r.Dialog(http.StatusOK, ui.Dialog(ending(r, k, one)))
	}
	return r.Dialog(http.StatusOK, reportview.SubscriptionDialog(form(r, k, report.Daily, 8, nil)))
}

// ending is the dialog about a subscription that the member has.
func ending(r *desk.Request, k kind, one report.Subscription) ui.DialogView {
	return ui.DialogView{
		Title: r.Word("report.unsubscribe.title"), Note: r.Word("report." + k.name),
		Facts: ui.Facts(ui.FactsView{Wide: true, Items: []ui.Fact{
			{Label: r.Word("report.subscribe.rhythm"), Value: rhythm(r, one)},
			{Label: r.Word("report.subscribe.zone"), Value: one.Zone},
			{Label: r.Word("report.subscribe.next"), Value: r.Moment(one.NextAt)},
			{Label: r.Word("report.subscribe.to"), Value: r.Member.Email},
		}}),
		Act: ui.ButtonView{
			Label: r.Word("report.unsubscribe.act"), Kind: ui.Danger,
			HX: ui.HX{Delete: k.path("subscription"), Target: ui.At("report-buttons"), Swap: ui.SwapInside},
		},
	}
}

// form is the dialog that asks when a report shall come.
func form(r *desk.Request, k kind, every report.Rhythm, hour int, alert *ui.AlertView) reportview.Form {
	f := reportview.Form{
		Alert:  alert,
		Rhythm: ui.FieldView{Name: "rhythm", Label: r.Word("report.subscribe.rhythm"), Required: true},
		Hour:   ui.FieldView{Name: "hour", Label: r.Word("report.subscribe.hour"), Hint: r.Word("report.subscribe.hour.hint", "zone", r.Zone().String()), Required: true},
		Frame: ui.DialogView{
			Title: r.Word("report.subscribe.title"), Note: r.Word("report.subscribe.note", "address", r.Member.Email),
			Form: ui.FormView{Post: k.path("subscription"), Target: ui.At("report-buttons"), Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: r.Word("report.subscribe.act"), Kind: ui.Primary, Submit: true},
		},
	}
	for _, one := range []report.Rhythm{report.Daily, report.Weekly} {
		f.Rhythm.Options = append(f.Rhythm.Options, ui.Option{Value: string(one), Label: r.Word("report.rhythm." + string(one)), Selected: one == every})
	}
	for n := range 24 {
		f.Hour.Options = append(f.Hour.Options, ui.Option{Value: strconv.Itoa(n), Label: clock(n), Selected: n == hour})
	}
	return f
}

// subscribe subscribes a report for the member's own address, in the zone of the browser.
func (s Services) subscribe(r *desk.Request) error {
	k, err := kindOf(r)
	if err != nil {
		return err
	}
	every := report.Rhythm(r.PostFormValue("rhythm"))
	hour, err := strconv.Atoi(r.PostFormValue("hour"))
	if err != nil {
		hour = -1
	}
	err = s.Reports.Subscribe(ctxOf(r), r.Actor(), k.name, every, hour, r.Zone().String())
	if refusal := errs.As(err); refusal != nil {
		return r.Dialog(http.StatusUnprocessableEntity, reportview.SubscriptionDialog(form(r, k, every, hour, &ui.AlertView{Tone: ui.ToneError, Title: r.Text(refusal)})))
	}
	if err != nil {
		return err
	}
	return s.changed(r, k, r.Word("report.subscribe.done", "address", r.Member.Email))
}

// unsubscribe ends the member's own subscription.
func (s Services) unsubscribe(r *desk.Request) error {
	k, err := kindOf(r)
	if err != nil {
		return err
	}
	if err := s.Reports.Unsubscribe(ctxOf(r), r.Actor(), k.name); err != nil {
		return err
	}
	return s.changed(r, k, r.Word("report.unsubscribe.done"))
}

// changed answers with the buttons of the page, of the span that the browser shows.
func (s Services) changed(r *desk.Request, k kind, flash string) error {
	r.Request().URL.RawQuery = r.CurrentPage().RawQuery
	buttons, err := s.buttons(r, k, choose(r))
	if err != nil {
		return err
	}
	return r.Show(reportview.Changed(buttons, flash))
}
