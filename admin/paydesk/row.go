package paydesk

import (
	"strings"
	"time"

	"candor/admin/desk/casework"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// row is a withdrawal in the queue.
func (sc scene) row(w withdrawal.Withdrawal) ui.QueueRowView {
	path := sc.view.path(w.ID)
	return ui.QueueRowView{
		ID: key(w.ID), Title: w.Number(), Sub: decimal(w.TraderID), Href: path.String(), HX: ui.OpenDetail(path), Flags: []ui.ChipView{sc.risk(w)},
		Text: sc.show.Sum(w.Amount, w.Currency), Strong: true, State: sc.chip(w), Due: sc.due(w), Note: sc.note(w), People: sc.people(w),
		Owner: sc.Owner(w.Claim), Claim: sc.ClaimInRow(sc.rights(w), below(w.ID, casework.Claim), ui.At(key(w.ID))),
	}
}

// Points from which a risk is told in amber and in red.
const (
	riskMiddle = 30
	riskHigh   = 60
)

// risk is a chip with the points, and the reasons on hover.
func (sc scene) risk(w withdrawal.Withdrawal) ui.ChipView {
	chip := ui.ChipView{Label: sc.T("withdrawal.risk.points", "points", w.Risk), Title: strings.Join(sc.risks(w), ", ")}
	switch {
	case w.Risk >= riskHigh:
		chip.Tone = ui.ToneError
	case w.Risk >= riskMiddle:
		chip.Tone = ui.ToneWarning
	}
	return chip
}

// risks are the reasons of the points, in words.
func (sc scene) risks(w withdrawal.Withdrawal) (words []string) {
	for code := range strings.SplitSeq(w.RiskReasons, ",") {
		if code != "" {
			words = append(words, sc.T("withdrawal.risk."+code))
		}
	}
	return words
}

// due is how long the trader has waited; its colour says whether the present step is in time.
func (sc scene) due(w withdrawal.Withdrawal) *ui.DueView {
	switch {
	case w.State == withdrawal.MoreInfo:
		return &ui.DueView{Text: sc.T("case.waits.trader"), NoIcon: true}
	case w.EndedAt != nil:
		return &ui.DueView{Text: sc.At(*w.EndedAt), NoIcon: true}
	case w.State == withdrawal.Sent:
		return &ui.DueView{Text: sc.At(*w.SentAt), NoIcon: true}
	}
	due := ui.Waiting(sc.Ctx, w.MovedAt, sc.Now, w.Promised().Sub(w.MovedAt))
	due.Since, due.Text = w.CreatedAt, ui.Age(sc.Ctx, sc.Now.Sub(w.CreatedAt))
	return &due
}

// chip says where a withdrawal stands.
func (sc scene) chip(w withdrawal.Withdrawal) *ui.ChipView {
	chip := looks[w.State]
	chip.Label = sc.T("withdrawal.chip." + string(w.State))
	return &chip
}

// looks are the chips of the states.
var looks = map[withdrawal.State]ui.ChipView{
	withdrawal.Review:         {Icon: ui.IconClock},
	withdrawal.MoreInfo:       {Icon: ui.IconRetry},
	withdrawal.Approved1:      {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	withdrawal.Approved2:      {Tone: ui.ToneWarning, Icon: ui.IconPeople},
	withdrawal.Queued:         {Tone: ui.ToneInfo, Icon: ui.IconOut},
	withdrawal.Processing:     {Tone: ui.ToneInfo, Icon: ui.IconSend},
	withdrawal.Sent:           {Tone: ui.ToneInfo, Icon: ui.IconBank},
	withdrawal.Completed:      {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	withdrawal.Cancelled:      {Icon: ui.IconClose},
	withdrawal.Rejected:       {Tone: ui.ToneError, Icon: ui.IconClose},
	withdrawal.Failed:         {Tone: ui.ToneError, Icon: ui.IconUndo},
	withdrawal.Returned:       {Tone: ui.ToneError, Icon: ui.IconUndo},
	withdrawal.Frozen:         {Tone: ui.ToneError, Icon: ui.IconLock},
	withdrawal.OutcomeUnknown: {Tone: ui.ToneError, Icon: ui.IconQuestion},
}

// note is the third line: what is most worth knowing before the row is opened.
func (sc scene) note(w withdrawal.Withdrawal) string {
	reasons := sc.risks(w)
	switch {
	case w.HeldBy(sc.Me, sc.Now):
		return sc.T("case.note.mine", "until", sc.At(*w.ClaimedUntil))
	case w.HeldByOther(sc.Me, sc.Now):
		return sc.T("case.note.theirs", "name", sc.Name(w.ClaimedBy))
	case w.OutcomePaid != nil && w.State == withdrawal.OutcomeUnknown:
		return sc.T("withdrawal.found."+paid(*w.OutcomePaid), "name", sc.Name(w.OutcomeBy))
	case w.State == withdrawal.Frozen || w.State == withdrawal.MoreInfo:
		return sc.reason(w.Reason)
	case w.Answer != "" && w.State == withdrawal.Review:
		return sc.T("withdrawal.note.answered")
	case len(reasons) == 0:
		return sc.T("withdrawal.risk.none")
	default:
		return reasons[0]
	}
}

func paid(is bool) string {
	if is {
		return "paid"
	}
	return "unpaid"
}

// people are the circles of a withdrawal: who approved, and who may.
func (sc scene) people(w withdrawal.Withdrawal) []ui.Person {
	if w.Ended() && w.MakerID == nil {
		return nil
	}
	rights := sc.rights(w)
	circle := func(who *int64, noun string) ui.Person {
		act, asked := rights[noun]
		claim := casework.Verdict{OK: asked && rights[casework.Claim].OK}
		return sc.Circle(who, act, claim, w.Claim)
	}
	people := []ui.Person{circle(w.MakerID, nounApprove), circle(w.CheckerID, nounConfirm)}
	if w.LeadID != nil || w.State == withdrawal.Approved2 || w.CheckerID == nil && w.Amount > sc.above {
		people = append(people, circle(w.LeadID, nounThird))
	}
	return people
}

// target is how long the present step may take.
func target(w withdrawal.Withdrawal) int { return int(w.Promised().Sub(w.MovedAt) / time.Hour) }
