package deposit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// euro is a valid draft of a bank channel.
func (b *bundle) euro() deposit.Channel {
	account := 1
	b.exec(`INSERT INTO bank_accounts (id, name, bank, holder, iban, bic, currency, client, open, created_at) VALUES (1, 'A', 'B', 'C', 'DE1', '', 'USD', true, true, now()) ON CONFLICT DO NOTHING`)
	return deposit.Channel{
		Kind: deposit.ByBank, Name: "Bank transfer, USD", Currency: "USD", Minimum: 50 * money.Unit, Maximum: 25_000 * money.Unit, Sort: 3, BankAccountID: &account, Bank: "B", Holder: "C", IBAN: "DE1",
	}
}

func (b *bundle) requestChannel(c deposit.Channel) (approval.Approval, error) {
	b.Helper()
	return b.deposits.RequestChannel(b.Context(), b.maker, c.ID, c.Version, c, "The bank's letter of 16 November")
}

func TestTwoPeopleOpenAChannel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draft, err := b.deposits.DraftChannel(t.Context(), b.maker, b.euro())
	require.NoError(t, err)
	require.True(t, draft.Draft())
	listed := func() bool {
		list, err := b.deposits.Channels(t.Context(), "DE")
		require.NoError(t, err)
		for _, c := range list {
			if c.ID == draft.ID {
				return true
			}
		}
		return false
	}
	require.False(t, listed(), "traders don't see a draft")
	live := draft
	live.Enabled = true
	a, err := b.requestChannel(live)
	require.NoError(t, err)
	require.ErrorIs(t, b.deposits.ChannelChanges().Agree(t.Context(), b.maker, a), approval.ErrSamePerson)
	other := draft
	other.ID++
	asked, err := b.deposits.ChannelChanges().Undecided(t.Context(), other, draft)
	require.NoError(t, err)
	require.Len(t, asked, 1, "the other channel has no request")
	require.Equal(t, []any{a.ID, true, draft.ID}, []any{asked[draft.ID].ID, asked[draft.ID].Becomes.Enabled, asked[draft.ID].Becomes.ID})
	require.NoError(t, b.deposits.ChannelChanges().Agree(t.Context(), b.checker, a))
	require.True(t, listed())

	now, err := b.deposits.ChannelByID(t.Context(), draft.ID)
	require.NoError(t, err)
	_, err = b.requestChannel(now)
	require.ErrorIs(t, err, deposit.ErrNothingNew)
	other = now
	other.IBAN = "DE2"
	_, err = b.requestChannel(other)
	require.ErrorIs(t, err, deposit.ErrChannelFixed, "another account is another channel")
	old := now
	old.Version = 1
	_, err = b.requestChannel(old)
	require.ErrorIs(t, err, deposit.ErrStale)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE pay_channels SET maximum = maximum + 1 WHERE id = $1`, draft.ID)
	require.ErrorContains(t, err, "approval", "the database refuses what nobody approved")

	higher := now
	higher.Maximum = 50_000 * money.Unit
	a, err = b.requestChannel(higher)
	require.NoError(t, err)
	require.NoError(t, b.deposits.ChannelChanges().Decline(t.Context(), b.checker, a, "Not this month"))
	require.NoError(t, b.deposits.SuspendChannel(t.Context(), b.checker, now.ID, now.Version, "The bank has an outage"))
	require.False(t, listed(), "one person is enough to suspend")
	require.ErrorIs(t, b.deposits.SuspendChannel(t.Context(), b.checker, now.ID, now.Version+1, "The bank has an outage"), deposit.ErrChannelState)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE pay_channels SET enabled = true, maximum = maximum + 1 WHERE id = $1`, draft.ID)
	require.ErrorContains(t, err, "approval")
}

func TestAChannelMustBeWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, change := range map[string]func(*deposit.Channel){
		"name": func(c *deposit.Channel) { c.Name = " x " }, "minimum": func(c *deposit.Channel) { c.Minimum = 0 }, "maximum": func(c *deposit.Channel) { c.Maximum = 1 },
		"sort": func(c *deposit.Channel) { c.Sort = 0 }, "currency": func(c *deposit.Channel) { c.Currency = "usd" }, "account": func(c *deposit.Channel) { c.BankAccountID = nil },
		"account, of another currency": func(c *deposit.Channel) { c.Currency = "EUR" },
		"provider":                     func(c *deposit.Channel) { c.Kind = deposit.OTC }, "chain": func(c *deposit.Channel) { c.Kind, c.Provider = deposit.Crypto, "p" },
	} {
		c := b.euro()
		change(&c)
		_, err := b.deposits.DraftChannel(t.Context(), b.maker, c)
		name, _, _ := strings.Cut(field, ",")
		require.Contains(t, errs.As(err).Fields, name)
	}
}

func TestTheEffectOfNewLimits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_ = b.request(b.owner(1), 500*money.Unit)
	e, err := b.deposits.EffectOf(t.Context(), channel, 20*money.Unit, 400*money.Unit)
	require.NoError(t, err)
	require.Equal(t, deposit.ChannelEffect{Open: 1, Traders: 1, Outside: 1}, e)
	e, err = b.deposits.EffectOf(t.Context(), channel, 20*money.Unit, 500*money.Unit)
	require.NoError(t, err)
	require.Zero(t, e.Outside)
}

// TestExpectedTransfersAreListed: a transfer that was announced is expected until its proof comes.
func TestExpectedTransfersAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.request(b.owner(1), 500*money.Unit), b.request(b.owner(1), 600*money.Unit)
	find := func(after deposit.Cursor, limit int) (ids []int64, next deposit.Cursor) {
		list, next, err := b.deposits.Find(t.Context(), deposit.Search{Expected: true}, after, limit)
		require.NoError(t, err)
		for _, d := range list {
			ids = append(ids, d.ID)
		}
		return ids, next
	}
	ids, next := find(deposit.Cursor{}, 1)
	require.Equal(t, []int64{first.ID}, ids, "the longest expected first")
	ids, _ = find(next, 1)
	require.Equal(t, []int64{second.ID}, ids)
	b.exec(`UPDATE deposits SET state = 'proof_submitted', proof_at = created_at WHERE id = $1`, first.ID)
	ids, _ = find(deposit.Cursor{}, 5)
	require.Equal(t, []int64{second.ID}, ids)
}

// TestAChannelIsOfferedByCountry limits a channel to two countries, gives it a fee of its own, and says what to know before paying.
func TestAChannelIsOfferedByCountry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draft, err := b.deposits.DraftChannel(t.Context(), b.maker, b.euro())
	require.NoError(t, err)
	live, fee := draft, int64(1_500_000)
	live.Enabled, live.OwnFee = true, &fee
	for field, spoil := range map[string]func(*deposit.Channel){
		"countries":       func(c *deposit.Channel) { c.Countries = "DE,XX" },
		"fee":             func(c *deposit.Channel) { tooMuch := int64(21 * money.Unit); c.OwnFee = &tooMuch },
		"instructions.en": func(c *deposit.Channel) { c.Instructions = deposit.Texts{"de": "Nur vom eigenen Konto."} },
		"instructions.de": func(c *deposit.Channel) {
			c.Instructions = deposit.Texts{"en": "x", "de": strings.Repeat("ü", deposit.InstructionsLength+1)}
		},
	} {
		wrong := live
		spoil(&wrong)
		_, err := b.requestChannel(wrong)
		require.Contains(t, errs.As(err).Fields, field)
	}
	live.Countries = "FR,,AT,FR"
	live.Instructions = deposit.Texts{"en": " From your own account only.\r\nNo cash. ", "de": "Nur vom eigenen Konto.", "fr": " "}
	a, err := b.requestChannel(live)
	require.NoError(t, err)
	require.NoError(t, b.deposits.ChannelChanges().Agree(t.Context(), b.checker, a))
	now, err := b.deposits.ChannelByID(t.Context(), draft.ID)
	require.NoError(t, err)
	require.Equal(t, "AT,FR", now.Countries)
	require.Equal(t, deposit.Texts{"en": "From your own account only.\nNo cash.", "de": "Nur vom eigenen Konto."}, now.Instructions)
	require.Equal(t, []string{"Nur vom eigenen Konto.", "From your own account only.\nNo cash."}, []string{now.Instructions.In("de"), now.Instructions.In("fr")})
	require.Equal(t, fee, b.deposits.FeeRate(now))
	require.Zero(t, b.deposits.FeeRate(deposit.Channel{}), "the platform's")

	offered := func(country string) bool {
		list, err := b.deposits.Channels(t.Context(), country)
		require.NoError(t, err)
		return slices.ContainsFunc(list, func(c deposit.Channel) bool { return c.ID == draft.ID })
	}
	require.Equal(t, []bool{true, false, false}, []bool{offered("AT"), offered("DE"), offered("")})
	o := b.owner(1)
	_, err = b.deposits.Request(t.Context(), o, now.ID, 100*money.Unit, b.keyed(o))
	require.ErrorIs(t, err, deposit.ErrChannel, "the trader lives elsewhere")
	o.Country = "AT"
	d, err := valueOf(b.deposits.Request(t.Context(), o, now.ID, 100*money.Unit, b.keyed(o)))
	require.NoError(t, err)
	require.Equal(t, fee, d.FeeRate)

	_, err = b.requestChannel(now)
	require.ErrorIs(t, err, deposit.ErrNothingNew)
}
