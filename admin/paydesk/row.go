package paydesk

import (
	"strings"
	"time"

	"candor/admin/desk/caseengine"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// row is a withdrawal's row in the queue.
func (pc pageContext) row(w withdrawal.Withdrawal) ui.QueueRowView {
	path := pc.view.path(w.ID)
	return ui.QueueRowView{
		ID: key(w.ID), Title: w.Number(), Sub: decimal(w.TraderID), Href: path.String(), HX: ui.OpenDetail(path), Flags: []ui.ChipView{pc.risk(w)},
		Text: pc.show.Sum(w.Amount, w.Currency), Strong: true, State: pc.chip(w), Due: pc.due(w), Note: pc.note(w), People: pc.people(w),
		Owner: pc.Owner(w.Claim), Claim: pc.ClaimInRow(pc.rights(w), below(w.ID, caseengine.Claim), ui.At(key(w.ID))),
	}
}

// Points from which a risk is shown in amber and in red.
const (
	riskMiddle = 30
	riskHigh   = 60
)

// risk is a chip with the points, and the reasons on hover.
func (pc pageContext) risk(w withdrawal.Withdrawal) ui.ChipView {
	chip := ui.ChipView{Label: pc.T("withdrawal.risk.points", "points", w.Risk), Title: strings.Join(pc.risks(w), ", ")}
	switch {
	case w.Risk >= riskHigh:
		chip.Tone = ui.ToneError
	case w.Risk >= riskMiddle:
		chip.Tone = ui.ToneWarning
	}
	return chip
}

// risks are the texts of the reasons for the points.
func (pc pageContext) risks(w withdrawal.Withdrawal) (words []string) {
	for code := range strings.SplitSeq(w.RiskReasons, ",") {
		if code != "" {
			words = append(words, pc.T("withdrawal.risk."+code))
		}
	}
	return words
}

// due is how long the trader has waited; its colour shows whether the current step is in time.
func (pc pageContext) due(w withdrawal.Withdrawal) *ui.DueView {
	switch {
	case w.State == withdrawal.MoreInfo:
		return &ui.DueView{Text: pc.T("case.waits.trader"), NoIcon: true}
	case w.EndedAt != nil:
		return &ui.DueView{Text: pc.At(*w.EndedAt), NoIcon: true}
	case w.State == withdrawal.Sent:
		return &ui.DueView{Text: pc.At(*w.SentAt), NoIcon: true}
	}
	due := ui.Waiting(pc.Ctx, w.MovedAt, pc.Now, w.DueAt().Sub(w.MovedAt))
	due.Since, due.Text = w.CreatedAt, ui.Age(pc.Ctx, pc.Now.Sub(w.CreatedAt))
	return &due
}

// chip shows a withdrawal's state.
func (pc pageContext) chip(w withdrawal.Withdrawal) *ui.ChipView {
	chip := looks[w.State]
	chip.Label = pc.T("withdrawal.chip." + string(w.State))
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

// note is the third line of a row: the most important fact to know before opening it.
func (pc pageContext) note(w withdrawal.Withdrawal) string {
	reasons := pc.risks(w)
	switch {
	case w.ClaimActiveBy(pc.Me, pc.Now):
		return pc.T("case.note.mine", "until", pc.At(*w.ClaimedUntil))
	case w.ClaimActiveByOther(pc.Me, pc.Now):
		return pc.T("case.note.theirs", "name", pc.Name(w.ClaimedBy))
	case pc.me.finder(w) != nil && w.State == withdrawal.OutcomeUnknown:
		found, _ := pc.found(w)
		return found
	case w.State == withdrawal.Frozen || w.State == withdrawal.MoreInfo:
		return pc.reason(w.Reason)
	case w.Answer != "" && w.State == withdrawal.Review:
		return pc.T("withdrawal.note.answered")
	case len(reasons) == 0:
		return pc.T("withdrawal.risk.none")
	default:
		return reasons[0]
	}
}

// found is what somebody reported about an outcome, with the payment if it was paid; empty while nobody has.
func (pc pageContext) found(w withdrawal.Withdrawal) (text string, payment *string) {
	finder := pc.me.finder(w)
	if finder == nil {
		return "", nil
	}
	if payment = pc.me.findings[w.ID].Payment; payment == nil {
		return pc.T("withdrawal.found.unpaid", "name", pc.Name(finder)), nil
	}
	return pc.T("withdrawal.found.paid", "name", pc.Name(finder)), payment
}

// people are the circles of a withdrawal: who approved, and who may.
func (pc pageContext) people(w withdrawal.Withdrawal) []ui.Person {
	first, second, third := pc.me.first(w), pc.me.second(w), pc.me.third(w)
	if w.Ended() && first == nil {
		return nil
	}
	rights := pc.rights(w)
	circle := func(who *int64, noun string) ui.Person {
		act, asked := rights[noun]
		claim := caseengine.Verdict{OK: asked && rights[caseengine.Claim].OK}
		return pc.Circle(who, act, claim, w.Claim)
	}
	people := []ui.Person{circle(first, nounApprove), circle(second, nounConfirm)}
	if third != nil || w.State == withdrawal.Approved2 || second == nil && (w.Amount > pc.above || pc.me.approvals[w.ID].People > 2) {
		people = append(people, circle(third, nounThird))
	}
	return people
}

// target is how many hours the current step may take.
func target(w withdrawal.Withdrawal) int { return int(w.DueAt().Sub(w.MovedAt) / time.Hour) }
