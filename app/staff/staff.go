// Package staff manages back-office users: they join by a one-time link, sign in with a password and a code, and have roles that others granted.
package staff

import (
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/trader"
)

// State is a person's state; only an active one can sign in.
type State string

// The states of a person.
const (
	Invited  State = "invited" // has a link, no password yet
	Active   State = "active"
	Disabled State = "disabled"
)

// Person is a member of staff.
type Person struct {
	ID           int64
	Email        string
	Name         string
	Language     string  `gorm:"default:en"` // of the back office's pages, as the catalogue names it
	Phone        *string // E.164, compared with traders' numbers; nil when unknown
	PasswordHash string
	TOTPKey      []byte `gorm:"column:totp_key"`    // wraps the sealed secret's key; nil until an authenticator is set up
	TOTPSealed   []byte `gorm:"column:totp_sealed"` // the secret, bound to the person
	TOTPStep     int64  `gorm:"column:totp_step"`   // the last step used, so that a code works once
	State        State
	SessionEpoch int // sessions of an older epoch have ended
	Version      int
	SignedInAt   *time.Time
	CreatedAt    time.Time
	AdminLostAt  *time.Time // when another member took the powers of a super admin away
	Roles        []Role     `gorm:"-"`
}

// TableName is GORM's name of the table.
func (Person) TableName() string { return "staff" }

// Has reports whether the person has a role.
func (p Person) Has(r Role) bool { return slices.Contains(p.Roles, r) }

// Acting is the person as an audit actor, with their current roles and the origin from.
func (p Person) Acting(from audit.Actor) audit.Actor {
	roles := make([]string, len(p.Roles))
	for i, role := range p.Roles {
		roles[i] = string(role)
	}
	from.Kind, from.ID, from.Name, from.Roles = audit.Staff, p.ID, p.Name, strings.Join(roles, ",")
	return from
}

// Ready reports whether the person can sign in.
func (p Person) Ready() bool {
	return p.State == Active && p.PasswordHash != "" && p.HasAuthenticator()
}

// Refusals.
var (
	ErrSignIn    = errs.New(errs.Refused, "signin.wrong")          // the same for an unknown account, a wrong password and a blocked person
	ErrCode      = errs.New(errs.Refused, "signin.code_wrong")     // wrong, or used before
	ErrSignedOut = errs.New(errs.Unauthenticated, "signin.needed") // no session, or an ended one
	ErrNotAdmin  = errs.New(errs.Forbidden, "staff.not_admin")     // recovery codes are for super admins
	ErrLink      = errs.New(errs.NotFound, "link.used")            // the same for unknown, used and expired
	ErrUnknown   = errs.New(errs.NotFound, "staff.unknown")
	ErrTaken     = errs.Field("email", "field.staff_known")
	ErrSelf      = errs.New(errs.Forbidden, "staff.self")            // no act on one's own account
	ErrLastAdmin = errs.New(errs.Refused, "staff.last_admin")        // staff would have no administrator
	ErrState     = errs.New(errs.Conflict, "staff.state")            // not allowed in this state
	ErrRole      = errs.Field("role", "field.choice")                // no such role
	ErrHasRole   = errs.New(errs.Conflict, "staff.role_held")        // already granted
	ErrAsked     = errs.New(errs.Conflict, "staff.role_asked")       // already requested
	ErrPair      = errs.New(errs.Refused, "staff.role_pair")         // one person must not have both; Args other
	ErrNoRole    = errs.New(errs.Conflict, "staff.role_not_held")    // already revoked
	ErrDisabled  = errs.New(errs.Refused, "staff.disabled_no_roles") // disabled people get no roles
)

// checkEmail normalises an address.
func checkEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	plain := err == nil && parsed.Address == text && len(text) <= 254 && !strings.ContainsAny(text, "\"\\<>()[],;: \t\r\n")
	if !plain || !strings.Contains(text[strings.LastIndex(text, "@")+1:], ".") {
		return "", errs.Field("email", "field.email")
	}
	return strings.ToLower(text), nil
}

// checkPhone converts a telephone number to E.164; an empty one stays empty.
func checkPhone(text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	number, ok := trader.ParsePhone(text)
	if !ok {
		return "", errs.Field("phone", "field.phone")
	}
	return number, nil
}

// checkName requires 1 to 80 printable characters.
func checkName(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	printable := !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
	if n := utf8.RuneCountInString(text); n < 1 || n > 80 || !utf8.ValidString(text) || !printable {
		return "", errs.Field("name", "field.name")
	}
	return text, nil
}
