// Package staff knows the people of the back office: they come by a one-time link, sign in with a password and a code, and hold roles that others gave them.
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

// State says whether a person may come in.
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
	Phone        *string // E.164, compared with the phone numbers of traders; nil when none is known
	PasswordHash string
	TOTPKey      []byte `gorm:"column:totp_key"`    // of the sealed secret; nil until an authenticator is set up
	TOTPSealed   []byte `gorm:"column:totp_sealed"` // the secret, bound to the person
	TOTPStep     int64  `gorm:"column:totp_step"`   // the last step used, so that a code works once
	State        State
	SessionEpoch int // sessions of an older epoch are dead
	Version      int
	SignedInAt   *time.Time
	CreatedAt    time.Time
	Roles        []Role `gorm:"-"`
}

// TableName is GORM's name of the table.
func (Person) TableName() string { return "staff" }

// Has tells whether the person holds a role.
func (p Person) Has(r Role) bool { return slices.Contains(p.Roles, r) }

// Acting is the person as the audit log knows one, with the roles of this moment, at the place that from names.
func (p Person) Acting(from audit.Actor) audit.Actor {
	roles := make([]string, len(p.Roles))
	for i, role := range p.Roles {
		roles[i] = string(role)
	}
	from.Kind, from.ID, from.Name, from.Roles = audit.Staff, p.ID, p.Name, strings.Join(roles, ",")
	return from
}

// Ready tells whether the person can sign in.
func (p Person) Ready() bool {
	return p.State == Active && p.PasswordHash != "" && p.HasAuthenticator()
}

// Refusals.
var (
	ErrSignIn     = errs.New(errs.Refused, "signin.wrong")          // one answer for an unknown account, a wrong password and a person who may not come in
	ErrCode       = errs.New(errs.Refused, "signin.code_wrong")     // wrong, or used before
	ErrSignedOut  = errs.New(errs.Unauthenticated, "signin.needed") // no session, or one that was ended
	ErrLink       = errs.New(errs.NotFound, "link.used")            // unknown, used or too old: one answer
	ErrUnknown    = errs.New(errs.NotFound, "staff.unknown")
	ErrTaken      = errs.Field("email", "field.staff_known")
	ErrSelf       = errs.New(errs.Forbidden, "staff.self")            // nobody acts on their own account
	ErrLastAdmin  = errs.New(errs.Refused, "staff.last_admin")        // somebody must be left to manage staff
	ErrState      = errs.New(errs.Conflict, "staff.state")            // not from this state
	ErrRole       = errs.Field("role", "field.choice")                // no such role
	ErrHasRole    = errs.New(errs.Conflict, "staff.role_held")        // holds it already
	ErrAsked      = errs.New(errs.Conflict, "staff.role_asked")       // somebody asked for it already
	ErrPair       = errs.New(errs.Refused, "staff.role_pair")         // one person must not hold both; Args other
	ErrOwnRequest = errs.New(errs.Forbidden, "staff.role_own")        // the second person is another one than the first
	ErrNotOpen    = errs.New(errs.Conflict, "staff.role_decided")     // somebody decided it meanwhile
	ErrNotAsker   = errs.New(errs.Forbidden, "staff.role_not_asker")  // only who asked withdraws
	ErrNoRole     = errs.New(errs.Conflict, "staff.role_not_held")    // revoked meanwhile
	ErrDisabled   = errs.New(errs.Refused, "staff.disabled_no_roles") // roles are given to people who work here
)

// checkEmail brings an address into its one form.
func checkEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	plain := err == nil && parsed.Address == text && len(text) <= 254 && !strings.ContainsAny(text, "\"\\<>()[],;: \t\r\n")
	if !plain || !strings.Contains(text[strings.LastIndex(text, "@")+1:], ".") {
		return "", errs.Field("email", "field.email")
	}
	return strings.ToLower(text), nil
}

// checkPhone brings a telephone number into E.164; nothing stays nothing.
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

// checkName demands 1 to 80 printable characters.
func checkName(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	printable := !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
	if n := utf8.RuneCountInString(text); n < 1 || n > 80 || !utf8.ValidString(text) || !printable {
		return "", errs.Field("name", "field.name")
	}
	return text, nil
}
