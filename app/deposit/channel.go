package deposit

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/money"
	"candor/app/trader"
)

// Refusals of pay channels.
var (
	ErrNoChannel    = errs.New(errs.NotFound, "channel.unknown")
	ErrChannelState = errs.New(errs.Conflict, "channel.state")   // the act is not for its current state
	ErrChannelFixed = errs.New(errs.Refused, "channel.fixed")    // what a channel that was live pays into stays
	ErrNothingNew   = errs.New(errs.Refused, "channel.same")     // the request changes nothing
	ErrStale        = errs.New(errs.Conflict, "channel.changed") // another version than the one shown
)

// channelLasts is how long a request about a channel waits for its second person.
const channelLasts = 30 * 24 * time.Hour

// channelSettings declares the changes of channels: two people open one, and change an open one.
func channelSettings(e *approval.Engine) *approval.Settings[Channel] {
	return approval.NewSettings(e, approval.Use{Name: "pay_channel", Area: "channel", Target: "channel", Lasts: channelLasts}, approval.Settings[Channel]{
		Row:     func(c *Channel) approval.Row { return approval.Row{ID: c.ID, Version: c.Version, Fields: c.Fields()} },
		Unknown: ErrNoChannel, Changed: ErrStale, Same: ErrNothingNew,
	})
}

// ChannelChanges are the channels as two people change them.
func (s *Service) ChannelChanges() *approval.Settings[Channel] { return s.channels }

// Number is the display number of a channel.
func (c Channel) Number() string { return fmt.Sprintf("CH-%d", c.ID) }

// Draft reports whether the channel was never live. Those of development have no approval.
func (c Channel) Draft() bool {
	return c.Approval == nil && !c.Enabled && (c.ID == 0 || c.ID > lastSandboxID)
}

// Fields are what two people agree on, by the columns of the channel.
func (c *Channel) Fields() approval.Fields {
	return approval.Fields{
		"name": &c.Name, "currency": &c.Currency, "minimum": &c.Minimum, "maximum": &c.Maximum, "bank_account_id": &c.BankAccountID, "bank": &c.Bank, "holder": &c.Holder,
		"iban": &c.IBAN, "bic": &c.BIC, "sort": &c.Sort, "enabled": &c.Enabled, "provider": &c.Provider, "coin": &c.Coin, "chain": &c.Chain, "confirmations": &c.Confirmations,
		"countries": &c.Countries, "fee_rate": &c.OwnFee, "instructions": &c.Instructions,
	}
}

// OfferedIn reports whether traders who live in a country may use the channel.
func (c Channel) OfferedIn(country string) bool {
	return c.Countries == "" || slices.Contains(strings.Split(c.Countries, ","), country)
}

// Texts are a text by language, such as "en" and "zh_CN".
type Texts map[string]string

// In is the text in a language, or in English.
func (t Texts) In(language string) string { return cmp.Or(t[language], t[i18n.Reference]) }

// Value stores the texts as JSON.
func (t Texts) Value() (driver.Value, error) {
	raw, err := json.Marshal(map[string]string(t))
	if t == nil {
		return "{}", nil
	}
	return string(raw), err
}

// Scan reads what Value stored.
func (t *Texts) Scan(stored any) error {
	switch stored := stored.(type) {
	case string:
		return json.Unmarshal([]byte(stored), t)
	case []byte:
		return json.Unmarshal(stored, t)
	}
	return fmt.Errorf("texts stored as %T", stored)
}

const (
	channelNameLength = 60              // characters
	maxOwnFee         = 20 * money.Unit // percent
	// InstructionsLength is how long the instructions of a channel may be in one language, in characters.
	InstructionsLength = 1000
)

// tidyChannel normalizes a channel. It returns a field error for an invalid value.
func tidyChannel(c Channel) (Channel, error) {
	c.Name = strings.Join(strings.Fields(c.Name), " ")
	n := utf8.RuneCountInString(c.Name)
	bank := c.Kind == ByBank
	switch {
	case n < 2 || n > channelNameLength || !db.IsText(c.Name):
		return c, errs.Field("name", "field.length")
	case c.Minimum <= 0:
		return c, errs.Field("minimum", "field.positive")
	case c.Maximum < c.Minimum || c.Maximum > 1_000_000_000*money.Unit:
		return c, errs.Field("maximum", "field.range")
	case c.Sort < 1 || c.Sort > 999:
		return c, errs.Field("sort", "field.range")
	case !currencyForm.MatchString(c.Currency):
		return c, errs.Field("currency", "field.choice")
	case bank && c.BankAccountID == nil:
		return c, errs.Field("account", "field.choice")
	case bank && !InDollars(c.Currency):
		return c, errs.Field("account", "channel.dollars")
	case !bank && !InDollars(c.Currency):
		return c, errs.Field("currency", "channel.dollars")
	case !bank && c.Provider == "":
		return c, errs.Field("provider", "field.choice")
	case c.OwnFee != nil && (*c.OwnFee < 0 || *c.OwnFee > maxOwnFee):
		return c, errs.Field("fee", "field.range")
	case c.Kind == Crypto && (c.Coin == "" || c.Chain == ""):
		return c, errs.Field("chain", "field.choice")
	}
	if c.Countries, n = tidyCountries(c.Countries); n > 0 {
		return c, errs.Field("countries", "field.choice")
	}
	err := c.tidyInstructions()
	return c, err
}

// tidyInstructions drops empty texts; texts need one in English, which is shown where there is none. It returns a field error for an invalid text.
func (c *Channel) tidyInstructions() error {
	tidy := Texts{}
	for language, text := range c.Instructions {
		text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
		if utf8.RuneCountInString(text) > InstructionsLength || !db.IsText(text) {
			return errs.Field("instructions."+language, "field.length")
		}
		if text != "" {
			tidy[language] = text
		}
	}
	if len(tidy) > 0 && tidy[i18n.Reference] == "" {
		return errs.Field("instructions."+i18n.Reference, "field.required")
	}
	c.Instructions = tidy
	return nil
}

// tidyCountries sorts the codes of countries, and counts those that are none.
func tidyCountries(typed string) (codes string, wrong int) {
	list := slices.DeleteFunc(strings.Split(typed, ","), func(code string) bool { return code == "" })
	slices.Sort(list)
	list = slices.Compact(list)
	for _, code := range list {
		if !slices.ContainsFunc(trader.Countries(), func(c trader.Country) bool { return c.ISO == code }) {
			wrong++
		}
	}
	return strings.Join(list, ","), wrong
}

// InDollars reports whether money in a currency counts one to one. Nothing else is converted, so no other currency is taken.
func InDollars(currency string) bool { return currency == "USD" || currency == ledger.Currency }

// AllChannels lists every channel in the order of the traders.
func (s *Service) AllChannels(ctx context.Context) (list []Channel, err error) {
	return list, s.db.Rows(ctx).Order("sort, id").Limit(500).Find(&list).Error
}

// Providers lists the ids of the configured providers.
func (s *Service) Providers() []string {
	if s.providers == nil {
		return nil
	}
	return s.providers.IDs()
}

// ChannelByID reads a channel. It returns ErrNoChannel.
func (s *Service) ChannelByID(ctx context.Context, id int) (c Channel, err error) {
	if id < 1 || id > math.MaxInt32 {
		return c, ErrNoChannel
	}
	err = s.db.Rows(ctx).Where("id = ?", id).Take(&c).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = ErrNoChannel
	}
	return c, err
}

// DraftChannel adds a channel that is not live. Refusals: fields.
func (s *Service) DraftChannel(ctx context.Context, by audit.Actor, c Channel) (Channel, error) {
	c.ID, c.Enabled, c.Approval, c.Version = 0, false, nil, 1
	c, err := tidyChannel(c)
	if err != nil {
		return c, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c.ID = 0
		if err := tx.Rows.Create(&c).Error; err != nil {
			return fmt.Errorf("add a channel: %w", err)
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "channel.draft", "channel", c.ID))
	})
	return c, err
}

// RequestChannel asks another person to agree to what a channel becomes; it is live afterwards if c is enabled. What it pays into stays once it was live.
// Refusals: fields, ErrNoChannel, ErrStale, ErrChannelFixed, ErrNothingNew, approval.ErrNote, approval.ErrOpen.
func (s *Service) RequestChannel(ctx context.Context, by audit.Actor, id, version int, c Channel, note string) (a approval.Approval, err error) {
	return s.channels.Request(ctx, by, id, version, note, func(now Channel) (Channel, error) {
		c.ID, c.Kind, c.Version = now.ID, now.Kind, now.Version
		if !now.Draft() && !now.paysIntoSame(c) {
			return c, ErrChannelFixed
		}
		return tidyChannel(c)
	})
}

// paysIntoSame reports whether another form of the channel pays into the same account, or through the same provider.
func (c Channel) paysIntoSame(other Channel) bool {
	return deref(c.BankAccountID) == deref(other.BankAccountID) && c.IBAN == other.IBAN && c.Currency == other.Currency && c.Provider == other.Provider &&
		c.Coin == other.Coin && c.Chain == other.Chain
}

// SuspendChannel takes a live channel from the traders at once; one person is enough. Its open deposits go on. Refusals: ErrNoChannel, ErrStale,
// ErrChannelState, approval.ErrNote.
func (s *Service) SuspendChannel(ctx context.Context, by audit.Actor, id, version int, note string) error {
	return s.channels.Suspend(ctx, by, id, version, note, "enabled", "channel.suspend", func(c Channel) error {
		if !c.Enabled {
			return ErrChannelState
		}
		return nil
	})
}

// ChannelEffect counts whom a change of a channel meets.
type ChannelEffect struct {
	Open    int64 // deposits that have not ended: they keep what was shown to their traders
	Traders int64 // who used it in the last 30 days
	Outside int64 // deposits of the last 30 days that the new limits would have refused
}

// EffectOf counts the effect of new limits on a channel's traders.
func (s *Service) EffectOf(ctx context.Context, id int, minimum, maximum int64) (e ChannelEffect, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		SELECT (SELECT count(*) FROM deposits WHERE channel_id = $1 AND NOT (`+endedCondition+`)),
		       count(DISTINCT trader_id), count(*) FILTER (WHERE amount NOT BETWEEN $2 AND $3)
		FROM deposits WHERE channel_id = $1 AND created_at > $4`, id, minimum, maximum, s.clock.Now().AddDate(0, 0, -30)).Scan(&e.Open, &e.Traders, &e.Outside)
	if err != nil {
		return e, fmt.Errorf("count the deposits of channel %d: %w", id, err)
	}
	return e, nil
}
