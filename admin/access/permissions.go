// Package access decides what each member of staff may do: the permissions that routes name, and the enforcer of the policy in app/staff/policy.csv.
package access

import "candor/app/staff"

// Permission is one power. Each route names its own; no permission is matched by path.
type Permission string

// The permissions.
const (
	Home           Permission = "home"            // every member of staff
	DepositView    Permission = "deposit.view"    // queue, cases, proofs
	DepositWork    Permission = "deposit.work"    // claim and release, ask a provider
	DepositDecide  Permission = "deposit.decide"  // first person: approve, credit crypto deposits that wait for a decision, send back, ask for a reversal
	DepositConfirm Permission = "deposit.confirm" // second person
	DepositRefuse  Permission = "deposit.refuse"  // reject, ask for another proof, recall a first approval
	DepositExport  Permission = "deposit.export"  // the queue as a file

	WithdrawalView    Permission = "withdrawal.view"    // queue and cases, account numbers masked
	WithdrawalExport  Permission = "withdrawal.export"  // the queue as a file
	WithdrawalWork    Permission = "withdrawal.work"    // claim and release, view a full account number
	WithdrawalApprove Permission = "withdrawal.approve" // first person: approve, ask, send, record the bank's result
	WithdrawalConfirm Permission = "withdrawal.confirm" // second person: approve, confirm a result found by enquiry
	WithdrawalLead    Permission = "withdrawal.lead"    // third person above the limit
	WithdrawalRefuse  Permission = "withdrawal.refuse"  // return the money to its account
	WithdrawalRecall  Permission = "withdrawal.recall"  // recall approvals
	WithdrawalFreeze  Permission = "withdrawal.freeze"  // freeze and unfreeze

	AdjustmentView    Permission = "adjustment.view"    // queue and cases
	AdjustmentAsk     Permission = "adjustment.ask"     // first person: request, cancel the own request
	AdjustmentConfirm Permission = "adjustment.confirm" // second person
	AdjustmentLead    Permission = "adjustment.lead"    // third person above the limit
	AdjustmentRefuse  Permission = "adjustment.refuse"  // reject another person's request
	AdjustmentExport  Permission = "adjustment.export"  // the list as a file

	BonusView    Permission = "bonus.view"    // requests and campaigns
	BonusAsk     Permission = "bonus.ask"     // first person: request a campaign or a bonus for one trader, withdraw the own request
	BonusConfirm Permission = "bonus.confirm" // second person: approve, refuse
	BonusStop    Permission = "bonus.stop"    // stop a campaign; one person is enough

	StatementView      Permission = "statement.view"       // bank accounts, statements and their lines, with the names of payers
	StatementExport    Permission = "statement.export"     // the lines as a file
	StatementImport    Permission = "statement.import"     // import a bank's file
	StatementMatch     Permission = "statement.match"      // first person: match lines, request an explanation
	StatementConfirm   Permission = "statement.confirm"    // second person: agree to an explanation
	BankAccountAsk     Permission = "bank_account.ask"     // first person: request a bank account, or a change of one
	BankAccountConfirm Permission = "bank_account.confirm" // second person
	ChannelAsk         Permission = "channel.ask"          // first person: request a pay channel, or a change of one
	ChannelConfirm     Permission = "channel.confirm"      // second person
	ChannelSuspend     Permission = "channel.suspend"      // suspend a channel; one person is enough

	ReconciliationView   Permission = "reconciliation.view" // results of the reconciliation, and the stops of withdrawals
	ReconciliationRun    Permission = "reconciliation.run"  // start a reconciliation now
	WithdrawalHaltStart  Permission = "stop.make"           // stop all withdrawals for a time; one person is enough
	WithdrawalHaltAskEnd Permission = "stop.ask"            // first person: request the end of a stop
	WithdrawalHaltEnd    Permission = "stop.end"            // second person: agree to it

	IdentityView    Permission = "identity.view"    // queue and cases, without pictures and data
	IdentityExport  Permission = "identity.export"  // the queue as a file, without pictures and data
	IdentityDecide  Permission = "identity.decide"  // claim, view data and pictures, judge them, ask again, refuse a higher level
	IdentityApprove Permission = "identity.approve" // first person: approve, escalate; second for the higher level
	IdentityConfirm Permission = "identity.confirm" // second person: confirm, reject finally, revoke; first for the higher level, which it lowers alone
	IdentityQuality Permission = "identity.quality" // how often second reviews of samples agree with each reviewer
	IdentitySample  Permission = "identity.sample"  // draw samples of decided cases, review them again

	TraderView           Permission = "trader.view"            // list and detail, masked
	TraderFunds          Permission = "trader.funds"           // exact amounts on every page; without it, bands
	TraderExport         Permission = "trader.export"          // the list as a file, masked
	TraderRestrict       Permission = "trader.restrict"        // block orders, withdrawals or login of a trader
	TraderLift           Permission = "trader.lift"            // lift a restriction that another person set
	TraderEndSessions    Permission = "trader.end_sessions"    // log a trader out
	TraderResetPassword  Permission = "trader.reset_password"  // send a trader the code for a forgotten password
	TraderNotes          Permission = "trader.notes"           // read and write staff notes
	TraderTag            Permission = "trader.tag"             // put tags on traders, take them off
	TraderRelations      Permission = "trader.relations"       // other traders with a device, a payee or a document in common
	TraderClosed         Permission = "trader.closed"          // what the law keeps of closed accounts: the file, conversations, evidence of payments, complaints
	AccountChangeView    Permission = "account_change.view"    // requests to change a trader's account
	AccountChangeAsk     Permission = "account_change.ask"     // first person: request, withdraw the own request
	AccountChangeConfirm Permission = "account_change.confirm" // second person: approve, refuse

	TraderViewAs Permission = "trader.view_as" // see what a trader sees, for a logged reason; nothing there acts
	TagManage    Permission = "tag.manage"     // the list of tags

	ChatView   Permission = "chat.view"   // conversations, masked as everywhere
	ChatAnswer Permission = "chat.answer" // own conversations: answer, note, hand over, snooze, resolve
	ChatLead   Permission = "chat.lead"   // hand on other agents' conversations, edit the hours and the prepared answers
	ChatFlags  Permission = "chat.flags"  // decide on appeals against conduct flags that another person set

	TaskView Permission = "task.view" // tasks that the member asked for, or that are for them or their team; the own mentions
	TaskAsk  Permission = "task.ask"  // hand work to a team or a colleague, cancel the own request
	TaskWork Permission = "task.work" // take tasks, end them
	TaskAll  Permission = "task.all"  // read every task

	ComplaintView     Permission = "complaint.view"     // the register
	ComplaintExport   Permission = "complaint.export"   // the register as a file
	ComplaintRegister Permission = "complaint.register" // register a complaint
	ComplaintHandle   Permission = "complaint.handle"   // first person: acknowledge, investigate, extend, propose the answer, close
	ComplaintConfirm  Permission = "complaint.confirm"  // second person: agree to the answer or refuse it

	SwitchView    Permission = "switch.view"    // every key with its value and its changes
	SwitchChange  Permission = "switch.change"  // draft changes, apply those of keys that are not sensitive, withdraw the own draft
	SwitchApprove Permission = "switch.approve" // second person: agree, reject, review a stop
	SwitchStop    Permission = "switch.stop"    // set a key to its risk-reducing value, alone and at once, where the key names the role

	ContentView    Permission = "content.view"    // published items and drafts, and their reach
	ContentEdit    Permission = "content.edit"    // write, send to review, return to draft
	ContentPublish Permission = "content.publish" // second person: agree, send back, take down, archive, sort

	ReportView      Permission = "report.view"      // the list of the reports that the member may read
	ReportExport    Permission = "report.export"    // those as files
	ReportFinance   Permission = "report.finance"   // deposits, withdrawals, registrations
	ReportTrading   Permission = "report.trading"   // volume, and the result of the house
	ReportIdentity  Permission = "report.identity"  // how many identities were checked
	ReportReviewers Permission = "report.reviewers" // the same by reviewer
	ReportSupport   Permission = "report.support"   // service times and ratings
	ReportAgents    Permission = "report.agents"    // the same by agent, and what customers wrote with their ratings

	ProductView    Permission = "product.view"    // products, their terms and live price age
	ProductChange  Permission = "product.change"  // request new terms or a dividend, withdraw the own request
	ProductApprove Permission = "product.approve" // approve or refuse another person's request
	AuditView      Permission = "audit.view"      // the log
	AuditExport    Permission = "audit.export"    // the log as a file
	OutboxView     Permission = "outbox.view"     // messages and their delivery; never a body in production
	OutboxSend     Permission = "outbox.send"     // queue a message again
	StaffView      Permission = "staff.view"      // the list of staff
	StaffManage    Permission = "staff.manage"    // invite, disable, reset an authenticator, request roles
	StaffApprove   Permission = "staff.approve"   // grant a role that another person requested
)

// Role is a set of permissions; package staff has the rules of which member may have which roles.
type Role = staff.Role

// The roles of staff.
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
