package adjustdesk

import (
	"encoding/hex"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/ledger"
	"candor/app/staff/member"
	"candor/templates/ui"
)

// pageContext is the context of a page about adjustments.
type pageContext struct {
	caseengine.PageContext
	may       func(access.Permission) bool
	above     int64           // adjustments above it take three people
	conflicts map[int64]error // conflicts of interest, by trader
	tasks     map[int64]bool  // of those that adjustments answer, which the member may read
}

// caseContext is one adjustment with the account that it corrects.
type caseContext struct {
	pageContext
	adjustment.Adjustment
	account   ledger.Account
	evidence  []adjustment.Evidence
	watermark string // the member's name on pictures
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "adjustment", Home: home, Facts: hex.EncodeToString(cc.Facts)}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict { return cc.rights(cc.Adjustment)[noun] }

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	ctx := r.Context.Request().Context()
	if cc.Adjustment, err = s.Adjustments.Read(ctx, id); err != nil {
		return cc, err
	}
	if cc.account, err = ledger.Load(ctx, s.Ledger, cc.AccountID); err != nil {
		return cc, err
	}
	if cc.evidence, err = s.Adjustments.EvidenceOf(ctx, id); err != nil {
		return cc, err
	}
	cc.watermark = r.Member.Name
	cc.pageContext, err = s.pageContext(r, cc.Adjustment)
	return cc, err
}

// pageContext reads the names for adjustments that are shown together.
func (s Services) pageContext(r *desk.Request, list ...adjustment.Adjustment) (pc pageContext, err error) {
	pc = pageContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), may: r.May, above: s.Adjustments.LeadAbove()}
	var people []*int64
	var traders []int64
	for _, a := range list {
		traders = append(traders, a.TraderID)
		for _, id := range a.Everybody() {
			people = append(people, &id)
		}
	}
	if pc.conflicts, err = s.Traders.Conflicts(pc.Ctx, r.Member.ID, member.MoneyDuty, traders...); err != nil {
		return pc, err
	}
	if err := s.knowTasks(r, &pc, list); err != nil {
		return pc, err
	}
	return pc, pc.Know(s.Staff, people...)
}

func (pc pageContext) reason(code string) string { return pc.T("adjustment.reason." + code) }

// amount is the amount with sign and currency.
func amount(a adjustment.Adjustment) string { return ui.Signed(a.Amount) + " " + a.Currency }
