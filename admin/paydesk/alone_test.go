package paydesk_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/paydesk"
	"candor/app/staff"
	"candor/app/withdrawal"
)

// out are the states of a withdrawal whose money is on its way or gone. Queued is one of them: a single act sends it from there.
var out = []withdrawal.State{withdrawal.Queued, withdrawal.Processing, withdrawal.Sent, withdrawal.OutcomeUnknown, withdrawal.Completed}

// acts are the acts on a withdrawal, except the claim and the reveal of its account number, that the desk's routes allow for roles. The matrix of roles shows that other acts are refused.
func acts(roles ...access.Role) (nouns []string) {
	for _, r := range paydesk.Routes(paydesk.Services{}) {
		noun, ok := strings.CutPrefix(r.Path, "/withdrawals/:id/")
		allowed := slices.ContainsFunc(roles, func(role access.Role) bool { return slices.Contains(access.PermissionsOf(role), r.Permission) })
		if ok && allowed && r.Method == http.MethodPost && noun != "claim" && noun != "number" {
			nouns = append(nouns, noun)
		}
	}
	return nouns
}

// move is an act of a member of staff.
type move struct {
	who  seat
	noun string
}

// nextActsKey is the part of a withdrawal that decides its next acts.
func (b *bundle) nextActsKey(w withdrawal.Withdrawal) string {
	b.Helper()
	approvals, err := b.withdrawals.Approvals(b.Context(), w)
	require.NoError(b, err)
	findings, err := b.withdrawals.Findings(b.Context(), w)
	require.NoError(b, err)
	from := withdrawal.State("-")
	if w.FrozenFrom != nil {
		from = *w.FrozenFrom
	}
	return fmt.Sprint(w.State, from, approvals[w.ID].Approvers(), findings[w.ID].Approvers())
}

// walk lets people make every act that the desk allows, in every order, on new withdrawals of this many dollars, and returns the states reached. It stops where
// money is on its way.
func (b *bundle) walk(dollars int64, people ...seat) (reached []withdrawal.State) {
	b.Helper()
	seen := map[string]bool{}
	for paths := [][]move{nil}; len(paths) > 0; paths = paths[1:] {
		w := b.replay(dollars, paths[0])
		for _, who := range people {
			for _, noun := range acts(who.Person.Roles...) {
				next := move{who, noun}
				if !next.made(w) {
					continue
				}
				after := b.now(w.ID)
				if !seen[b.nextActsKey(after)] {
					seen[b.nextActsKey(after)], reached = true, append(reached, after.State)
					if !slices.Contains(out, after.State) && !after.Ended() {
						paths = append(paths, append(slices.Clone(paths[0]), next))
					}
				}
				w = b.replay(dollars, paths[0])
			}
		}
	}
	return reached
}

// replay makes a new withdrawal and repeats the moves.
func (b *bundle) replay(dollars int64, path []move) withdrawal.Withdrawal {
	b.Helper()
	w := b.waiting(dollars)
	for _, m := range path {
		require.True(b, m.made(w), m.noun)
	}
	return w
}

// made tries to claim the withdrawal, tries the act, tries to release the claim, and reports whether the act was allowed.
func (m move) made(w withdrawal.Withdrawal) bool {
	m.who.claim(w)
	ok := m.who.act(w, m.noun).Code == http.StatusOK
	m.who.release(w)
	return ok
}

// roleSets lists the sets of roles that one person may have, one for each distinct set of withdrawal permissions.
func roleSets() (list [][]access.Role) {
	seen := map[string]bool{}
	for set := range 1 << len(staff.Roles) {
		var roles []access.Role
		var powers []string
		for i, role := range staff.Roles {
			if set&(1<<i) == 0 {
				continue
			}
			roles = append(roles, role)
			for _, p := range access.PermissionsOf(role) {
				if strings.HasPrefix(string(p), "withdrawal.") {
					powers = append(powers, string(p))
				}
			}
		}
		slices.Sort(powers)
		key := fmt.Sprint(slices.Compact(powers))
		if apart(roles) && !seen[key] {
			seen[key] = true
			list = append(list, roles)
		}
	}
	return list
}

// apart reports whether one person may have the roles together.
func apart(roles []access.Role) bool {
	for _, pair := range staff.Forbidden {
		if slices.Contains(roles, pair[0]) && slices.Contains(roles, pair[1]) {
			return false
		}
	}
	return true
}

const allOut = "nobody sends money out alone"

// TestNobodyAloneSendsMoneyOut lets one person, with each set of roles that one person may have, try every act.
func TestNobodyAloneSendsMoneyOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	worked := 0
	for i, roles := range roleSets() {
		reached := b.walk(100, b.seat(fmt.Sprint("Alone ", i), roles...))
		for _, state := range out {
			require.NotContains(t, reached, state, "%s: %v", allOut, roles)
		}
		worked += len(reached)
	}
	require.Positive(t, worked, "some of them do something")
	require.Greater(t, len(roleSets()), 3, "the search finds sets")
	everything := b.walk(100, b.seat("Everything", staff.Roles...)) // no grant allows it; the desk must still refuse
	require.Contains(t, everything, withdrawal.Approved1)
	require.NotContains(t, everything, withdrawal.Queued, allOut)
}

// TestNoRoleAloneSendsMoneyOut lets three people with the same role try every act together.
func TestNoRoleAloneSendsMoneyOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, role := range staff.Roles {
		reached := b.walk(100, b.seat("One "+string(role), role), b.seat("Two "+string(role), role), b.seat("Three "+string(role), role))
		for _, state := range out {
			require.NotContains(t, reached, state, "%s", role)
		}
	}
}

// TestTheWalkFindsTheWayOut shows that the search finds the allowed acts: two people send money out, and above the limit three.
func TestTheWalkFindsTheWayOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	require.Contains(t, b.walk(100, p.maker, p.checker), withdrawal.Queued)
	require.NotContains(t, b.walk(100, p.maker, p.lead), withdrawal.Queued, "the lead stands in for nobody")
	require.NotContains(t, b.walk(leadDollars, p.maker, p.checker), withdrawal.Queued, "above the limit two are not enough")
	require.Contains(t, b.walk(leadDollars, p.maker, p.checker, p.lead), withdrawal.Queued)
}
