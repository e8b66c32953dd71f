package cashdesk

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts on crypto deposits that wait for a decision, and on credited deposits that are gone, as addresses name them. Each takes two people: the first one
// proposes, the second one agrees.
const (
	nounCredit  = "credit"
	nounRefund  = "refund"
	nounReverse = "reversal"
	nounAgree   = "agreement"
	nounRecall  = "recall"
)

// twoPersonActions are the actions that always take two people.
func (s Services) twoPersonActions() []caseengine.Action[caseContext] {
	return []caseengine.Action[caseContext]{
		s.first(nounCredit, access.DepositDecide, "deposit.flash.first", func(r *desk.Request, cc caseContext, _ caseengine.Typed) error {
			_, err := s.Deposits.ApproveUnderReview(cc.Ctx, r.Actor(), cc.ID, cc.Version)
			return err
		}),
		s.first(nounRefund, access.DepositDecide, "deposit.flash.first", func(r *desk.Request, cc caseContext, in caseengine.Typed) error {
			_, err := s.Deposits.Refund(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["bankReference"])
			return err
		}, "bankReference"),
		s.first(nounReverse, access.DepositDecide, "deposit.flash.first", func(r *desk.Request, cc caseContext, in caseengine.Typed) error {
			_, err := s.Deposits.RequestReversal(cc.Ctx, r.Actor(), cc.ID, cc.Version, in.Values["reason"])
			return err
		}, "reason"),
		s.first(nounAgree, access.DepositConfirm, "deposit.flash.agreed", s.agree),
		s.first(nounRecall, access.DepositRefuse, "deposit.flash.recalled", s.recall),
	}
}

// first is one of these actions. Its noun is also the verb of its texts.
func (s Services) first(noun string, p access.Permission, flash string, act func(*desk.Request, caseContext, caseengine.Typed) error, fields ...string) caseengine.Action[caseContext] {
	forward := noun == nounCredit || noun == nounAgree
	kind := map[string]ui.ButtonKind{nounReverse: ui.Danger, nounCredit: ui.Primary, nounAgree: ui.Primary}[noun]
	return caseengine.Action[caseContext]{
		Noun: noun, Verb: noun, Permission: p, Kind: kind, Forward: forward, Fields: fields, StepUp: stepUp(noun), Amount: caseContext.dollars,
		Dialog: func(cc caseContext, in caseengine.Typed) templ.Component {
			return twoPersonDialog(cc, in, noun, fields)
		},
		Act: func(r *desk.Request, cc caseContext, in caseengine.Typed) (caseengine.Flash, error) {
			return caseengine.NewFlash(flash), act(r, cc, in)
		},
	}
}

// stepUp names the act that requires a code: every act except the recall of a first half.
func stepUp(noun string) string {
	if noun == nounRecall {
		return ""
	}
	return "deposit." + noun
}

// agree is the second person's agreement to the first one's proposal.
func (s Services) agree(r *desk.Request, cc caseContext, _ caseengine.Typed) (err error) {
	switch {
	case cc.Missing():
		_, err = s.Deposits.ApproveReversal(cc.Ctx, r.Actor(), cc.ID, cc.Version)
	case cc.State == deposit.Refunding:
		_, err = s.Deposits.ConfirmRefund(cc.Ctx, r.Actor(), cc.ID, cc.Version)
	default:
		_, err = s.Deposits.ConfirmUnderReview(cc.Ctx, r.Actor(), cc.ID, cc.Version)
	}
	return err
}

// recall withdraws or refuses the first half.
func (s Services) recall(r *desk.Request, cc caseContext, _ caseengine.Typed) (err error) {
	if cc.Missing() {
		_, err = s.Deposits.RefuseReversal(cc.Ctx, r.Actor(), cc.ID, cc.Version)
	} else {
		_, err = s.Deposits.RecallUnderReview(cc.Ctx, r.Actor(), cc.ID, cc.Version)
	}
	return err
}

// twoPersonRights are the rights on a deposit that takes two people.
func (m viewer) twoPersonRights(d deposit.Deposit) caseengine.Rights {
	first, acting := d.MakerID, m.first()
	if d.Missing() {
		first = nil
		if a, requested := m.reversals[d.ID]; requested {
			first = &a.RequestedBy
		}
	}
	switch {
	case first != nil:
		return caseengine.Rights{nounAgree: m.agreeing(*first), nounRecall: m.recalling()}
	case d.Missing():
		return caseengine.Rights{nounReverse: acting}
	case d.State == deposit.WrongAsset || d.Amount == 0:
		return caseengine.Rights{nounRefund: acting}
	}
	return caseengine.Rights{nounCredit: acting, nounRefund: acting}
}

// recalling allows every member who may refuse: the first person withdraws the own half, the second person refuses it.
func (m viewer) recalling() caseengine.Verdict {
	if !m.refuse {
		return caseengine.No(errRole)
	}
	return caseengine.May
}

func (m viewer) agreeing(first int64) caseengine.Verdict {
	switch {
	case !m.work:
		return caseengine.No(errRole)
	case first == m.id:
		return caseengine.No(deposit.ErrSelf)
	case !m.confirm:
		return caseengine.No(errChecker)
	}
	return caseengine.May
}

// proposal names the proposal that the second person agrees to.
func (cc caseContext) proposal() string {
	switch {
	case cc.Missing():
		return nounReverse
	case cc.State == deposit.Refunding:
		return nounRefund
	}
	return nounCredit
}

func twoPersonDialog(cc caseContext, in caseengine.Typed, noun string, fields []string) templ.Component {
	textKey := "deposit." + noun
	if noun == nounAgree {
		textKey = "deposit." + cc.proposal() + ".agree"
	}
	kind := ui.Primary
	if noun == nounReverse || cc.Missing() && noun == nounAgree {
		kind = ui.Danger
	}
	sum, figure := cc.Amount, cc.announced()
	if cc.Missing() { // what was credited is taken back
		sum = *cc.Received
		figure.Label, figure.Value = cc.T("deposit.received"), ui.Amount(sum)
	}
	frame := caseengine.Frame(cc, noun, textKey, kind, "amount", credit(cc.Net(sum)))
	frame.Act.Busy = cc.T("deposit.pair.busy")
	view := caseview.Dialog{
		Frame: frame, Alert: in.Alert, Figures: []ui.StatView{figure}, Facts: append(cc.identity(), cc.cryptoFacts()...),
	}
	for _, name := range fields {
		key := "deposit.pair." + strings.ToLower(name)
		f := ui.FieldView{Name: name, Label: cc.T(key), Hint: cc.T(key + ".hint"), Required: true}
		if name == "reason" {
			f.Rows, f.MaxLength, f.StaffOnly = 3, 500, true
		}
		view.Fields = append(view.Fields, in.Field(f))
	}
	if stepUp(noun) != "" {
		view.Fields = append(view.Fields, in.Code)
	}
	return caseview.Decide(view)
}

// cryptoFacts are the facts of a crypto deposit.
func (cc caseContext) cryptoFacts() (facts []ui.Fact) {
	add := func(set bool, key, value string) {
		if set {
			facts = append(facts, ui.Fact{Label: cc.T("deposit.fact." + key), Value: value, Ident: key == "hash" || key == "custodian"})
		}
	}
	isCrypto := cc.Kind == deposit.Crypto
	add(isCrypto, "coin", cc.Coin+" · "+cc.Chain)
	add(isCrypto, "confirmations", fmt.Sprintf("%d/%d", cc.Confirmations, cc.Required))
	add(cc.TxHash != "", "hash", fours(cc.TxHash))
	add(isCrypto && cc.Provider != "", "custodian", cc.Provider)
	if isCrypto {
		facts = append(facts, cc.Screening())
	}
	add(cc.Dust != "", "dust", cc.Dust)
	add(cc.Deposit.UnderReview() && cc.BankReference != nil, "refund", deref(cc.BankReference))
	return append(facts, cc.reversalFacts()...)
}

// reversalFacts are the facts of a credit that is to be reversed, or was.
func (cc caseContext) reversalFacts() (facts []ui.Fact) {
	add := func(set bool, key, value string) {
		if set {
			facts = append(facts, ui.Fact{Label: cc.T("deposit.fact." + key), Value: value})
		}
	}
	add(cc.GoneAt != nil, "gone", cc.At(deref(cc.GoneAt)))
	if a, requested := cc.me.reversals[cc.ID]; requested {
		add(true, "reversed_by", cc.Name(&a.RequestedBy))
		add(a.SecondBy != nil, "reversal_checker", cc.Name(a.SecondBy))
		add(true, "reversal_reason", a.Note)
	}
	return facts
}

// deref is the value behind a pointer; the zero value for nil.
func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
