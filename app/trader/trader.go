// Package trader keeps the customers: they register with a code, log in, and switch between up to ten real and mock accounts; guests try a mock account.
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
	"candor/app/platform/names"
)

// Types of traders and accounts, as the spec numbers them.
const (
	Ordinary    = 1 // real
	PartnerType = 4 // real, of a partner: whose invitations earn by tiers
	MockType    = 5 // the mock account of a registered trader
	GuestType   = 8 // a guest, and a guest's mock account
	minLength   = 8
	maxLength   = 128
)

// The verification status that the app shows, as the spec numbers it.
const (
	AuthNone   = -1
	AuthReview = 1
	AuthFailed = 2
	AuthPassed = 3
)

// Refusals.
var (
	ErrCredentials  = errs.New(errs.Refused, "login.wrong") // the same for an unknown account and a wrong password
	ErrCodeRequired = errs.New(errs.Refused, "login.code_required")
	ErrTaken        = errs.New(errs.Refused, "register.not_possible") // does not reveal whether the address is known
	ErrInvitation   = errs.Field("invitationCode", "field.unknown")

	ErrOwnInvitation = errs.Field("invitationCode", "field.invitation_own") // the inviter has used the device: nobody earns on themselves
	ErrDemoOff       = errs.New(errs.Refused, "module_disabled")
	ErrTopUp         = errs.New(errs.Refused, "demo.top_up")
	ErrTopUpOpen     = errs.New(errs.Refused, "demo.top_up_open")
	ErrGuest         = errs.New(errs.Refused, "guest.register") // guests have only mock money
	ErrLoginCode     = errs.New(errs.Refused, "login.link_used")
	ErrPhone         = errs.New(errs.Refused, "contact.phone_not_offered") // no sender for telephones
	ErrNoEmail       = errs.New(errs.Refused, "contact.no_email")          // registered with a telephone, or a guest
)

// Trader is a customer, with the contacts that were verified. A guest has no address and none of the other registration data; those
// empty fields are NULL in the table.
type Trader struct {
	ID           int64
	Email        *string
	Phone        *string
	Name         string
	PasswordHash string `gorm:"default:null"`
	Country      string `gorm:"default:null"`
	Language     string
	Type         int
	AuthStatus   int
	Level        int
	InviteCode   string `gorm:"default:null"`
	InvitedBy    *int64
	AcceptedAt   time.Time `gorm:"default:null"`
	CreatedAt    time.Time
	Wallet       *string    // the Ethereum address that logs in, in lower case
	Phrase       string     `gorm:"default:null"` // in every mail of ours, so that the trader can tell it from a forged one
	ClosesAt     *time.Time // when the account closes, at the trader's request
	ToldAt       *time.Time // when the trader was told for the last time
	ClosedAt     *time.Time // when everything was erased that may be
}

// newFor is how long a trader is tagged as new.
const newFor = 30 * 24 * time.Hour

// Tag is what the facts make of a trader at a moment: partner, verified_plus, verified, new, or nothing. Nobody sets it.
func (t Trader) Tag(now time.Time) string {
	switch {
	case t.Type == PartnerType:
		return "partner"
	case t.AuthStatus == AuthPassed && t.Level > 1:
		return "verified_plus"
	case t.AuthStatus == AuthPassed:
		return "verified"
	case !t.Guest() && now.Sub(t.CreatedAt) < newFor:
		return "new"
	}
	return ""
}

// TableName is GORM's name of the table.
func (Trader) TableName() string { return "traders" }

// ExampleDomain is the domain of examples' e-mail addresses. It receives no mail (RFC 2606).
const ExampleDomain = "@demo.example"

// IsExample reports whether an e-mail address belongs to an example.
func IsExample(email string) bool { return strings.HasSuffix(email, ExampleDomain) }

// Example reports whether the trader is an example, not a real person.
func (t Trader) Example() bool { return t.Email != nil && IsExample(*t.Email) }

// MaskedName is the name with its middle hidden, only to recognise it by. A guest's name is not masked, nor a wallet's, which has no middle.
func (t Trader) MaskedName() string {
	if t.Guest() || t.Wallet != nil && t.Name == t.walletAddress().Short() {
		return t.Name
	}
	return Mask(t.Name)
}

// Acting is the trader as an audit actor, with the origin from.
func (t Trader) Acting(from audit.Actor) audit.Actor {
	from.Kind, from.ID, from.Name = audit.Trader, t.ID, t.MaskedName()
	return from
}

// MaskedMail is the e-mail address with its middle hidden; empty without one.
func (t Trader) MaskedMail() string {
	if t.Email == nil {
		return ""
	}
	return Mask(*t.Email)
}

// MaskedPhone is the telephone number with its middle hidden; empty without one.
func (t Trader) MaskedPhone() string {
	if t.Phone == nil {
		return ""
	}
	return Mask(*t.Phone)
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

// address is a normalised e-mail address or telephone number.
type address struct {
	text  string
	phone bool
}

// channel is the delivery channel of the address.
func (a address) channel() mail.Channel {
	if a.phone {
		return mail.SMS
	}
	return mail.Mail
}

// parseAddress parses typed text: an e-mail address, or a telephone number with its country code.
func parseAddress(text string) (address, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "+") {
		number, ok := parseMobile(text)
		if !ok {
			return address{}, errs.Field("account", "field.phone")
		}
		return address{number, true}, nil
	}
	parsed, err := netmail.ParseAddress(text)
	plain := err == nil && parsed.Address == text && len(text) <= 254 && !strings.ContainsAny(text, "\"\\<>()[],;:") && !strings.ContainsFunc(text, names.Hidden)
	if !plain || !strings.Contains(text[strings.LastIndex(text, "@")+1:], ".") {
		return address{}, errs.Field("account", "field.account")
	}
	return address{strings.ToLower(text), false}, nil
}

// ParsePhone converts a telephone number with its country code to E.164; ok is false when it is invalid.
func ParsePhone(text string) (number string, ok bool) {
	parsed, err := phonenumbers.Parse(text, "")
	if err != nil || !phonenumbers.IsValidNumber(parsed) {
		return "", false
	}
	return phonenumbers.Format(parsed, phonenumbers.E164), true
}

// parseMobile is ParsePhone for a number that texts are sent to: mobile ones of a country. Texts to premium-rate, shared-cost and satellite numbers would cost the
// house, and earn whoever asks for them.
func parseMobile(text string) (number string, ok bool) {
	parsed, err := phonenumbers.Parse(text, "")
	if err != nil {
		return "", false
	}
	switch phonenumbers.GetNumberType(parsed) {
	case phonenumbers.MOBILE, phonenumbers.FIXED_LINE_OR_MOBILE:
	default:
		return "", false
	}
	if phonenumbers.GetRegionCodeForNumber(parsed) == noCountry {
		return "", false
	}
	return ParsePhone(text)
}

// noCountry is the region of numbers that belong to no country, such as those of satellites.
const noCountry = "001"

// CheckPassword requires 8 to 128 characters of any kind, and refuses common passwords.
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
