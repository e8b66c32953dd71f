package staff

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// Role is a set of permissions. The back office's policy defines them; this package decides who may have which role.
type Role string

// The roles.
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

// Roles lists every role in display order.
var Roles = []Role{
	SuperAdmin, ConfigAdmin, ConfigApprover, ComplianceReviewer, ComplianceLead, FinanceMaker, FinanceChecker, FinanceLead,
	SupportAgent, SupportLead, ContentEditor, ContentPublisher, Risk, Auditor,
}

// Sensitive lists the roles that a second person must grant: money, verification and switches.
var Sensitive = map[Role]bool{
	ConfigAdmin: true, ConfigApprover: true, ComplianceReviewer: true, ComplianceLead: true,
	FinanceMaker: true, FinanceChecker: true, FinanceLead: true, Risk: true,
}

// The policy of the back office in Casbin's format: roles with their inheritance and permissions, and the pairs of roles that one person must not combine.
var (
	//go:embed model.conf
	PolicyModel string
	//go:embed policy.csv
	PolicyRules string
)

// Forbidden lists the pairs of roles that one person must not combine: the p2 lines of the policy.
var Forbidden = forbiddenPairs(PolicyRules)

func forbiddenPairs(rules string) (pairs [][2]Role) {
	lines := csv.NewReader(strings.NewReader(rules))
	lines.Comment, lines.TrimLeadingSpace, lines.FieldsPerRecord = '#', true, -1
	all, err := lines.ReadAll()
	if err != nil {
		panic(fmt.Sprint("the policy of the back office: ", err)) // embedded
	}
	for _, line := range all {
		if line[0] == "p2" {
			pairs = append(pairs, [2]Role{Role(line[1]), Role(line[2])})
		}
	}
	return pairs
}

// Known reports whether a role exists.
func (r Role) Known() bool { return slices.Contains(Roles, r) }

// Apart lists the roles that a person with r must not have, in display order.
func (r Role) Apart() (out []Role) {
	for _, other := range Roles {
		if _, clash := r.clashes([]Role{other}); clash {
			out = append(out, other)
		}
	}
	return out
}

// clashes finds the first role that must not be combined with r.
func (r Role) clashes(with []Role) (other Role, found bool) {
	for _, pair := range Forbidden {
		for _, other := range with {
			if pair == [2]Role{r, other} || pair == [2]Role{other, r} {
				return other, true
			}
		}
	}
	return "", false
}
