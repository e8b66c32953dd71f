// Package access says which member of staff may do what: permission constants, the roles that hold them, and the one enforcer that is asked.
package access

// Permission is one power. Routes name theirs; nothing is matched by path.
type Permission string

// The permissions.
const (
	Home           Permission = "home"             // every member of staff
	DepositView    Permission = "deposit.view"     // queue, cases, proofs
	DepositDecide  Permission = "deposit.decide"   // claim, approve as maker, decline
	DepositConfirm Permission = "deposit.confirm"  // second person
	TraderView     Permission = "trader.view"      // list and detail, masked
	ProductView    Permission = "product.view"     // products and live price age
	AuditView      Permission = "audit.view"       // the log
	OutboxView     Permission = "outbox.view"      // messages that were kept because no sender is configured
	StaffView      Permission = "staff.view"       // who works here
	StaffManage    Permission = "staff.manage"     // invite, disable, reset an authenticator, ask for roles
	StaffApprove   Permission = "staff.approve"    // grant a role that somebody else asked for
)

// Role is a set of permissions.
type Role string

// The roles of the house.
const (
	SuperAdmin         Role = "super_admin"
	ConfigAdmin        Role = "config_admin"
	ConfigApprover     Role = "config_approver"
	ComplianceReviewer Role = "compliance_reviewer"
	ComplianceLead     Role = "compliance_lead"
	FinanceMaker       Role = "finance_maker"
	FinanceChecker     Role = "finance_checker"
	FinanceLead        Role = "finance_lead"
	SupportAgent       Role = "support_agent"
	SupportLead        Role = "support_lead"
	ContentEditor      Role = "content_editor"
	ContentPublisher   Role = "content_publisher"
	Risk               Role = "risk"
	Auditor            Role = "auditor"
)

// Policy is who holds what. It is written to the database at every start, so that the code is the one source.
// super_admin manages staff and holds no money, verification or switch permission.
var Policy = map[Role][]Permission{
	SuperAdmin:         {Home, StaffView, StaffManage, StaffApprove, AuditView, OutboxView, ProductView},
	ConfigAdmin:        {Home, ProductView},
	ConfigApprover:     {Home, ProductView},
	ComplianceReviewer: {Home, TraderView},
	ComplianceLead:     {Home, TraderView, AuditView},
	FinanceMaker:       {Home, DepositView, DepositDecide, TraderView},
	FinanceChecker:     {Home, DepositView, DepositDecide, DepositConfirm, TraderView},
	FinanceLead:        {Home, DepositView, DepositDecide, DepositConfirm, TraderView, AuditView},
	SupportAgent:       {Home, TraderView, ProductView},
	SupportLead:        {Home, TraderView, ProductView},
	ContentEditor:      {Home},
	ContentPublisher:   {Home},
	Risk:               {Home, TraderView, ProductView, AuditView, DepositView},
	Auditor:            {Home, AuditView, TraderView, ProductView, DepositView, StaffView},
}

// Sensitive lists the roles that need a second person to be granted: money, verification and switches.
var Sensitive = map[Role]bool{
	ConfigAdmin: true, ConfigApprover: true, ComplianceReviewer: true, ComplianceLead: true,
	FinanceMaker: true, FinanceChecker: true, FinanceLead: true, Risk: true,
}

// Forbidden lists the pairs that one person must not hold.
var Forbidden = [][2]Role{
	{FinanceMaker, FinanceChecker}, {FinanceMaker, FinanceLead}, {FinanceChecker, FinanceLead},
	{ContentEditor, ContentPublisher}, {ConfigAdmin, ConfigApprover}, {ComplianceReviewer, ComplianceLead},
	{SuperAdmin, FinanceMaker}, {SuperAdmin, FinanceChecker}, {SuperAdmin, FinanceLead}, {SuperAdmin, ComplianceReviewer}, {SuperAdmin, ComplianceLead},
	{SuperAdmin, ConfigAdmin}, {SuperAdmin, ConfigApprover}, {SuperAdmin, Risk},
}
