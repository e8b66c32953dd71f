// Package tradedesk looks traders up: their identity, their accounts and their history. It restricts traders and logs them out; none of its routes changes a
// price, a fill or a balance.
package tradedesk

import (
	"candor/app/bonus"
	"crypto/ed25519"
	"net/http"
	"slices"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/complaint"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/payee"
	"candor/app/platform/i18n"
	"candor/app/platform/mail"
	"candor/app/score"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/trading/proof"
	"candor/app/wallet"
	"candor/app/withdrawal"
)

// Services holds the dependencies of the desk.
type Services struct {
	Traders  *trader.Service
	Sessions *session.Service
	Ledger   ledger.Querier
	Trading  *engine.Service
	Market   *market.Service
	Deposits *deposit.Service
	Audit    *audit.Log
	Staff    *staff.Service

	Withdrawals *withdrawal.Service
	Payees      *payee.Service
	Identities  *kyc.Service
	Chat        *support.Service
	Wallets     *wallet.Service
	Tasks       *task.Service
	Complaints  *complaint.Service
	Outbox      *mail.Outbox
	Scores      *score.Service
	Bonuses     *bonus.Service

	Notices *notice.Service   // the terms that a trader accepted
	Proofs  *proof.Reader     // the receipts of fills
	SealKey ed25519.PublicKey // the key under which fills and quotes are sealed

	Texts *i18n.Catalogue // the trader app's

	Owners []Owners // asked by the list's search before it looks for people
}

// Routes lists the desk's routes: view a trader, export lists and statements, view a contact for a logged reason, restrict a trader and lift another member's restriction, end sessions,
// send a password reset, and add a note.
func Routes(s Services) []desk.Route {
	view := func(path string, handle func(*desk.Request) error) desk.Route {
		return desk.Route{Method: http.MethodGet, Path: path, Permission: access.TraderView, Handle: handle}
	}
	again := view("/traders/:id/valuation", s.valuation)
	again.Quiet = true
	return append(s.list().Routes(), desk.Withholding(append(slices.Concat(s.orderRoutes(), s.ledgerList().Routes()), []desk.Route{
		view("/traders/:id", s.overview),
		again,
		view("/traders/:id/positions/:position", s.position),
		view("/traders/:id/fills/:fill", s.receipt),
		view("/traders/:id/order/:order", s.order),
		{Method: http.MethodGet, Path: "/traders/:id/statement", Permission: access.TraderExport, Handle: s.askStatement},
		{Method: http.MethodGet, Path: "/traders/:id/statement/file", Permission: access.TraderExport, Handle: s.statement},
		view("/traders/:id/devices", s.devices),
		view("/traders/:id/audit", s.log),
		{Method: http.MethodGet, Path: "/traders/:id/view-as", Permission: access.TraderViewAs, Handle: s.viewAs},
		{Method: http.MethodGet, Path: "/traders/:id/view-as/reason", Permission: access.TraderViewAs, Handle: s.askView},
		{Method: http.MethodPost, Path: "/traders/:id/view-as", Permission: access.TraderViewAs, Handle: s.openView},
		{Method: http.MethodGet, Path: "/traders/:id/relations", Permission: access.TraderRelations, Handle: s.relations},
		{Method: http.MethodGet, Path: "/traders/:id/identity", Permission: access.IdentityView, Handle: s.identities},
		{Method: http.MethodGet, Path: "/traders/:id/chat", Permission: access.ChatView, Handle: s.chats},
		view("/traders/:id/contact/:kind", s.askContact),
		{Method: http.MethodPost, Path: "/traders/:id/contact/:kind", Permission: access.TraderView, Handle: s.showContact},
		{Method: http.MethodGet, Path: "/traders/:id/restriction", Permission: access.TraderRestrict, Handle: s.askRestriction},
		{Method: http.MethodPost, Path: "/traders/:id/restrictions", Permission: access.TraderRestrict, Handle: s.restrict},
		{Method: http.MethodGet, Path: "/traders/:id/restrictions/:restriction/end", Permission: access.TraderLift, Handle: s.askLift},
		{Method: http.MethodPost, Path: "/traders/:id/restrictions/:restriction/end", Permission: access.TraderLift, Handle: s.lift},
		{Method: http.MethodGet, Path: "/traders/:id/sessions/end", Permission: access.TraderEndSessions, Handle: s.askEndSessions},
		{Method: http.MethodPost, Path: "/traders/:id/sessions/end", Permission: access.TraderEndSessions, Handle: s.endSessions},
		{Method: http.MethodGet, Path: "/traders/:id/sessions/:session/end", Permission: access.TraderEndSessions, Handle: s.askEndSession},
		{Method: http.MethodPost, Path: "/traders/:id/sessions/:session/end", Permission: access.TraderEndSessions, Handle: s.endSession},
		{Method: http.MethodGet, Path: "/traders/:id/password-reset", Permission: access.TraderResetPassword, Handle: s.askReset},
		{Method: http.MethodPost, Path: "/traders/:id/password-reset", Permission: access.TraderResetPassword, Handle: s.reset},
		{Method: http.MethodGet, Path: "/traders/:id/tags", Permission: access.TraderTag, Handle: s.askTags},
		{Method: http.MethodPost, Path: "/traders/:id/tags", Permission: access.TraderTag, Handle: s.setTags},
		{Method: http.MethodGet, Path: "/traders/:id/tasks", Permission: access.TaskView, Handle: s.tasks},
		{Method: http.MethodGet, Path: "/traders/:id/complaints", Permission: access.ComplaintView, Handle: s.complaints},
		{Method: http.MethodGet, Path: "/traders/:id/notes", Permission: access.TraderNotes, Handle: s.notes},
		{Method: http.MethodPost, Path: "/traders/:id/notes", Permission: access.TraderNotes, Handle: s.addNote},
	}...), whose)...)
}

// whose is the trader of a page, whose number the address has.
func whose(_ *desk.Request, id int64) (int64, error) { return id, nil }

// navItem is the desk's item of the navigation.
const navItem = "traders"

const (
	pageSize      = 50
	rowsOfTab     = 25
	recentEntries = 8
)
