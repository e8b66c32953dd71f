// Package trader knows the customers: they register with a code, log in, and change between their real and their mock account; guests try a mock account.
package trader

import (
	netmail "net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"

	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/platform/mail"
)

// Types of traders and accounts, as the spec numbers them.
const (
	Ordinary  = 1 // real
	MockType  = 5 // the mock account of a registered trader
	GuestType = 8 // a guest, and a guest's mock account
	minLength = 8
	maxLength = 128
)

// What the app shows of a trader's identity, as the spec numbers it.
const (
	AuthNone   = -1
	AuthReview = 1
	AuthFailed = 2
	AuthPassed = 3
)

// Refusals.
var (
	ErrCredentials  = errs.New(errs.Refused, "login.wrong") // one answer for an unknown account and a wrong password
	ErrCodeRequired = errs.New(errs.Refused, "login.code_required")
	ErrTaken        = errs.New(errs.Refused, "register.not_possible") // does not say whether the address is known
	ErrInvitation   = errs.Field("invitationCode", "field.unknown")
	ErrDemoOff      = errs.New(errs.Refused, "module_disabled")
	ErrTopUp        = errs.New(errs.Refused, "demo.top_up")
	ErrTopUpOpen    = errs.New(errs.Refused, "demo.top_up_open")
	ErrGuest        = errs.New(errs.Refused, "guest.register") // guests have mock money and nothing else
	ErrLoginCode    = errs.New(errs.Refused, "login.link_used")
	ErrPhone        = errs.New(errs.Refused, "contact.phone_not_offered") // no sender delivers to telephones
)

// Trader is a customer. Exactly the address that was proved at registration is set. A guest has no address, nor anything else that registering
// asks for: what is empty here then is NULL in the table.
type Trader struct {
	ID           int64
	Email        *string
	Phone        *string
	Name         string
	PasswordHash string `gorm:"default:null"`
	Country      string `gorm:"default:null"`
	Language     string
	Type         int
	UserTag      string
	AuthStatus   int
	Level        int
	InviteCode   string `gorm:"default:null"`
	InvitedBy    *int64
	AcceptedAt   time.Time `gorm:"default:null"`
	CreatedAt    time.Time
}

// TableName is GORM's name of the table.
func (Trader) TableName() string { return "traders" }

// ExampleDomain is where the e-mail addresses of examples end. Nobody can receive mail there (RFC 2606).
const ExampleDomain = "@demo.example"

// IsExample tells whether an e-mail address is that of an example.
func IsExample(email string) bool { return strings.HasSuffix(email, ExampleDomain) }

// Example tells whether the trader was made to show something, and is nobody.
func (t Trader) Example() bool { return t.Email != nil && IsExample(*t.Email) }

// MaskedName is the name with its middle hidden: enough to recognise oneself. A guest's name hides nothing.
func (t Trader) MaskedName() string {
	if t.Guest() {
		return t.Name
	}
	return Mask(t.Name)
}

// Acting is the trader as the audit log knows one, at the place that from names.
func (t Trader) Acting(from audit.Actor) audit.Actor {
	from.Kind, from.ID, from.Name = audit.Trader, t.ID, t.MaskedName()
	return from
}

// MaskedMail is the e-mail address with its middle hidden, or nothing.
func (t Trader) MaskedMail() string {
	if t.Email == nil {
		return ""
	}
	return Mask(*t.Email)
}

// Mask hides the middle of a name, an e-mail address or a phone number.
func Mask(text string) string {
	if strings.HasPrefix(text, "+") && len(text) > 7 {
		return text[:3] + "***" + text[len(text)-2:]
	}
	local, domain, isMail := strings.Cut(text, "@")
	runes := []rune(local)
	switch {
	case len(runes) <= 1:
		local = "*"
	case len(runes) <= 4:
		local = string(runes[:1]) + "***"
	default:
		local = string(runes[:2]) + "***" + string(runes[len(runes)-1:])
	}
	if isMail {
		return local + "@" + domain
	}
	return local
}

// address is an e-mail address or a telephone number in its one normal form.
type address struct {
	text  string
	phone bool
}

// channel is the way a message takes to the address.
func (a address) channel() mail.Channel {
	if a.phone {
		return mail.SMS
	}
	return mail.Mail
}

// parseAddress reads what a person typed: an e-mail address, or a telephone number with its country code.
func parseAddress(text string) (address, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "+") {
		number, ok := ParsePhone(text)
		if !ok {
			return address{}, errs.Field("account", "field.phone")
		}
		return address{number, true}, nil
	}
	parsed, err := netmail.ParseAddress(text)
	plain := err == nil && parsed.Address == text && len(text) <= 254 && !strings.ContainsAny(text, "\"\\<>()[],;: \t\r\n")
	if !plain || !strings.Contains(text[strings.LastIndex(text, "@")+1:], ".") {
		return address{}, errs.Field("account", "field.account")
	}
	return address{strings.ToLower(text), false}, nil
}

// ParsePhone brings a telephone number with its country code into E.164; ok is false when it is not complete.
func ParsePhone(text string) (number string, ok bool) {
	parsed, err := phonenumbers.Parse(text, "")
	if err != nil || !phonenumbers.IsValidNumber(parsed) {
		return "", false
	}
	return phonenumbers.Format(parsed, phonenumbers.E164), true
}

// CheckPassword demands 8 to 128 characters of any kind, and none of the passwords that everybody tries first.
func CheckPassword(password string) error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password) || n < minLength:
		return errs.Field("password", "field.password_short")
	case n > maxLength:
		return errs.Field("password", "field.password_long")
	case common[strings.ToLower(password)]:
		return errs.Field("password", "field.password_common")
	}
	return nil
}
