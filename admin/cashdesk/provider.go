package cashdesk

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/provider"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// A provider deposit is credited by its signed answer alone. People decide only about an amount that differs from the requested one, by two, and reject
// deposits that the provider reports as failed.

// providerRights adds the decisions on a provider deposit to the rights on a claim.
func providerRights(d deposit.Deposit, out caseengine.Rights, acting caseengine.Verdict) caseengine.Rights {
	out[nounReject] = acting
	if acting.OK && !d.Refusable() {
		out[nounReject] = caseengine.No(deposit.ErrStillOpen)
	}
	switch d.State {
	case deposit.Approved:
		out[nounConfirm] = acting
	case deposit.InReview:
		out[nounApprove] = acting
	}
	return out
}

// askProvider asks the provider, or the custodian, for the deposit's state: safe at any time.
func (s Services) askProvider(r *desk.Request) error {
	cases := s.desk()
	cc, err := cases.Named(r)
	if err != nil {
		return err
	}
	if _, err := s.Deposits.AskNow(cc.Ctx, r.Actor(), cc.ID); err != nil {
		return cases.Refuse(r, cc.ID, err)
	}
	return cases.Done(r, cc, caseengine.NewFlash("deposit.flash.asked_provider"))
}

// askButton asks the provider; none if there is none to ask.
func askButton(cc caseContext) []ui.ButtonView {
	if !cc.Askable() || !cc.me.work {
		return nil
	}
	about := cc.About()
	return []ui.ButtonView{{Label: cc.T("deposit.ask_provider"), Busy: cc.T("deposit.ask_provider.busy"), HX: ui.HX{Post: about.Below("provider"), Target: ui.At(about.Key()), Swap: ui.SwapWhole}}}
}

// accept is the maker's decision on an amount that differs from the requested one: they type it as in the provider's answer.
func (s Services) accept(r *desk.Request, cc caseContext, in caseengine.Typed) (flash caseengine.Flash, err error) {
	received, err := readAnswer(in.Values)
	if err != nil {
		return flash, err
	}
	_, err = s.Deposits.Accept(cc.Ctx, r.Actor(), cc.ID, cc.Version, received)
	return caseengine.NewFlash("deposit.flash.first"), err
}

// readAnswer reads an amount in a provider's notation.
func readAnswer(values map[string]string) (int64, error) {
	received, err := money.Parse(strings.TrimSpace(values["received"]), money.Scale)
	if err != nil {
		return 0, errs.Field("received", "field.amount")
	}
	return received, nil
}

func acceptDialog(cc caseContext, in caseengine.Typed) templ.Component {
	received := cc.Amount
	if cc.Received != nil {
		received = *cc.Received
	}
	if in.Alert == nil && received != cc.Amount {
		in.Alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: cc.T("deposit.differs.title", "difference", ui.Signed(received-cc.Amount), "currency", cc.Currency), Text: cc.T("deposit.differs.through"),
		}
	}
	frame := caseengine.Frame(cc, nounApprove, "deposit.approve", ui.Primary, "amount", amount(received, cc.Currency))
	frame.Note = cc.T("deposit.approve.note.through")
	return caseview.Decide(caseview.Dialog{
		Frame: frame, Alert: in.Alert,
		Figures: []ui.StatView{
			{Label: cc.T("deposit.received"), Value: ui.Amount(received), Unit: cc.Currency, Main: true},
			{Label: cc.T("deposit.says"), Value: amount(cc.Amount, cc.Currency)},
			cc.fee(cc.Deposit, received),
			{Label: cc.T("deposit.credit.will"), Value: credit(cc.Net(received))},
		},
		Facts: cc.checked(), Two: cc.T("deposit.two.two"), People: []ui.Person{cc.Open(true), cc.Open(false)},
		Fields: []ui.FieldView{in.Field(ui.FieldView{
			Name: "received", Label: cc.T("deposit.field.received"), Hint: cc.T(cc.receivedHint()), Suffix: cc.Currency, InputMode: "decimal", MaxLength: 24, Required: true,
		}), in.Code},
	})
}

// matchAnswer compares the requested payment with the provider's answer.
func (cc caseContext) matchAnswer() []cashview.MatchLine {
	asked, currency := cc.requested()
	sum := cashview.MatchLine{Label: cc.T("deposit.match.amount"), Trader: amount(asked, currency), Desk: cc.T("deposit.match.unheard"), Pending: true}
	state := cashview.MatchLine{Label: cc.T("deposit.match.state"), Trader: cc.T("deposit.chip." + string(cc.State)), Desk: cc.T("deposit.match.unheard"), Pending: true}
	if cc.SaidState == "" {
		return []cashview.MatchLine{sum, state}
	}
	state.Desk, state.Pending, state.Verdict = cc.lastAnswer(), false, cashview.Look
	sum.Desk, sum.Pending = strings.TrimSpace(cc.SaidAmount+" "+cc.SaidCurrency), false
	if sum.Desk == "" {
		sum.Desk = cc.T("deposit.match.unheard")
	}
	if cc.SaidState == provider.Paid {
		state.Verdict, sum.Verdict = cashview.Agrees, cashview.Wrong
		paid, err := money.Parse(cc.SaidAmount, money.Scale)
		if err == nil && paid == asked && cc.SaidCurrency == currency {
			sum.Verdict = cashview.Agrees
		}
	}
	return []cashview.MatchLine{sum, state}
}

// requested is the amount that the trader was asked to pay: over the counter, the offer's.
func (cc caseContext) requested() (sum int64, currency string) {
	if cc.Offered() {
		return cc.OfferAmount, cc.OfferCurrency
	}
	return cc.Amount, cc.Currency
}

// receivedHint is the key of the hint where to read the amount that the maker types.
func (cc caseContext) receivedHint() string {
	if cc.Offered() {
		return "deposit.field.received.offer"
	}
	return "deposit.field.received.through"
}

// offer is the merchant's offer, and whether the trader agreed to it.
func (cc caseContext) offer() ui.Fact {
	fact := ui.Fact{Label: cc.T("deposit.fact.offer"), Value: amount(cc.OfferAmount, cc.OfferCurrency)}
	rate := money.Trim(cc.OfferRate, money.Scale) + " " + cc.OfferCurrency + "/" + cc.Currency
	if cc.AgreedAt == nil {
		fact.Note = cc.T("deposit.fact.offer.open", "rate", rate)
	} else {
		fact.Note = cc.T("deposit.fact.offer.agreed", "rate", rate, "at", cc.At(*cc.AgreedAt))
	}
	return fact
}

// answerStates are the provider's states that have a text; others are shown as received.
var answerStates = []string{
	provider.Pending, provider.Paid, provider.Failed, provider.Expired, provider.Disputed, provider.Cancelled, provider.ChargedBack, "absent", "refused",
}

func (cc caseContext) lastAnswer() string { return cc.answerText(cc.SaidState) }

func (pc pageContext) answerText(state string) string {
	if !slices.Contains(answerStates, state) {
		return state
	}
	return pc.T("deposit.said." + state)
}

// answerFacts is the provider and its last answer.
func (cc caseContext) answerFacts() []ui.Fact {
	last := ui.Fact{Label: cc.T("deposit.fact.said"), Value: cc.T("deposit.match.unheard"), Muted: true}
	if cc.SaidState != "" {
		last = ui.Fact{Label: cc.T("deposit.fact.said"), Value: cc.lastAnswer(), Note: strings.TrimSpace(cc.SaidAmount + " " + cc.SaidCurrency)}
	}
	if cc.AskedAt != nil {
		last.Note = strings.TrimPrefix(last.Note+", "+cc.T("deposit.fact.asked_at", "at", cc.At(*cc.AskedAt)), ", ")
	}
	facts := []ui.Fact{{Label: cc.T("deposit.fact.provider"), Value: cc.Provider, Note: cc.Channel.Name}, last}
	if cc.Offered() {
		facts = append(facts, cc.offer())
	}
	return facts
}

// providerFacts are the facts of a provider deposit.
func (cc caseContext) providerFacts() []ui.Fact {
	facts := append(cc.identity(), cc.answerFacts()...)
	facts = append(facts, ui.Fact{Label: cc.T("deposit.fact.created"), Value: cc.At(cc.CreatedAt)})
	add := func(label, value, note string) {
		if value != "" {
			facts = append(facts, ui.Fact{Label: cc.T(label), Value: value, Note: note})
		}
	}
	add("deposit.fact.expires", cc.moment(cc.ExpiresAt), "")
	add("deposit.fact.merchant", cc.Merchant, strings.Trim(cc.MerchantBank+", "+cc.MerchantAccount, ", "))
	add("deposit.fact.appeal", cc.Appeal, "")
	for _, e := range cc.Events {
		outcome := cc.T("deposit.event_open")
		if e.Outcome != "" {
			outcome = e.Outcome
		}
		add("deposit.fact.event", cc.answerText(e.State)+", "+e.Amount+" "+e.Currency, e.Message.Event+", "+cc.At(e.At)+": "+outcome)
	}
	return append(facts, cc.reversalFacts()...)
}

func (cc caseContext) moment(at *time.Time) string {
	if at == nil {
		return ""
	}
	return cc.At(*at)
}
