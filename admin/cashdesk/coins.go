package cashdesk

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/deposit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts on coins that wait, and on a credited deposit that is gone, as addresses name them. Each takes two people: the first says what, the second agrees.
const (
	nounCredit  = "credit"
	nounRefund  = "refund"
	nounReverse = "reversal"
	nounAgree   = "agreement"
	nounRecall  = "recall"
)

// graver is a decision with the permission that its routes ask for.
type graver struct {
	casework.Decision[matter]
	permission access.Permission
}

// pairs are the decisions that always take two people.
func (s Services) pairs() []graver {
	return []graver{
		{s.first(nounCredit, "deposit.flash.first", func(r *desk.Request, m matter, _ casework.Typed) error {
			_, err := s.Deposits.CreditHeld(m.Ctx, by(r), m.ID, m.Version)
			return err
		}), access.DepositDecide},
		{s.first(nounRefund, "deposit.flash.first", func(r *desk.Request, m matter, in casework.Typed) error {
			_, err := s.Deposits.Refund(m.Ctx, by(r), m.ID, m.Version, in.Words["bankReference"])
			return err
		}, "bankReference"), access.DepositDecide},
		{s.first(nounReverse, "deposit.flash.first", func(r *desk.Request, m matter, in casework.Typed) error {
			_, err := s.Deposits.AskReversal(m.Ctx, by(r), m.ID, m.Version, in.Words["reason"])
			return err
		}, "reason"), access.DepositDecide},
		{s.first(nounAgree, "deposit.flash.agreed", s.agree), access.DepositConfirm},
		{s.first(nounRecall, "deposit.flash.recalled", s.recall), access.DepositRefuse},
	}
}

func (s Services) first(noun, said string, act func(*desk.Request, matter, casework.Typed) error, fields ...string) casework.Decision[matter] {
	return casework.Decision[matter]{
		Noun: noun, Fields: fields, StepUp: stepUp(noun),
		Dialog: func(m matter, in casework.Typed) templ.Component { return pairDialog(m, in, noun, fields) },
		Act: func(r *desk.Request, m matter, in casework.Typed) (casework.Flash, error) {
			return casework.Said(said), act(r, m, in)
		},
	}
}

// stepUp names the act that a code is asked for: every one but the first person's half being taken back.
func stepUp(noun string) string {
	if noun == nounRecall {
		return ""
	}
	return "deposit." + noun
}

// agree is the second person's half of whatever the first one has asked for.
func (s Services) agree(r *desk.Request, m matter, _ casework.Typed) (err error) {
	switch {
	case m.Gone():
		_, err = s.Deposits.ConfirmReversal(m.Ctx, by(r), m.ID, m.Version)
	case m.State == deposit.Refunding:
		_, err = s.Deposits.ConfirmRefund(m.Ctx, by(r), m.ID, m.Version)
	default:
		_, err = s.Deposits.ConfirmHeld(m.Ctx, by(r), m.ID, m.Version)
	}
	return err
}

// recall takes the first half back.
func (s Services) recall(r *desk.Request, m matter, _ casework.Typed) (err error) {
	if m.Gone() {
		_, err = s.Deposits.RefuseReversal(m.Ctx, by(r), m.ID, m.Version)
	} else {
		_, err = s.Deposits.RefuseHeld(m.Ctx, by(r), m.ID, m.Version)
	}
	return err
}

// pairRights are what a member may do where two people are needed.
func (m member) pairRights(d deposit.Deposit) casework.Rights {
	first, acting := d.MakerID, m.first()
	if d.Gone() {
		first = d.ReversedBy
	}
	switch {
	case first != nil:
		return casework.Rights{nounAgree: m.agreeing(*first), nounRecall: m.recalling()}
	case d.Gone():
		return casework.Rights{nounReverse: acting}
	case d.State == deposit.WrongAsset || d.Amount == 0:
		return casework.Rights{nounRefund: acting}
	}
	return casework.Rights{nounCredit: acting, nounRefund: acting}
}

// recalling is for whoever works here: the first person takes the own half back, and the second one refuses it.
func (m member) recalling() casework.Verdict {
	if !m.refuse {
		return casework.No(errRole)
	}
	return casework.May
}

func (m member) agreeing(first int64) casework.Verdict {
	switch {
	case !m.work:
		return casework.No(errRole)
	case first == m.id:
		return casework.No(deposit.ErrSelf)
	case !m.confirm:
		return casework.No(errChecker)
	}
	return casework.May
}

// asked is what the second person agrees to, as the words name it.
func (m matter) asked() string {
	switch {
	case m.Gone():
		return nounReverse
	case m.State == deposit.Refunding:
		return nounRefund
	}
	return nounCredit
}

func pairDialog(m matter, in casework.Typed, noun string, fields []string) templ.Component {
	words := "deposit." + noun
	if noun == nounAgree {
		words = "deposit." + m.asked() + ".agree"
	}
	kind := ui.Primary
	if noun == nounReverse || m.Gone() && noun == nounAgree {
		kind = ui.Danger
	}
	view := caseview.Dialog{
		Frame: m.frame(noun, m.T(words+".title", "number", m.Number()), m.T(words+".note"), ui.ButtonView{Label: m.T(words+".act", "amount", credit(m.Net(m.Amount))), Kind: kind, Busy: m.T("deposit.pair.busy")}),
		Alert: in.Alert, Figures: []ui.StatView{m.announced()}, Facts: append(m.identity(), m.coinFacts()...),
	}
	for _, name := range fields {
		key := "deposit.pair." + strings.ToLower(name)
		f := ui.FieldView{Name: name, Label: m.T(key), Hint: m.T(key + ".hint"), Required: true}
		if name == "reason" {
			f.Rows, f.MaxLength, f.StaffOnly = 3, 500, true
		}
		view.Fields = append(view.Fields, in.Field(f))
	}
	if stepUp(noun) != "" {
		view.Fields = append(view.Fields, m.CodeField(in))
	}
	return caseview.Decide(view)
}

// coinFacts are what is known of coins.
func (m matter) coinFacts() (facts []ui.Fact) {
	add := func(set bool, key, value string) {
		if set {
			facts = append(facts, ui.Fact{Label: m.T("deposit.fact." + key), Value: value, Ident: key == "hash" || key == "custodian"})
		}
	}
	coins := m.Kind == deposit.OnChain
	add(coins, "coin", m.Coin+" · "+m.Chain)
	add(coins, "confirmations", fmt.Sprintf("%d/%d", m.Confirmations, m.Required))
	add(m.TxHash != "", "hash", fours(m.TxHash))
	add(coins && m.Provider != "", "custodian", m.Provider)
	if coins {
		facts = append(facts, m.Screening())
	}
	add(m.Dust != "", "dust", m.Dust)
	add(m.Deposit.Held() && m.BankReference != nil, "refund", pointed(m.BankReference))
	return append(facts, m.goneFacts()...)
}

// goneFacts are what is known of a credit that is to be reversed, or was.
func (m matter) goneFacts() (facts []ui.Fact) {
	add := func(set bool, key, value string) {
		if set {
			facts = append(facts, ui.Fact{Label: m.T("deposit.fact." + key), Value: value})
		}
	}
	add(m.GoneAt != nil, "gone", m.At(pointed(m.GoneAt)))
	add(m.ReversedBy != nil, "reversed_by", m.Name(m.ReversedBy))
	add(m.ReversalChecker != nil, "reversal_checker", m.Name(m.ReversalChecker))
	add(m.ReversalReason != "", "reversal_reason", m.ReversalReason)
	return facts
}

// pointed is what a pointer leads to; the zero value where it leads nowhere.
func pointed[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
