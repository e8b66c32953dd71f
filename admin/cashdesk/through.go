package cashdesk

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/provider"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// What comes through a provider is credited by its signed answer alone. People decide only about an amount that was not asked for, by two, and reject what the
// provider says came to nothing.

// through adds to the rights on a claim what may be decided about a deposit of a provider.
func through(d deposit.Deposit, out casework.Rights, acting casework.Verdict) casework.Rights {
	out[nounReject] = acting
	if acting.OK && !d.Refusable() {
		out[nounReject] = casework.No(deposit.ErrStillOpen)
	}
	switch d.State {
	case deposit.Approved:
		out[nounConfirm] = acting
	case deposit.InReview:
		out[nounApprove] = acting
	}
	return out
}

// askProvider asks the provider, or the custodian, how the deposit stands: safe at any time.
func (s Services) askProvider(r *desk.Request) error {
	cases := s.cases()
	m, err := cases.Named(r)
	if err != nil {
		return err
	}
	if _, err := s.Deposits.AskNow(m.Ctx, by(r), m.ID); err != nil {
		return cases.Refuse(r, m.ID, err)
	}
	return cases.Answers.Done(r, m, casework.Said("deposit.flash.asked_provider"))
}

// askButton asks the provider, where there is one to ask.
func (sc scene) askButton(d deposit.Deposit) *ui.ButtonView {
	if !d.Askable() || !sc.me.work {
		return nil
	}
	return &ui.ButtonView{Label: sc.T("deposit.ask_provider"), Busy: sc.T("deposit.ask_provider.busy"), HX: ui.HX{Post: below(d.ID, "provider"), Target: ui.At(key(d.ID)), Swap: ui.SwapWhole}}
}

// accept is the maker's decision about an amount that was not asked for: it is typed as the provider names it.
func (s Services) accept(r *desk.Request, m matter, in casework.Typed) (said casework.Flash, err error) {
	received, err := readAnswer(in.Words)
	if err != nil {
		return said, err
	}
	_, err = s.Deposits.Accept(m.Ctx, by(r), m.ID, m.Version, received)
	return casework.Said("deposit.flash.first"), err
}

// readAnswer reads an amount as a provider names it.
func readAnswer(words map[string]string) (int64, error) {
	received, err := money.Parse(strings.TrimSpace(words["received"]), money.Scale)
	if err != nil {
		return 0, errs.Field("received", "field.amount")
	}
	return received, nil
}

func acceptDialog(m matter, in casework.Typed) templ.Component {
	received := m.Amount
	if m.Received != nil {
		received = *m.Received
	}
	if in.Alert == nil && received != m.Amount {
		in.Alert = &ui.AlertView{
			Tone: ui.ToneWarning, Title: m.T("deposit.differs.title", "difference", ui.Signed(received-m.Amount), "currency", m.Currency), Text: m.T("deposit.differs.through"),
		}
	}
	act := ui.ButtonView{Label: m.T("deposit.approve.act", "amount", amount(received, m.Currency)), Kind: ui.Primary, Busy: m.T("deposit.approve.busy")}
	return caseview.Decide(caseview.Dialog{
		Frame: m.frame(nounApprove, m.T("deposit.approve.title", "number", m.Number()), m.T("deposit.approve.note.through"), act),
		Alert: in.Alert,
		Figures: []ui.StatView{
			{Label: m.T("deposit.received"), Value: ui.Amount(received), Unit: m.Currency, Main: true},
			{Label: m.T("deposit.says"), Value: amount(m.Amount, m.Currency)},
			m.fee(m.Deposit, received),
			{Label: m.T("deposit.credit.will"), Value: credit(m.Net(received))},
		},
		Facts: m.checked(), Two: m.T("deposit.two.two"), People: []ui.Person{m.Open(true), m.Open(false)},
		Fields: []ui.FieldView{in.Field(ui.FieldView{
			Name: "received", Label: m.T("deposit.field.received"), Hint: m.T(m.receivedHint()), Suffix: m.Currency, InputMode: "decimal", MaxLength: 24, Required: true,
		}), m.CodeField(in)},
	})
}

// matchAnswer lays what was asked for beside what the provider says.
func (m matter) matchAnswer() []cashview.MatchLine {
	asked, currency := m.toPay()
	sum := cashview.MatchLine{Label: m.T("deposit.match.amount"), Trader: amount(asked, currency), Desk: m.T("deposit.match.unheard"), Pending: true}
	state := cashview.MatchLine{Label: m.T("deposit.match.state"), Trader: m.T("deposit.chip." + string(m.State)), Desk: m.T("deposit.match.unheard"), Pending: true}
	if m.SaidState == "" {
		return []cashview.MatchLine{sum, state}
	}
	state.Desk, state.Pending, state.Verdict = m.said(), false, cashview.Look
	sum.Desk, sum.Pending = strings.TrimSpace(m.SaidAmount+" "+m.SaidCurrency), false
	if sum.Desk == "" {
		sum.Desk = m.T("deposit.match.unheard")
	}
	if m.SaidState == provider.Paid {
		state.Verdict, sum.Verdict = cashview.Agrees, cashview.Wrong
		paid, err := money.Parse(m.SaidAmount, money.Scale)
		if err == nil && paid == asked && m.SaidCurrency == currency {
			sum.Verdict = cashview.Agrees
		}
	}
	return []cashview.MatchLine{sum, state}
}

// toPay is what the trader was asked to pay: over the counter what the offer names.
func (m matter) toPay() (sum int64, currency string) {
	if m.Offered() {
		return m.OfferAmount, m.OfferCurrency
	}
	return m.Amount, m.Currency
}

// receivedHint says where the amount is read that the maker types.
func (m matter) receivedHint() string {
	if m.Offered() {
		return "deposit.field.received.offer"
	}
	return "deposit.field.received.through"
}

// offer is what the merchant wanted, and whether the trader agreed to it.
func (m matter) offer() ui.Fact {
	fact := ui.Fact{Label: m.T("deposit.fact.offer"), Value: amount(m.OfferAmount, m.OfferCurrency)}
	rate := money.Trim(m.OfferRate, money.Scale) + " " + m.OfferCurrency + "/" + m.Currency
	if m.AgreedAt == nil {
		fact.Note = m.T("deposit.fact.offer.open", "rate", rate)
	} else {
		fact.Note = m.T("deposit.fact.offer.agreed", "rate", rate, "at", m.At(*m.AgreedAt))
	}
	return fact
}

// saidStates are the answers that have words; another one is shown as it came.
var saidStates = []string{
	provider.Pending, provider.Paid, provider.Failed, provider.Expired, provider.Disputed, provider.Cancelled, provider.ChargedBack, "absent", "refused",
}

func (m matter) said() string { return m.saidWords(m.SaidState) }

func (sc scene) saidWords(state string) string {
	if !slices.Contains(saidStates, state) {
		return state
	}
	return sc.T("deposit.said." + state)
}

// answered is the provider and what it said last.
func (m matter) answered() []ui.Fact {
	last := ui.Fact{Label: m.T("deposit.fact.said"), Value: m.T("deposit.match.unheard"), Muted: true}
	if m.SaidState != "" {
		last = ui.Fact{Label: m.T("deposit.fact.said"), Value: m.said(), Note: strings.TrimSpace(m.SaidAmount + " " + m.SaidCurrency)}
	}
	if m.AskedAt != nil {
		last.Note = strings.TrimPrefix(last.Note+", "+m.T("deposit.fact.asked_at", "at", m.At(*m.AskedAt)), ", ")
	}
	facts := []ui.Fact{{Label: m.T("deposit.fact.provider"), Value: m.Provider, Note: m.Channel.Name}, last}
	if m.Offered() {
		facts = append(facts, m.offer())
	}
	return facts
}

// throughFacts are what is known of a deposit of a provider.
func (m matter) throughFacts() []ui.Fact {
	facts := append(m.identity(), m.answered()...)
	facts = append(facts, ui.Fact{Label: m.T("deposit.fact.created"), Value: m.At(m.CreatedAt)})
	add := func(label, value, note string) {
		if value != "" {
			facts = append(facts, ui.Fact{Label: m.T(label), Value: value, Note: note})
		}
	}
	add("deposit.fact.expires", m.moment(m.ExpiresAt), "")
	add("deposit.fact.merchant", m.Merchant, strings.Trim(m.MerchantBank+", "+m.MerchantAccount, ", "))
	add("deposit.fact.appeal", m.Appeal, "")
	for _, e := range m.Told {
		outcome := m.T("deposit.event_open")
		if e.Outcome != "" {
			outcome = e.Outcome
		}
		add("deposit.fact.event", m.saidWords(e.State)+", "+e.Amount+" "+e.Currency, e.Message.Event+", "+m.At(e.At)+": "+outcome)
	}
	return append(facts, m.goneFacts()...)
}

func (m matter) moment(at *time.Time) string {
	if at == nil {
		return ""
	}
	return m.At(*at)
}

// ways are the tabs: one for banks alone, else all and each, and what has ended.
func (s Services) ways(r *desk.Request, n narrowing, all ui.TabView) ([]ui.TabView, error) {
	over := ui.TabView{Label: r.Word("deposit.tab.ended"), Href: n.tab("", true).on(home).String(), Current: n.ended, EndSide: true}
	list, err := s.Deposits.Kinds(r.Context.Request().Context())
	if err != nil || len(list) < 2 {
		return []ui.TabView{all, over}, err
	}
	all.Label = r.Word("deposit.tab.all")
	tabs := []ui.TabView{all}
	for _, kind := range list {
		tabs = append(tabs, ui.TabView{Label: r.Word("deposit.tab." + kind), Href: n.tab(kind, false).on(home).String(), Current: !n.ended && n.kind == kind})
	}
	return append(tabs, over), nil
}
