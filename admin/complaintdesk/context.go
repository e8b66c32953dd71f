package complaintdesk

import (
	"encoding/hex"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/complaint"
	"candor/app/platform/errs"
	"candor/app/staff/member"
	"candor/templates/ui"
)

// The acts, as addresses name them.
const (
	nounAcknowledge = "acknowledgement"
	nounInvestigate = "investigation"
	nounExtend      = "extension"
	nounAnswer      = "answer"
	nounWithdraw    = "withdrawal"
	nounRefuse      = "refusal"
	nounAgree       = "agreement"
	nounClose       = "closing"
)

// Refusals of the desk, in addition to those of the register and of the approval.
var (
	errHandle  = errs.New(errs.Forbidden, "complaint.role_handle")
	errConfirm = errs.New(errs.Forbidden, "complaint.role_confirm")
)

// pageContext is the context of a page about complaints.
type pageContext struct {
	caseengine.PageContext
	may       func(access.Permission) bool
	figures   desk.Figures
	conflicts map[int64]error // conflicts of interest, by trader
	withheld  map[int64]bool  // traders with closed accounts, whose complaints the member does not read
}

// caseContext is one complaint with what its trader was told, and with the answer that was proposed.
type caseContext struct {
	pageContext
	complaint.Complaint
	told     []complaint.Told
	asked    approval.Approval
	proposed complaint.Answer
	waits    bool // for the second person
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "complaint", Home: home, Facts: hex.EncodeToString(cc.asked.Facts)}
}

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	ctx := ctxOf(r)
	if cc.Complaint, err = s.Complaints.Read(ctx, id); err != nil {
		return cc, err
	}
	if cc.told, err = s.Complaints.Told(ctx, id); err != nil {
		return cc, err
	}
	asked := false
	if cc.asked, cc.proposed, asked, err = s.Complaints.Proposed(ctx, cc.Complaint); err != nil {
		return cc, err
	}
	cc.waits = asked && cc.State == complaint.Investigating
	var people []*int64
	for _, told := range cc.told {
		people = append(people, &told.ByID)
	}
	if asked {
		people = append(people, &cc.asked.RequestedBy, cc.asked.SecondBy)
	}
	cc.pageContext, err = s.pageContext(r, people, cc.Complaint)
	return cc, err
}

// pageContext reads the names and the conflicts of interest for complaints that are shown together.
func (s Services) pageContext(r *desk.Request, people []*int64, list ...complaint.Complaint) (pc pageContext, err error) {
	pc = pageContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), may: r.May, figures: r.Figures()}
	var traders []int64
	for _, c := range list {
		traders = append(traders, c.TraderID)
		people = append(people, &c.RegisteredBy, c.HandlerID)
	}
	if pc.conflicts, err = s.Traders.Conflicts(pc.Ctx, r.Member.ID, member.IdentityDuty, traders...); err != nil {
		return pc, err
	}
	if pc.withheld, err = r.Withheld(traders...); err != nil {
		return pc, err
	}
	return pc, pc.Know(s.Staff, people...)
}

// summary is what the trader complains about, for those who may read it.
func (pc pageContext) summary(c complaint.Complaint) string {
	if pc.withheld[c.TraderID] {
		return ""
	}
	return c.Summary
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict {
	rights := caseengine.Rights{}
	handle := func(noun string, when bool) {
		if when && cc.may(access.ComplaintHandle) {
			rights[noun] = caseengine.May
		} else if when {
			rights[noun] = caseengine.Never(errHandle)
		}
	}
	investigating := cc.State == complaint.Investigating
	handle(nounAcknowledge, cc.State == complaint.Received)
	handle(nounInvestigate, cc.State == complaint.Acknowledged)
	handle(nounExtend, (cc.State == complaint.Acknowledged || investigating) && cc.ExtendedAt == nil)
	handle(nounAnswer, investigating && !cc.waits)
	handle(nounClose, cc.State == complaint.Answered)
	if cc.waits {
		cc.decide(rights)
	}
	return rights.Conflicting(cc.conflicts[cc.TraderID], nounWithdraw)[noun]
}

// decide adds the rights on a proposed answer.
func (cc caseContext) decide(rights caseengine.Rights) {
	mine := cc.asked.RequestedBy == cc.Me
	switch {
	case mine:
		rights[nounWithdraw], rights[nounRefuse], rights[nounAgree] = caseengine.May, caseengine.Never(approval.ErrSamePerson), caseengine.No(approval.ErrSamePerson)
	case !cc.may(access.ComplaintConfirm):
		rights[nounRefuse], rights[nounAgree] = caseengine.Never(errConfirm), caseengine.No(errConfirm)
	default:
		rights[nounRefuse], rights[nounAgree] = caseengine.May, caseengine.May
	}
}

// looks are the chips of the states.
var looks = map[complaint.State]ui.ChipView{
	complaint.Received:      {Tone: ui.ToneWarning, Icon: ui.IconIn},
	complaint.Acknowledged:  {Icon: ui.IconMail},
	complaint.Investigating: {Tone: ui.ToneAccent, Icon: ui.IconSearch},
	complaint.Answered:      {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	complaint.Closed:        {Icon: ui.IconLock},
}

// chips are the state, the second person that an answer waits for, and the extension.
func (pc pageContext) chips(c complaint.Complaint) []ui.ChipView {
	chip := looks[c.State]
	chip.Label = pc.T("complaint.state." + string(c.State))
	if c.State == complaint.Investigating && c.Approval != nil {
		chip = ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconPeople, Label: pc.T("complaint.chip.asked")}
	}
	chips := []ui.ChipView{chip}
	if c.ExtendedAt != nil && c.Open() {
		chips = append(chips, ui.ChipView{Outline: true, Label: pc.T("complaint.chip.extended")})
	}
	return chips
}

// due is the last day for what comes next; of an answered complaint the day of the answer.
func (pc pageContext) due(c complaint.Complaint) *ui.DueView {
	if !c.Open() {
		return &ui.DueView{Text: pc.At(*c.AnsweredAt), NoIcon: true}
	}
	what := "answer"
	if c.State == complaint.Received {
		what = "acknowledge"
	}
	due := ui.DueView{Text: pc.T("complaint.due."+what, "day", pc.Date(c.Due()))}
	switch left := c.Due().Sub(complaint.Day(pc.Now, nil)); {
	case left < 0:
		due.State, due.Text = ui.DueLate, pc.T("complaint.overdue."+what, "day", pc.Date(c.Due()))
	case left <= soon:
		due.State = ui.DueWarn
	}
	return &due
}

// soon is how long before its last day a deadline is marked.
const soon = 2 * 24 * time.Hour

// day writes a day, which has no zone.
