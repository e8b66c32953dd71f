// Package payee stores where a trader's money may be sent: chain addresses and bank accounts, each usable a day after it was saved.
package payee

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Kind distinguishes addresses from bank accounts.
type Kind string

// The kinds of payees.
const (
	OnChain Kind = "address"
	AtBank  Kind = "bank"
)

// State is a payee's state at a moment.
type State string

// The states of a payee. Cooling turns into Active by time alone. For Cooldown after its removal, a payee can return to its previous state.
const (
	Cooling State = "cooling"
	Active  State = "active"
	Removed State = "removed"
)

// Limits.
const (
	Cooldown    = 24 * time.Hour // from saving a payee or loosening a rule until it takes effect; also the time to restore a payee
	MaxLiving   = 20             // payees of one trader
	labelLength = 40
	nameLength  = 70 // of a bank, and of an account's holder
)

// Refusals.
var (
	ErrOff       = errs.New(errs.Refused, "module_disabled")
	ErrMock      = errs.New(errs.Forbidden, "account.mock") // mock accounts send no money
	ErrUnknown   = errs.New(errs.NotFound, "payee.unknown")
	ErrCooling   = errs.New(errs.Refused, "payee.cooling") // with the moment in milliseconds, and the hours until then (rounded up)
	ErrTooMany   = errs.New(errs.Refused, "payee.too_many")
	ErrOnlySaved = errs.New(errs.Refused, "payee.only_saved") // no new payees while the rule holds
	ErrExists    = errs.New(errs.Conflict, "payee.exists")
	ErrRemoved   = errs.New(errs.Refused, "payee.removed")     // within Cooldown: it can be restored
	ErrLookalike = errs.New(errs.Refused, "payee.lookalike")   // starts and ends like another one; the trader may confirm it
	ErrChain     = errs.New(errs.Refused, "payee.wrong_chain") // with the chain that it looks like
	ErrHouse     = errs.New(errs.Refused, "payee.house")       // an account of ours
	errCoin      = errs.Field("coin", "field.choice")
	errNetwork   = errs.Field("chain", "field.choice")
	errAddress   = errs.Field("address", "field.address")
	errChecksum  = errs.Field("address", "field.address_checksum")
	errMemo      = errs.Field("memo", "field.unknown")
	errLabel     = errs.Field("label", "field.length")
	errHolder    = errs.Field("holder", "field.length")
	errBank      = errs.Field("bank", "field.length")
	errIBAN      = errs.Field("iban", "field.iban")
	errBIC       = errs.Field("bic", "field.bic")
)

// Payee is one destination of a trader's money: an address of a coin on a chain, or a bank account.
type Payee struct {
	ID           int64
	TraderID     int64
	Kind         Kind
	Coin         string
	Chain        string
	Address      string
	Memo         string
	Label        string
	HolderKey    []byte `json:"-"` // of the sealed holder's name of a bank account: Service.Holder opens it
	HolderSealed []byte
	Bank         string
	IBAN         string `gorm:"column:iban"`
	BIC          string `gorm:"column:bic"`
	Preferred    bool   // the bank account that a withdrawal proposes
	UsableFrom   time.Time
	RemovedAt    *time.Time
	CreatedAt    time.Time
	Version      int
}

// TableName is GORM's name of the table.
func (Payee) TableName() string { return "payees" }

// State is the payee's state at a moment.
func (p Payee) State(now time.Time) State {
	switch {
	case p.RemovedAt != nil:
		return Removed
	case now.Before(p.UsableFrom):
		return Cooling
	}
	return Active
}

// GoneAt is when a removed payee can no longer be restored; nil for a current one.
func (p Payee) GoneAt() *time.Time {
	if p.RemovedAt == nil {
		return nil
	}
	at := p.RemovedAt.Add(Cooldown)
	return &at
}

// usable returns ErrCooling for a payee that may not be paid yet.
func (p Payee) usable(now time.Time) error {
	left := p.UsableFrom.Sub(now)
	if left <= 0 {
		return nil
	}
	return ErrCooling.With("until", p.UsableFrom.UnixMilli()).With("hours", int64((left+time.Hour-1)/time.Hour))
}

// Short identifies the payee to staff by its first 6 and last 4 characters.
func (p Payee) Short() string { return p.short() }

// short identifies the payee in a message by its first 6 and last 4 characters.
func (p Payee) short() string {
	text := p.Address
	if p.Kind == AtBank {
		text = p.IBAN
	}
	return text[:6] + "…" + text[len(text)-4:]
}

// Settings are a trader's own rules for where money may go.
type Settings struct {
	TraderID      int64 `gorm:"primaryKey"`
	WhitelistOnly bool
	PendingOffAt  *time.Time // when the rule ends
	Version       int
}

// TableName is GORM's name of the table.
func (Settings) TableName() string { return "payee_settings" }

// OnlySaved reports whether only saved payees are allowed: nothing new can be saved while the rule holds.
func (s Settings) OnlySaved(now time.Time) bool {
	return s.WhitelistOnly && (s.PendingOffAt == nil || now.Before(*s.PendingOffAt))
}

// open returns ErrOnlySaved while only saved payees are allowed.
func (s Settings) open(now time.Time) error {
	if s.OnlySaved(now) {
		return ErrOnlySaved
	}
	return nil
}

// Ending is when the current rule ends; nil if it does not hold or no end is requested.
func (s Settings) Ending(now time.Time) *time.Time {
	if !s.OnlySaved(now) {
		return nil
	}
	return s.PendingOffAt
}

// line returns one printable line of text without the spaces around it, or the refusal.
func line(text string, most int, refusal error) (string, error) {
	text = strings.TrimSpace(text)
	n := utf8.RuneCountInString(text)
	if n == 0 || n > most || !db.IsText(text) || strings.ContainsFunc(text, unprintable) {
		return "", refusal
	}
	return text, nil
}

// unprintable reports control characters and those that change the text direction: a name must not imitate another.
func unprintable(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
