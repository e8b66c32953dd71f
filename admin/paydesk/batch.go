package paydesk

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The desk of payout batches: bank transfers that one file makes, released by two people and confirmed at the bank by another than who sent the file.

const batchList = "payout-batches"

// The acts on a batch, as addresses name them.
const (
	nounRequest    = "release-request"
	nounRelease    = "release-approval"
	nounRefuse     = "release-refusal"
	nounWithdraw   = "release-withdrawal"
	nounSendBatch  = "sending"
	nounCheckBatch = "bank-check"
	nounCancel     = "cancellation"
)

var errBatchTyped = errs.Field("count", "field.number")

// batchContext is one batch with everything that a decision about it needs.
type batchContext struct {
	caseengine.PageContext
	withdrawal.Batch
	payer   withdrawal.Payer
	payouts []withdrawal.Withdrawal
	release *approval.Approval
	may     func(access.Permission) bool
	show    desk.Figures
}

// About returns the fields that every case has.
func (cc batchContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "payout_batch", Home: ui.To("/admin/{}", batchList)}
}

// blind reports whether the member is to read the batch at the bank.
func (cc batchContext) blind() bool {
	return cc.State == withdrawal.BatchSent && cc.may(access.WithdrawalConfirm) && (cc.SentBy == nil || *cc.SentBy != cc.Me)
}

// Right is the verdict on an act of the member now.
func (cc batchContext) Right(noun string) caseengine.Verdict {
	maker, checker := cc.may(access.WithdrawalApprove), cc.may(access.WithdrawalConfirm)
	out := caseengine.Rights{}
	allowed := func(noun string, may bool, refusal error) {
		if out[noun] = caseengine.No(refusal); may {
			out[noun] = caseengine.May
		}
	}
	switch cc.State {
	case withdrawal.BatchOpen:
		allowed(nounRequest, maker, errMaker)
		if maker {
			out[nounCancel] = caseengine.May
		}
	case withdrawal.BatchRequested:
		mine := cc.release != nil && cc.release.RequestedBy == cc.Me
		allowed(nounRelease, checker, errChecker)
		switch {
		case mine:
			out[nounRelease], out[nounWithdraw] = caseengine.No(approval.ErrSamePerson), caseengine.May
		case checker:
			out[nounRefuse] = caseengine.May
		}
	case withdrawal.BatchReleased:
		allowed(nounSendBatch, maker, errMaker)
	case withdrawal.BatchSent:
		allowed(nounCheckBatch, checker, errChecker)
		if cc.SentBy != nil && *cc.SentBy == cc.Me {
			out[nounCheckBatch] = caseengine.No(withdrawal.ErrSender)
		}
	}
	return out[noun]
}

func (s Services) batches() caseengine.Desk[batchContext, withdrawal.Batch] {
	return caseengine.Desk[batchContext, withdrawal.Batch]{
		List: s.batchList(), Read: s.readBatch, Item: func(cc batchContext) withdrawal.Batch { return cc.Batch }, Show: showBatch, History: batchContext.step, Actions: s.batchActions(), Extra: fileButton,
		State: withdrawal.ErrBatchState, Changed: withdrawal.ErrBatchChanged, FieldErrors: map[string]error{"payment": withdrawal.ErrPayment, "why": approval.ErrNote},
		ReadOnly: func(e audit.Entry) bool { return e.Action == "withdrawal.file_batch" },
	}
}

func (s Services) batchList() caseengine.List[withdrawal.Batch] {
	return caseengine.List[withdrawal.Batch]{
		Name: batchList, Letters: "PB-", Target: "payout_batch", Texts: "batch", Icon: ui.IconBank, View: access.StatementView, Work: access.WithdrawalWork, Audit: s.Audit,
		Tabs: []caseengine.Tab{{Label: "batch.tab.open"}, {Name: ended, Label: "batch.tab.ended", Over: true}},
		ID:   func(b withdrawal.Batch) int64 { return b.ID },
		Find: func(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []withdrawal.Batch, next caseengine.Cursor, err error) {
			list, err = s.Withdrawals.Batches(r.Context.Request().Context(), sel.Tab() == ended, after.ID, limit+1)
			if len(list) > limit {
				list, next = list[:limit], caseengine.Cursor{ID: list[limit-1].ID}
			}
			return list, next, err
		},
		Rows: func(r *desk.Request, list []withdrawal.Batch) ([]caseengine.Row, error) {
			contexts, err := s.batchContexts(r, list...)
			rows := make([]caseengine.Row, len(contexts))
			for i, cc := range contexts {
				b := cc.Batch
				rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{
					Title: b.Number(), Sub: cc.payer.Name, Text: cc.total(), Strong: true, State: cc.chip(), Note: cc.T("batch.count", "count", b.Count), People: cc.people(),
					Due: &ui.DueView{Text: cc.At(b.CreatedAt), NoIcon: true},
				}}
			}
			return rows, err
		},
	}
}

func (s Services) readBatch(r *desk.Request, id int64) (cc batchContext, err error) {
	b, err := s.Withdrawals.Batch(r.Context.Request().Context(), id)
	if err != nil {
		return cc, err
	}
	contexts, err := s.batchContexts(r, b)
	if err != nil {
		return cc, err
	}
	cc = contexts[0]
	cc.payouts, err = s.Withdrawals.Payouts(cc.Ctx, id)
	return cc, err
}

// batchContexts reads what batches that are shown together need.
func (s Services) batchContexts(r *desk.Request, list ...withdrawal.Batch) ([]batchContext, error) {
	pc := caseengine.NewPageContext(r, "case", nil, s.Texts)
	payers, err := s.Withdrawals.Payers(pc.Ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.Withdrawals.BatchApprovals(pc.Ctx, list...)
	if err != nil {
		return nil, err
	}
	out := make([]batchContext, len(list))
	var people []*int64
	for i, b := range list {
		cc := batchContext{Batch: b, payer: payerOf(payers, b.AccountID), may: r.May, show: r.Figures()}
		people = append(people, &b.CreatedBy, b.SentBy, b.ConfirmedBy)
		if a, asked := found[b.ID]; asked {
			cc.release = &a
			people = append(people, &a.RequestedBy, a.SecondBy)
		}
		out[i] = cc
	}
	if err := pc.Know(s.Staff, people...); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].PageContext = pc
	}
	return out, nil
}

// payerOf is the account that pays a batch; of one that was closed since, its number.
func payerOf(payers []withdrawal.Payer, id int) withdrawal.Payer {
	for _, p := range payers {
		if p.ID == id {
			return p
		}
	}
	return withdrawal.Payer{ID: id, Name: "BA-" + strconv.Itoa(id)}
}

func (cc batchContext) total() string {
	if cc.blind() {
		return hidden + " " + cc.payer.Currency
	}
	return cc.show.Sum(cc.Total, cc.payer.Currency)
}

var batchLooks = map[withdrawal.BatchState]ui.ChipView{
	withdrawal.BatchOpen: {Icon: ui.IconPlus}, withdrawal.BatchRequested: {Tone: ui.ToneWarning, Icon: ui.IconPeople}, withdrawal.BatchReleased: {Tone: ui.ToneInfo, Icon: ui.IconSend},
	withdrawal.BatchSent: {Tone: ui.ToneInfo, Icon: ui.IconBank}, withdrawal.BatchCompleted: {Tone: ui.ToneSuccess, Icon: ui.IconCheck}, withdrawal.BatchCancelled: {Icon: ui.IconClose},
}

func (cc batchContext) chip() *ui.ChipView {
	chip := batchLooks[cc.State]
	chip.Label = cc.T("batch.chip." + string(cc.State))
	return &chip
}

// people are who requested and who released it, then who sent the file and who read it at the bank.
func (cc batchContext) people() []ui.Person {
	none := caseengine.Verdict{}
	circle := func(who *int64, noun string) ui.Person { return cc.Circle(who, cc.Right(noun), none, staff.Claim{}) }
	switch {
	case cc.SentBy != nil:
		return []ui.Person{circle(cc.SentBy, ""), circle(cc.ConfirmedBy, nounCheckBatch)}
	case cc.release != nil:
		return []ui.Person{circle(&cc.release.RequestedBy, ""), circle(cc.release.SecondBy, nounRelease)}
	}
	return nil
}

// showBatch is the page of a batch: its sum, and its transfers.
func showBatch(cc batchContext) (caseview.Detail, error) {
	return caseview.Detail{
		Head: caseview.Head{Chips: []ui.ChipView{*cc.chip()}}, Figures: cc.figures(),
		Foot: caseview.Foot{People: cc.people(), Title: cc.T("batch.chip." + string(cc.State)), Note: cc.T("batch.foot." + string(cc.State))},
		Main: []caseview.Section{
			caseview.FactsSection(cc.T("case.facts"), cc.facts()),
			caseview.LinesSection(cc.T("batch.payouts"), "", cc.lines(), cc.noLines()),
		},
	}, nil
}

func (cc batchContext) figures() []ui.StatView {
	sum := ui.StatView{Label: cc.T("batch.total"), Value: cc.show.Amount(cc.Total), Unit: cc.payer.Currency, Main: true}
	if cc.blind() {
		sum.Value = hidden
		return []ui.StatView{sum}
	}
	return []ui.StatView{sum, {Label: cc.T("batch.transfers"), Value: strconv.Itoa(cc.Count)}}
}

func (cc batchContext) facts() []ui.Fact {
	facts := []ui.Fact{
		{Label: cc.T("withdrawal.fact.payer"), Value: cc.payer.Name + " " + ending(cc.payer), Href: ui.To("/admin/bank-accounts/{}", cc.AccountID).String()},
		{Label: cc.T("batch.fact.created"), Value: cc.Name(&cc.CreatedBy), Note: cc.At(cc.CreatedAt)},
	}
	add := func(name string, who *int64) {
		if who != nil {
			facts = append(facts, ui.Fact{Label: cc.T("batch.fact." + name), Value: cc.Name(who)})
		}
	}
	if cc.release != nil {
		add("released", cc.release.SecondBy)
	}
	add("sent", cc.SentBy)
	add("confirmed", cc.ConfirmedBy)
	if cc.Payment != nil {
		payment := ui.Fact{Label: cc.T("withdrawal.fact.payment"), Value: *cc.Payment, Ident: true}
		if cc.blind() {
			payment = ui.Fact{Label: payment.Label, Value: cc.T("withdrawal.read_at_bank"), Muted: true}
		}
		facts = append(facts, payment)
	}
	return facts
}

// noLines says why no transfers are listed.
func (cc batchContext) noLines() string {
	if cc.blind() {
		return cc.T("batch.payouts.hidden")
	}
	return cc.T("batch.payouts.none")
}

func (cc batchContext) lines() []caseview.Line {
	if cc.blind() {
		return nil
	}
	lines := make([]caseview.Line, len(cc.payouts))
	for i, w := range cc.payouts {
		lines[i] = caseview.Line{
			Day: cc.Day(w.CreatedAt), Number: w.Number(), Href: address(w.ID).String(), Amount: cc.show.Sum(w.Net(), cc.payer.Currency),
			State: cc.T("withdrawal.chip." + string(w.State)), Good: looks[w.State].Tone == ui.ToneSuccess,
		}
	}
	return lines
}

func (cc batchContext) step(e audit.Entry) ui.StepView {
	step, _ := cc.Step(batchActs, e.Action, e)
	step.Text = e.ActorName + " " + cc.T("audit."+e.Action, "target", cc.Number())
	return step
}

var batchActs = map[string]ui.StepView{
	"withdrawal.open_batch": {Icon: ui.IconPlus}, "withdrawal.request_batch": {Icon: ui.IconPeople}, "withdrawal.approve_batch": {Icon: ui.IconCheck, State: ui.StepDone},
	"withdrawal.refuse_batch": {Icon: ui.IconClose, State: ui.StepBad}, "withdrawal.withdraw_batch": {Icon: ui.IconUndo}, "withdrawal.expire_batch": {Icon: ui.IconClock},
	"withdrawal.cancel_batch": {Icon: ui.IconClose, State: ui.StepBad}, "withdrawal.file_batch": {Icon: ui.IconIn}, "withdrawal.send_batch": {Icon: ui.IconSend, State: ui.StepDone},
	"withdrawal.confirm_batch": {Icon: ui.IconDoubleCheck, State: ui.StepDone}, "withdrawal.mismatch_batch": {Icon: ui.IconWarning, State: ui.StepBad},
}

// fileButton downloads the file of a released batch.
func fileButton(cc batchContext) []ui.ButtonView {
	if cc.State != withdrawal.BatchReleased || !cc.may(access.WithdrawalApprove) {
		return nil
	}
	return []ui.ButtonView{{Label: cc.T("batch.file.open"), Icon: ui.IconIn, Href: cc.About().Below("file").String()}}
}

// batchFile answers with the file for the bank.
func (s Services) batchFile(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	file, err := s.Withdrawals.BatchFile(r.Context.Request().Context(), r.Actor(), id)
	if err != nil {
		return err
	}
	r.Response().Header().Set("Content-Disposition", `attachment; filename="`+withdrawal.BatchNumber(id)+`.xml"`)
	return r.Blob(http.StatusOK, "application/xml", file)
}

// batchActions are the dialogs in the order of their buttons, the way forward last.
func (s Services) batchActions() []caseengine.Action[batchContext] {
	code := func(_ batchContext, in caseengine.Typed) []ui.FieldView { return []ui.FieldView{in.Code} }
	payment := ui.FieldView{Name: "payment", MaxLength: 40, Required: true}
	plain := func(noun, verb string, kind ui.ButtonKind, forward bool, act func(*desk.Request, batchContext) error) caseengine.Action[batchContext] {
		return caseengine.Action[batchContext]{
			Noun: noun, Verb: verb, Permission: access.WithdrawalApprove, Kind: kind, Forward: forward,
			Dialog: func(cc batchContext, in caseengine.Typed) templ.Component {
				return cc.dialog(noun, verb, kind, in, nil)
			},
			Act: func(r *desk.Request, cc batchContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("batch." + verb + ".done"), act(r, cc)
			},
		}
	}
	stepped := func(noun, verb, key string, p access.Permission, fields []string, form func(batchContext, caseengine.Typed) []ui.FieldView, act func(*desk.Request, batchContext, map[string]string) error) caseengine.Action[batchContext] {
		return caseengine.Action[batchContext]{
			Noun: noun, Verb: verb, Permission: p, Kind: ui.Primary, Forward: true, Key: key, Fields: fields, StepUp: "withdrawal." + verb + "_batch", Check: checkTyped(fields),
			Dialog: func(cc batchContext, in caseengine.Typed) templ.Component {
				return cc.dialog(noun, verb, ui.Primary, in, append(form(cc, in), code(cc, in)...))
			},
			Act: func(r *desk.Request, cc batchContext, in caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("batch."+verb+".done", "count", cc.Count, "total", cc.show.Sum(cc.Total, cc.payer.Currency)), act(r, cc, in.Values)
			},
		}
	}
	none := func(batchContext, caseengine.Typed) []ui.FieldView { return nil }
	return []caseengine.Action[batchContext]{
		plain(nounCancel, "cancel", ui.Danger, false, func(r *desk.Request, cc batchContext) error {
			return s.Withdrawals.CancelBatch(cc.Ctx, r.Actor(), cc.ID, cc.Version)
		}),
		plain(nounWithdraw, "withdraw", ui.Danger, false, func(r *desk.Request, cc batchContext) error {
			return s.Withdrawals.DeclineBatch(cc.Ctx, r.Actor(), cc.Batch, "")
		}),
		{
			Noun: nounRefuse, Verb: "refuse", Permission: access.WithdrawalConfirm, Kind: ui.Danger, Fields: []string{"why"},
			Check: func(_ batchContext, in caseengine.Typed) error { return approval.CheckNote(in.Values["why"]) },
			Dialog: func(cc batchContext, in caseengine.Typed) templ.Component {
				return cc.dialog(nounRefuse, "refuse", ui.Danger, in, []ui.FieldView{in.Field(ui.FieldView{Name: "why", Label: cc.T("setting.field.refusal"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})})
			},
			Act: func(r *desk.Request, cc batchContext, in caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("batch.refuse.done"), s.Withdrawals.DeclineBatch(cc.Ctx, r.Actor(), cc.Batch, in.Values["why"])
			},
		},
		plain(nounRequest, "request", ui.Primary, true, func(r *desk.Request, cc batchContext) error {
			return s.Withdrawals.RequestBatch(cc.Ctx, r.Actor(), cc.ID, cc.Version)
		}),
		stepped(nounRelease, "release", "A", access.WithdrawalConfirm, nil, none, func(r *desk.Request, cc batchContext, _ map[string]string) error {
			return s.Withdrawals.ReleaseBatch(cc.Ctx, r.Actor(), cc.Batch)
		}),
		stepped(nounSendBatch, "send", "S", access.WithdrawalApprove, []string{"payment"}, func(cc batchContext, in caseengine.Typed) []ui.FieldView {
			f := payment
			f.Label, f.Hint = cc.T("batch.field.payment"), cc.T("withdrawal.field.payment.hint")
			return []ui.FieldView{in.Field(f)}
		}, func(r *desk.Request, cc batchContext, values map[string]string) error {
			return s.Withdrawals.SendBatch(cc.Ctx, r.Actor(), cc.ID, cc.Version, values["payment"])
		}),
		stepped(nounCheckBatch, "check", "A", access.WithdrawalConfirm, []string{"count", "amount", "payment"}, func(cc batchContext, in caseengine.Typed) []ui.FieldView {
			f := payment
			f.Label, f.Hint = cc.T("withdrawal.field.payment.read"), cc.T("withdrawal.field.payment.read.hint")
			return []ui.FieldView{
				in.Field(ui.FieldView{Name: "count", Label: cc.T("batch.transfers"), InputMode: "numeric", MaxLength: 4, Required: true}),
				in.Field(ui.FieldView{Name: "amount", Label: cc.T("withdrawal.field.debited"), InputMode: "decimal", Suffix: cc.payer.Currency, MaxLength: 20, Required: true}), in.Field(f),
			}
		}, s.checkBatch),
	}
}

// checkTyped refuses fields that can't be read, before the code is used up.
func checkTyped(fields []string) func(batchContext, caseengine.Typed) error {
	return func(_ batchContext, in caseengine.Typed) error {
		if slices.Contains(fields, "count") {
			_, err := readBatch(in.Values)
			return err
		}
		if slices.Contains(fields, "payment") {
			_, err := withdrawal.Withdrawal{Kind: withdrawal.ByBank}.ReadPayment(in.Values["payment"])
			return err
		}
		return nil
	}
}

// readBatch is a batch as it was read at the bank. Refusals: fields.
func readBatch(values map[string]string) (b withdrawal.BatchAtBank, err error) {
	if b.Count, err = desk.ParseCount(values["count"]); err != nil {
		return b, errBatchTyped
	}
	b.Payment = values["payment"]
	b.Total, err = desk.ReadAmount(values["amount"])
	return b, err
}

func (s Services) checkBatch(r *desk.Request, cc batchContext, values map[string]string) error {
	b, err := readBatch(values)
	if err != nil {
		return err
	}
	return s.Withdrawals.ConfirmBatch(cc.Ctx, r.Actor(), cc.ID, cc.Version, b)
}

// dialog is a decision about the batch.
func (cc batchContext) dialog(noun, verb string, kind ui.ButtonKind, in caseengine.Typed, fields []ui.FieldView) templ.Component {
	frame := caseengine.Frame(cc, noun, "batch."+verb, kind, "total", cc.total(), "count", cc.Count)
	frame.Act.Busy = cc.T("act.busy")
	view := caseview.Dialog{Frame: frame, Alert: in.Alert, Figures: cc.figures(), Facts: cc.facts(), Fields: fields}
	if people := cc.people(); len(people) > 0 && kind == ui.Primary {
		view.People, view.Two = people, cc.T("batch.two")
	}
	return caseview.Decide(view)
}
