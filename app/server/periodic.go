package server

import (
	"context"
	"time"

	"candor/app/platform/jobs"
	"candor/app/reconciliation"
)

// PeriodicJobs are all scheduled jobs; one server at a time runs each.
func (p *Platform) PeriodicJobs() []jobs.Periodic {
	s := p.Services
	return []jobs.Periodic{
		{Name: "apply scheduled approvals and expire undecided ones", Each: time.Second, Run: discardResult(p.approvals.Run)},
		{Name: "complete withdrawals that no bank has returned in time", Each: 10 * time.Minute, Run: discardResult(s.withdrawals.Complete)},
		{Name: "compute the credit scores of the day", Each: time.Hour, Run: discardResult(s.scores.ComputeDue)},
		{Name: "delete chat pictures that nobody has sent", Each: time.Hour, Run: s.Chat.SweepPictures},
		{Name: "delete exchange quotes that nobody took", Each: time.Hour, Run: discardResult(s.wallets.SweepQuotes)},
		{Name: "close the accounts whose time has come", Each: time.Minute, Run: discardResult(s.traders.CloseDue)},
		{Name: "delete expired copies of data", Each: time.Hour, Run: discardResult(s.exports.Expire)},
		{Name: "delete expired staff sessions", Each: 10 * time.Minute, Run: p.Frame.DropExpired},
		{Name: "delete guesses and challenges that no limit needs", Each: time.Hour, Run: s.sessions.SweepGuesses},
		{Name: "remove drawings that were deleted thirty days ago", Each: time.Hour, Run: s.drawings.Sweep},
		{Name: "delete expired challenges of passkeys", Each: time.Hour, Run: s.factors.Sweep},
		{Name: "delete notes on refused messages", Each: time.Hour, Run: s.Chat.DeleteOldRefusals},
		{Name: "expire deposits whose transfer did not come", Each: time.Minute, Run: discardResult(s.deposits.Expire)},
		{Name: "expire identity documents", Each: time.Hour, Run: discardResult(s.identities.Expire)},
		{Name: "expire messages", Each: time.Minute, Run: discardResult(s.outbox.Expire)},
		{Name: "make the coming months of the tape", Each: 24 * time.Hour, Run: p.Market.MakeMonths},
		{Name: "poll custodians for transfers", Each: time.Minute, Run: discardResult(s.deposits.AskCustodians)},
		{Name: "poll providers for deposits", Each: time.Minute, Run: discardResult(s.deposits.AskOpen)},
		{Name: "poll providers for payouts", Each: time.Minute, Run: discardResult(s.withdrawals.AskAll)},
		{Name: "mail the reports that are due", Each: time.Minute, Run: p.reports.SendDue},
		{Name: "pay the rebates of the days before", Each: 10 * time.Minute, Run: discardResult(s.invitations.Pay)},
		{Name: "take back the rebates of refunded fills", Each: time.Minute, Run: discardResult(s.invitations.Reverse)},
		{Name: "grant, expire and take back bonuses", Each: 10 * time.Second, Run: s.Bonuses.Settle},
		{Name: "reconcile", Each: reconciliation.Every, Run: discardResult(s.books.Run)},
		{Name: "suggest cases for unmatched bank lines", Each: 5 * time.Minute, Run: s.banking.Suggest},
	}
}

// discardResult adapts a run with a result to a job and drops the result.
func discardResult[T any](run func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := run(ctx)
		return err
	}
}
