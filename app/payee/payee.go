// Package payee keeps where a trader's money may be sent: saved addresses on chains and bank accounts, each usable a day after it was saved.
package payee

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Kind tells addresses and bank accounts apart.
type Kind string

// The kinds of payees.
const (
	OnChain Kind = "address"
	AtBank  Kind = "bank"
)

// State is where a payee stands at a moment.
type State string

// The states of a payee. The first turns into the second by time alone; from the last one leads back for Cooldown, to where the payee was.
const (
	Cooling State = "cooling"
	Active  State = "active"
	Removed State = "removed"
)

// Limits.
const (
	Cooldown    = 24 * time.Hour // between saving a payee, or loosening a rule, and money that goes there; and the time to restore one
	MaxLiving   = 20             // payees of one trader
	labelLength = 40
	nameLength  = 70 // of a bank, and of who holds an account
)

// Refusals.
var (
	ErrOff       = errs.New(errs.Refused, "module_disabled")
	ErrMock      = errs.New(errs.Forbidden, "account.mock") // mock accounts send no money
	ErrUnknown   = errs.New(errs.NotFound, "payee.unknown")
	ErrCooling   = errs.New(errs.Refused, "payee.cooling") // with the moment in milliseconds, and the hours until then
	ErrTooMany   = errs.New(errs.Refused, "payee.too_many")
	ErrOnlySaved = errs.New(errs.Refused, "payee.only_saved") // nothing new while the rule holds
	ErrExists    = errs.New(errs.Conflict, "payee.exists")
	ErrRemoved   = errs.New(errs.Refused, "payee.removed")     // a moment ago: it may be restored
	ErrLookalike = errs.New(errs.Refused, "payee.lookalike")   // begins and ends as another one; the trader may confirm it
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

// Payee is one place that a trader's money may go to: an address of a coin on a chain, or a bank account.
type Payee struct {
	ID           int64
	TraderID     int64
	Kind         Kind
	Coin         string
	Chain        string
	Address      string
	Memo         string
	Label        string
	HolderKey    []byte `json:"-"` // of the sealed name that a bank account is in: Service.Holder opens it
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

// State is where the payee stands.
func (p Payee) State(now time.Time) State {
	switch {
	case p.RemovedAt != nil:
		return Removed
	case now.Before(p.UsableFrom):
		return Cooling
	}
	return Active
}

// GoneAt is when a removed payee can't be restored any more; nil for a living one.
func (p Payee) GoneAt() *time.Time {
	if p.RemovedAt == nil {
		return nil
	}
	at := p.RemovedAt.Add(Cooldown)
	return &at
}

// usable refuses a payee that money may not go to yet. It returns ErrCooling.
func (p Payee) usable(now time.Time) error {
	left := p.UsableFrom.Sub(now)
	if left <= 0 {
		return nil
	}
	return ErrCooling.With("until", p.UsableFrom.UnixMilli()).With("hours", int64((left+time.Hour-1)/time.Hour))
}

// Short is enough of the payee for staff to recognise it by.
func (p Payee) Short() string { return p.short() }

// short is enough of the payee to recognise it by in a message.
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
	PendingOffAt  *time.Time // from then on the rule no longer holds
	Version       int
}

// TableName is GORM's name of the table.
func (Settings) TableName() string { return "payee_settings" }

// OnlySaved tells whether the payees that are saved are all there may be: nothing new is saved while the rule holds.
func (s Settings) OnlySaved(now time.Time) bool {
	return s.WhitelistOnly && (s.PendingOffAt == nil || now.Before(*s.PendingOffAt))
}

// open refuses something new while only what is saved counts. It returns ErrOnlySaved.
func (s Settings) open(now time.Time) error {
	if s.OnlySaved(now) {
		return ErrOnlySaved
	}
	return nil
}

// Ending is when the rule ends that holds now; nil where it does not hold or no end is asked for.
func (s Settings) Ending(now time.Time) *time.Time {
	if !s.OnlySaved(now) {
		return nil
	}
	return s.PendingOffAt
}

// line is one line of text as a person may write it, without the spaces around it.
func line(text string, most int, refusal error) (string, error) {
	text = strings.TrimSpace(text)
	n := utf8.RuneCountInString(text)
	if n == 0 || n > most || !db.IsText(text) || strings.ContainsFunc(text, unprintable) {
		return "", refusal
	}
	return text, nil
}

// unprintable tells line breaks and the characters that turn the direction of what follows: a name must not pretend to be another.
func unprintable(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
