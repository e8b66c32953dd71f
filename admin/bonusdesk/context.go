package bonusdesk

import (
	"encoding/hex"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/bonus"
	"candor/app/platform/errs"
	"candor/app/staff/member"
)

// errRole refuses the second person's step.
var errRole = errs.New(errs.Forbidden, "bonus.role")

// pageContext is the context of a page about requests.
type pageContext struct {
	caseengine.PageContext
	may       func(access.Permission) bool
	conflicts map[int64]error // conflicts of interest, by trader
}

// caseContext is one request with what it has become.
type caseContext struct {
	pageContext
	bonus.Request
	campaign *bonus.Campaign // nil until it was approved, and for the bonus of one trader
	figures  bonus.Figures
	given    *bonus.Bonus // of one trader; nil until it was approved
	now      time.Time
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "bonus_request", Home: home, Facts: hex.EncodeToString(cc.Facts)}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict {
	if noun == nounStop {
		if cc.campaign == nil || !cc.campaign.Open(cc.now) || !cc.may(access.BonusStop) {
			return caseengine.Never(nil)
		}
		return caseengine.May
	}
	return cc.pair(cc.Request).Rights()[noun]
}

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	ctx := r.Context.Request().Context()
	cc.now = s.Bonuses.Clock.Now()
	if cc.Request, err = s.Bonuses.Read(ctx, id); err != nil {
		return cc, err
	}
	if cc.State == approval.Applied {
		if err := s.readEffect(r, &cc); err != nil {
			return cc, err
		}
	}
	cc.pageContext, err = s.pageContext(r, cc.Request)
	return cc, err
}

func (s Services) readEffect(r *desk.Request, cc *caseContext) (err error) {
	ctx := r.Context.Request().Context()
	if cc.Gift() {
		cc.given, err = s.Bonuses.GiftOf(ctx, cc.Request)
		return err
	}
	c, err := s.Bonuses.Campaign(ctx, cc.ID)
	if err != nil {
		return err
	}
	cc.campaign = &c
	cc.figures, err = s.Bonuses.FiguresOf(ctx, cc.ID)
	return err
}

// pageContext reads the names and the conflicts of interest for requests that are shown together.
func (s Services) pageContext(r *desk.Request, list ...bonus.Request) (pc pageContext, err error) {
	pc = pageContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), may: r.May}
	var people []*int64
	var traders []int64
	for _, b := range list {
		if b.Gift() {
			traders = append(traders, *b.TraderID)
		}
		for _, id := range b.Everybody() {
			people = append(people, &id)
		}
	}
	if pc.conflicts, err = s.Traders.Conflicts(pc.Ctx, r.Member.ID, member.MoneyDuty, traders...); err != nil {
		return pc, err
	}
	return pc, pc.Know(s.Staff, people...)
}

// pair is a request as the member sees it.
func (pc pageContext) pair(b bonus.Request) caseengine.Pair {
	p := caseengine.Pair{PageContext: pc.PageContext, Approval: b.Approval, Texts: "bonus", Confirms: pc.may(access.BonusConfirm), Role: errRole}
	if b.Gift() {
		p.Conflict = pc.conflicts[*b.TraderID]
	}
	return p
}
