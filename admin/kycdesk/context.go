package kycdesk

import (
	"fmt"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/kyc"
	"candor/app/staff/member"
	"candor/app/trader"
	"candor/templates/ui"
)

// pageContext is the context of a page about cases.
type pageContext struct {
	caseengine.PageContext
	me          viewer
	sel         caseengine.Selection // of the list, kept from case to case
	countryRisk func(iso string) kyc.Risk

	listsCountries bool
}

// caseContext is one case with everything that a decision about it needs.
type caseContext struct {
	pageContext
	kyc.Case
	owner trader.Trader
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "kyc", Claim: cc.Claim}
}

// Right is the verdict on an act of the member now.
func (cc caseContext) Right(noun string) caseengine.Verdict { return cc.rights()[noun] }

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	ctx := r.Context.Request().Context()
	if cc.Case, err = s.Identities.Case(ctx, r.Actor(), id); err != nil {
		return cc, err
	}
	if cc.owner, err = s.Traders.Trader(ctx, cc.TraderID); err != nil {
		return cc, err
	}
	var people []*int64
	for _, d := range append(cc.Documents, cc.Replaced...) {
		people = append(people, d.DecidedBy)
	}
	for _, one := range cc.First {
		people = append(people, &one.StaffID)
	}
	cc.pageContext, err = s.pageContext(r, people, append([]kyc.Application{cc.Application}, cc.Earlier...)...)
	return cc, err
}

// pageContext reads the names for cases that are shown together.
func (s Services) pageContext(r *desk.Request, people []*int64, list ...kyc.Application) (pc pageContext, err error) {
	pc = pageContext{
		PageContext: caseengine.NewPageContext(r, "identity", kyc.ErrClaimed, s.Texts),
		me:          viewer{id: r.Member.ID, decide: r.May(access.IdentityDecide), approve: r.May(access.IdentityApprove), confirm: r.May(access.IdentityConfirm)},
		sel:         s.list().Selected(r.QueryParams()), countryRisk: s.Identities.CountryRisk, listsCountries: s.Identities.ListsCountries(),
	}
	var traders []int64
	for _, a := range list {
		traders = append(traders, a.TraderID)
		people = append(people, a.ClaimedBy, a.MakerID, a.LeadID)
	}
	if pc.me.levels, err = s.Identities.LevelApprovals(pc.Ctx, list...); err != nil {
		return pc, err
	}
	for _, a := range pc.me.levels {
		people = append(people, &a.RequestedBy, a.SecondBy)
	}
	if pc.me.conflicts, err = s.Traders.Conflicts(pc.Ctx, pc.Me, member.IdentityDuty, traders...); err != nil {
		return pc, err
	}
	return pc, pc.Know(s.Staff, people...)
}

func (cc caseContext) rights() caseengine.Rights {
	return cc.me.rights(cc.Case, cc.Now).Conflicting(cc.me.conflicts[cc.TraderID])
}

// claimedByMe reports whether the member has the valid claim: only then are data and pictures shown.
func (cc caseContext) claimedByMe() bool { return cc.Claim.ClaimActiveBy(cc.Me, cc.Now) }

func (pc pageContext) country(iso string) string {
	if iso == "" {
		return "—"
	}
	return caseengine.Country(pc.Ctx, iso)
}

// countryChip is the country, marked if the broker lists it.
func (pc pageContext) countryChip(iso string) ui.ChipView {
	chip := ui.ChipView{Icon: ui.IconGlobe, Label: pc.country(iso)}
	if risk := pc.countryRisk(iso); risk != "" {
		chip.Tone, chip.Icon, chip.Label = countryTones[risk], ui.IconWarning, chip.Label+": "+pc.T("identity.chip."+string(risk))
	}
	return chip
}

// countryTones are the colours of listed countries.
var countryTones = map[kyc.Risk]ui.Tone{kyc.Prohibited: ui.ToneError, kyc.HighRisk: ui.ToneWarning}

func (pc pageContext) side(side kyc.Part) string { return pc.T("identity.side." + string(side)) }

func (pc pageContext) reason(code *string) string {
	if code == nil {
		return ""
	}
	return pc.T("identity.reason." + *code)
}

func number(id int64) string { return kyc.Application{ID: id}.Number() }

// home is the address of the queue, and the parent of the cases' addresses.
var home = ui.To("/admin/identity")

// address is the address of a case, with the queue's filter.
func (pc pageContext) address(id int64) ui.Path { return pc.sel.On(ui.To("/admin/identity/{}", id)) }

// below is the address of an act on a case, with the queue's filter for the next case.
func (pc pageContext) below(id int64, word string) ui.Path {
	return pc.sel.On(ui.To("/admin/identity/{}/{}", id, word))
}

// key is the prefix of the element ids of a case.
func key(id int64) string { return fmt.Sprint("id-", id) }
