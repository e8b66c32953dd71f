package changedesk

import (
	"encoding/hex"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/accountchange"
	"candor/app/platform/errs"
	"candor/app/staff/member"
)

// errLead refuses the second person's step.
var errLead = errs.New(errs.Forbidden, "account_change.role")

// pageContext is the context of a page about requests.
type pageContext struct {
	caseengine.PageContext
	may       func(access.Permission) bool
	conflicts map[int64]error // conflicts of interest, by trader
}

// caseContext is one request with the trader's newest identity case.
type caseContext struct {
	pageContext
	accountchange.Change
	identity int64 // 0 without one
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "account_change", Home: home, Facts: hex.EncodeToString(cc.Facts)}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict { return cc.pair(cc.Change).Rights()[noun] }

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	ctx := r.Context.Request().Context()
	if cc.Change, err = s.Changes.Read(ctx, id); err != nil {
		return cc, err
	}
	if cc.identity, err = s.Identities.Newest(ctx, cc.TraderID); err != nil {
		return cc, err
	}
	cc.pageContext, err = s.pageContext(r, cc.Change)
	return cc, err
}

// pageContext reads the names and the conflicts of interest for requests that are shown together.
func (s Services) pageContext(r *desk.Request, list ...accountchange.Change) (pc pageContext, err error) {
	pc = pageContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), may: r.May}
	var people []*int64
	var traders []int64
	for _, c := range list {
		traders = append(traders, c.TraderID)
		for _, id := range c.Everybody() {
			people = append(people, &id)
		}
	}
	if pc.conflicts, err = s.Traders.Conflicts(pc.Ctx, r.Member.ID, member.IdentityDuty, traders...); err != nil {
		return pc, err
	}
	return pc, pc.Know(s.Staff, people...)
}

// pair is a request as the member sees it.
func (pc pageContext) pair(c accountchange.Change) caseengine.Pair {
	return caseengine.Pair{
		PageContext: pc.PageContext, Approval: c.Approval, Texts: "account_change", Confirms: pc.may(access.AccountChangeConfirm), Role: errLead, Conflict: pc.conflicts[c.TraderID],
	}
}
