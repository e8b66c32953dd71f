package kycdesk

import (
	"fmt"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/casework"
	"candor/app/kyc"
	"candor/app/trader"
	"candor/templates/ui"
)

// scene is what the words about cases need besides what all desks need.
type scene struct {
	casework.Scene
	me     member
	narrow narrowing // the part of the queue that is worked on
}

// matter is one case with all that a decision about it needs.
type matter struct {
	scene
	kyc.Case
	owner trader.Trader
}

// About is the application as every desk knows a case.
func (m matter) About() casework.About {
	return casework.About{ID: m.ID, Number: m.Number(), Version: m.Version, Target: "kyc", Claim: m.Claim}
}

// Right says whether the member may do an act now.
func (m matter) Right(noun string) casework.Verdict { return m.rights()[noun] }

func (s Services) read(r *desk.Request, id int64) (m matter, err error) {
	ctx := r.Context.Request().Context()
	if m.Case, err = s.Identities.Case(ctx, by(r), id); err != nil {
		return m, err
	}
	if m.owner, err = s.Traders.Trader(ctx, m.TraderID); err != nil {
		return m, err
	}
	var people []*int64
	for _, d := range append(m.Documents, m.Replaced...) {
		people = append(people, d.DecidedBy)
	}
	m.scene, err = s.scene(r, people, append([]kyc.Application{m.Application}, m.Earlier...)...)
	return m, err
}

// scene reads the names around cases that are shown together.
func (s Services) scene(r *desk.Request, people []*int64, list ...kyc.Application) (sc scene, err error) {
	sc = scene{
		Scene:  casework.NewScene(r, "identity", kyc.ErrClaimed, s.Texts),
		me:     member{id: r.Member.ID, decide: r.May(access.IdentityDecide), approve: r.May(access.IdentityApprove), confirm: r.May(access.IdentityConfirm)},
		narrow: readNarrowing(r),
	}
	var traders []int64
	for _, a := range list {
		traders = append(traders, a.TraderID)
		people = append(people, a.ClaimedBy, a.MakerID, a.LeadID, a.LevelAskedBy, a.LevelGrantedBy)
	}
	if sc.me.conflicts, err = s.Traders.Conflicts(sc.Ctx, sc.Me, trader.Person, traders...); err != nil {
		return sc, err
	}
	return sc, sc.Know(s.Staff, people...)
}

func (m matter) rights() casework.Rights {
	return m.me.rights(m.Application, m.Documents, m.Now).Conflicting(m.me.conflicts[m.TraderID])
}

// held tells whether the member holds the living claim: only then are data and pictures shown.
func (m matter) held() bool { return m.Claim.HeldBy(m.Me, m.Now) }

func (sc scene) country(iso string) string {
	if iso == "" {
		return "—"
	}
	return trader.Country{ISO: iso}.Name()
}

func (sc scene) side(side kyc.Part) string { return sc.T("identity.side." + string(side)) }

func (sc scene) reason(code *string) string {
	if code == nil {
		return ""
	}
	return sc.T("identity.reason." + *code)
}

func number(id int64) string { return kyc.Application{ID: id}.Number() }

// home is the address of the queue; a case's own stands below it.
var home = ui.To("/admin/identity")

// address is where a case stands in the part of the queue that is worked on.
func (sc scene) address(id int64) ui.Path { return sc.narrow.on(ui.To("/admin/identity/{}", id)) }

// below is the address of an act on a case. It carries the part of the queue along, for what comes next.
func (sc scene) below(id int64, word string) ui.Path {
	return sc.narrow.on(ui.To("/admin/identity/{}/{}", id, word))
}

// key begins the ids of a case's elements.
func key(id int64) string { return fmt.Sprint("id-", id) }
