// Package access says which member of staff may do what: permission constants, the roles that hold them, and the one enforcer that is asked.
package access

import "candor/app/staff"

// Permission is one power. Routes name theirs; nothing is matched by path.
type Permission string

// The permissions.
const (
	Home           Permission = "home"            // every member of staff
	DepositView    Permission = "deposit.view"    // queue, cases, proofs
	DepositWork    Permission = "deposit.work"    // claim and give back, ask a provider
	DepositDecide  Permission = "deposit.decide"  // first person: approve, credit what is held, send back, ask to take back
	DepositConfirm Permission = "deposit.confirm" // second person
	DepositRefuse  Permission = "deposit.refuse"  // reject, ask for another proof, take a first half back
	DepositExport  Permission = "deposit.export"  // the queue as a file

	WithdrawalView    Permission = "withdrawal.view"    // queue and cases, account numbers masked
	WithdrawalExport  Permission = "withdrawal.export"  // the queue as a file
	WithdrawalWork    Permission = "withdrawal.work"    // claim and give back, look at a whole account number
	WithdrawalApprove Permission = "withdrawal.approve" // first person: approve, ask, send, say what the bank did
	WithdrawalConfirm Permission = "withdrawal.confirm" // second person: approve, agree to what was found out
	WithdrawalLead    Permission = "withdrawal.lead"    // third person above the limit
	WithdrawalRefuse  Permission = "withdrawal.refuse"  // give the money back to its account
	WithdrawalRecall  Permission = "withdrawal.recall"  // take approvals back
	WithdrawalFreeze  Permission = "withdrawal.freeze"  // stop and let go on

	AdjustmentView    Permission = "adjustment.view"    // queue and cases
	AdjustmentAsk     Permission = "adjustment.ask"     // first person: ask, take the own request back
	AdjustmentConfirm Permission = "adjustment.confirm" // second person
	AdjustmentLead    Permission = "adjustment.lead"    // third person above the limit
	AdjustmentRefuse  Permission = "adjustment.refuse"  // say no to somebody else's
	AdjustmentExport  Permission = "adjustment.export"  // the list as a file

	ReconciliationView Permission = "reconciliation.view" // whether the books agree, and the stops of money out
	ReconciliationRun  Permission = "reconciliation.run"  // have them proved now
	StopMake           Permission = "stop.make"           // stop all money out, alone, for a time
	StopAsk            Permission = "stop.ask"            // first person: ask for the end of a stop
	StopEnd            Permission = "stop.end"            // second person: agree to it

	IdentityView    Permission = "identity.view"    // queue and cases, without pictures and data
	IdentityExport  Permission = "identity.export"  // the queue as a file, without pictures and data
	IdentityDecide  Permission = "identity.decide"  // claim, look at data and pictures, judge them, ask again, say no to a higher level
	IdentityApprove Permission = "identity.approve" // first person: approve, escalate; second for the higher level
	IdentityConfirm Permission = "identity.confirm" // second person: confirm, reject finally, revoke; first for the higher level, which it takes back alone

	TraderView          Permission = "trader.view"           // list and detail, masked
	TraderFunds         Permission = "trader.funds"          // exact amounts on every page; without it, the bands that they lie in
	TraderExport        Permission = "trader.export"         // the list as a file, masked
	TraderRestrict      Permission = "trader.restrict"       // keep a trader from orders, money out or logging in
	TraderLift          Permission = "trader.lift"           // end what somebody else has restricted
	TraderEndSessions   Permission = "trader.end_sessions"   // log a trader out
	TraderResetPassword Permission = "trader.reset_password" // have a trader sent the code of a forgotten password
	TraderNotes         Permission = "trader.notes"          // read what staff noted, and note something

	ChatView   Permission = "chat.view"   // the conversations, masked as everywhere
	ChatAnswer Permission = "chat.answer" // own conversations: answer, note, hand over, put off, resolve
	ChatLead   Permission = "chat.lead"   // hand on what others own, the hours, the prepared answers

	SwitchView    Permission = "switch.view"    // every key with its value and its changes
	SwitchChange  Permission = "switch.change"  // write changes, apply what is not sensitive, take the own back
	SwitchApprove Permission = "switch.approve" // second person: agree, say no, look at a stop
	SwitchStop    Permission = "switch.stop"    // set a key to the value that reduces risk, alone and at once, where the key names the role

	ContentView    Permission = "content.view"    // what is published or may be, and whom it has reached
	ContentEdit    Permission = "content.edit"    // write, send to review, take back to a draft
	ContentPublish Permission = "content.publish" // second person: agree, send back, take down, archive, put in order

	ProductView    Permission = "product.view"    // products, their terms and live price age
	ProductChange  Permission = "product.change"  // ask for other terms or a dividend, take the own request back
	ProductApprove Permission = "product.approve" // agree to what somebody else asked for, or refuse it
	AuditView      Permission = "audit.view"      // the log
	AuditExport    Permission = "audit.export"    // the log as a file
	OutboxView     Permission = "outbox.view"     // messages and what became of them; never a body in production
	OutboxSend     Permission = "outbox.send"     // put a message back into the queue
	StaffView      Permission = "staff.view"      // who works here
	StaffManage    Permission = "staff.manage"    // invite, disable, reset an authenticator, ask for roles
	StaffApprove   Permission = "staff.approve"   // grant a role that somebody else asked for
)

// Role is a set of permissions; the rules of who may hold which stand in package staff.
type Role = staff.Role

// The roles of the house.
const (
	SuperAdmin         = staff.SuperAdmin
	ConfigAdmin        = staff.ConfigAdmin
	ConfigApprover     = staff.ConfigApprover
	ComplianceReviewer = staff.ComplianceReviewer
	ComplianceLead     = staff.ComplianceLead
	FinanceMaker       = staff.FinanceMaker
	FinanceChecker     = staff.FinanceChecker
	FinanceLead        = staff.FinanceLead
	SupportAgent       = staff.SupportAgent
	SupportLead        = staff.SupportLead
	ContentEditor      = staff.ContentEditor
	ContentPublisher   = staff.ContentPublisher
	Risk               = staff.Risk
	Auditor            = staff.Auditor
)

// Policy is who holds what. It is written to the database at every start, so that the code is the one source.
// super_admin manages staff and holds no money, verification or switch permission.
var Policy = map[Role][]Permission{
	SuperAdmin:         {Home, StaffView, StaffManage, StaffApprove, AuditView, OutboxView, OutboxSend, ProductView, SwitchView},
	ConfigAdmin:        {Home, ProductView, ProductChange, SwitchView, SwitchChange, SwitchStop},
	ConfigApprover:     {Home, ProductView, ProductApprove, SwitchView, SwitchApprove},
	ComplianceReviewer: {Home, IdentityView, IdentityDecide, IdentityApprove, TraderView, TraderFunds, TraderNotes},
	ComplianceLead:     {Home, IdentityView, IdentityExport, IdentityDecide, IdentityConfirm, TraderView, TraderFunds, TraderExport, TraderRestrict, TraderLift, TraderEndSessions, TraderResetPassword, TraderNotes, AuditView, AuditExport, DepositView, DepositExport, WithdrawalView, WithdrawalExport, WithdrawalFreeze, ReconciliationView, StopMake, SwitchView, SwitchStop},
	FinanceMaker: {Home, DepositView, DepositExport, DepositWork, DepositDecide, DepositRefuse, TraderView, TraderFunds, TraderNotes, WithdrawalView, WithdrawalExport, WithdrawalWork, WithdrawalApprove, WithdrawalRefuse,
		ReconciliationView, ReconciliationRun, AdjustmentView, AdjustmentExport, AdjustmentAsk},
	FinanceChecker: {Home, DepositView, DepositExport, DepositWork, DepositConfirm, DepositRefuse, TraderView, TraderFunds, TraderNotes, WithdrawalView, WithdrawalExport, WithdrawalWork, WithdrawalConfirm, WithdrawalRefuse, WithdrawalRecall,
		ReconciliationView, ReconciliationRun, StopAsk, AdjustmentView, AdjustmentExport, AdjustmentConfirm, AdjustmentRefuse},
	FinanceLead: {Home, DepositView, DepositExport, DepositWork, DepositConfirm, DepositRefuse, TraderView, TraderFunds, TraderRestrict, TraderLift, TraderNotes, AuditView, WithdrawalView, WithdrawalExport, WithdrawalWork, WithdrawalLead, WithdrawalRecall,
		ReconciliationView, ReconciliationRun, StopMake, StopAsk, StopEnd, AdjustmentView, AdjustmentExport, AdjustmentLead, AdjustmentRefuse, SwitchView, SwitchStop},
	SupportAgent:     {Home, ChatView, ChatAnswer, TraderView, TraderNotes, ProductView, WithdrawalView, ContentView},
	SupportLead:      {Home, ChatView, ChatAnswer, ChatLead, TraderView, TraderEndSessions, TraderResetPassword, TraderNotes, ProductView, WithdrawalView, SwitchView, ContentView},
	ContentEditor:    {Home, ContentView, ContentEdit},
	ContentPublisher: {Home, ContentView, ContentPublish},
	Risk:             {Home, TraderView, TraderFunds, TraderRestrict, TraderLift, TraderEndSessions, TraderResetPassword, TraderNotes, ProductView, AuditView, DepositView, WithdrawalView, ReconciliationView, StopMake, SwitchView, SwitchStop},
	Auditor:          {Home, ChatView, AuditView, AuditExport, TraderView, TraderFunds, TraderExport, ProductView, DepositView, DepositExport, IdentityView, IdentityExport, StaffView, WithdrawalView, WithdrawalExport, ReconciliationView, AdjustmentView, AdjustmentExport, SwitchView, ContentView},
}
