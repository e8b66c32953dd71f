package server

import (
	"candor/app/api"
	"candor/app/deposit"
	"candor/app/invitation"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/personal"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
)

// closingBusiness is what must have ended before an account closes, in the order in which a trader ends it.
var closingBusiness = []trader.Business{
	{Name: "position", Has: engine.HasOpenPosition}, {Name: "order", Has: engine.HasOpenOrder}, {Name: "deposit", Has: deposit.HasOpen}, {Name: "withdrawal", Has: withdrawal.HasOpen},
	{Name: "rebate", Has: invitation.HasUnpaid}, {Name: "bonus", Has: ledger.HasBonus}, {Name: "balance", Has: ledger.HasBalance}, {Name: "identity", Has: kyc.HasUndecided},
}

// declarePersonal declares what the copy of a trader's data is made of, and what is erased when the account closes.
func (p *Platform) declarePersonal(books *api.Server) {
	s := p.Services
	sources := s.personalSources(books)
	s.exports.Read(sources)
	s.traders.CloseWith(closingBusiness, sources)
}

// personalSources is what the domains keep about a trader; what finds the rest comes last.
func (s services) personalSources(books *api.Server) []personal.Source {
	shared := personal.Source{Tables: map[string]personal.Treatment{"approvals": personal.Kept, "idempotency_keys": personal.Erased, "refusals": personal.Figures}}
	return []personal.Source{
		shared, books.PersonalBooks(), s.identities.Personal(), s.deposits.Personal(), s.withdrawals.Personal(), s.payees.Personal(), s.wallets.Personal(), s.adjustments.Personal(), s.invitations.Personal(),
		s.complaints.Personal(), s.scores.Personal(), s.Bonuses.Personal(), s.Chat.Personal(), s.notices.Personal(), s.factors.Personal(), s.exports.Personal(), s.preferences.Personal(), s.drawings.Personal(), task.Personal(), s.sessions.Personal(), s.traders.Personal(),
	}
}
