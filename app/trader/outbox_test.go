package trader_test

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault/vaulttest"
	"candor/app/session"
	"candor/app/trader"
)

// dump is every row of every table as text, with bytes in hexadecimal.
func (b *bundle) dump() string {
	b.Helper()
	rows, err := b.db.Pool.Query(b.Context(), `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`)
	require.NoError(b, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b, err)
	var out strings.Builder
	for _, table := range tables {
		rows, err := b.db.Pool.Query(b.Context(), `SELECT t::text FROM `+table+` t`)
		require.NoError(b, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(b, err)
		out.WriteString(strings.Join(lines, "\n"))
	}
	return out.String()
}

// shows reports whether a dump has a code on its own, or a body in any form; digits within longer numbers, times and ciphertexts are no codes.
func shows(dump, code, body string) bool {
	alone := regexp.MustCompile(`(^|[^0-9A-Fa-f.])` + code + `([^0-9A-Fa-f]|$)`)
	return alone.MatchString(dump) || strings.Contains(dump, body) || strings.Contains(dump, hex.EncodeToString([]byte(body))) ||
		strings.Contains(dump, base64.StdEncoding.EncodeToString([]byte(body)))
}

// TestNoTableHoldsACode sends every kind of code and searches every table for them while they are valid.
func TestNoTableHoldsACode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	opened := b.register(anna)
	p := b.principal(opened.Token)
	require.NoError(t, b.traders.SendRegisterCode(ctx, bert, "de", b.solved(), ip))
	require.NoError(t, b.traders.SendForgottenPasswordCode(ctx, anna, b.solved(), ip))
	require.NoError(t, b.traders.SendLoginCode(ctx, trader.Credentials{Account: anna, Password: password, Device: device(2)}))
	require.NoError(t, b.traders.SendPaymentPasswordCode(ctx, p, ip))
	require.NoError(t, b.traders.SendFreezeCode(ctx, p, ip))
	for _, act := range []trader.MoneyOutAct{trader.Withdraw} {
		require.NoError(t, b.traders.SendMoneyOutCode(ctx, p, trader.MoneyOut{Act: act, Payee: 7, Amount: 5}, nil, ip))
	}
	dump, kinds := b.dump(), map[string]bool{}
	list, err := b.outbox.List(ctx, "", 100)
	require.NoError(t, err)
	for _, m := range list {
		code := digits.FindStringSubmatch(m.Body)
		require.NotNil(t, code, "%s", m.Kind)
		kinds[m.Kind] = true
		require.False(t, shows(dump, code[1], m.Body), "%s is in a table", m.Kind)
		require.Equal(t, m.CreatedAt.Add(session.CodeLife), m.ExpiresAt, "%s ends with its code", m.Kind)
	}
	require.Len(t, kinds, 6)
	b.exec(`UPDATE outbox SET subject = $1 WHERE id = $2`, list[0].Body, list[0].ID)
	require.True(t, shows(b.dump(), digits.FindStringSubmatch(list[0].Body)[1], "-"), "the search finds what is there")
}

// TestNoCodeGoesToATelephoneWithoutASender checks that the refusal is the same for known and unknown numbers, and that nothing is stored.
func TestNoCodeGoesToATelephoneWithoutASender(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	opened := b.register(bert)
	before := b.count(`SELECT count(*) FROM outbox`)
	send := map[string]func() error{
		"register": func() error { return b.traders.SendRegisterCode(ctx, "+4915199999999", "de", b.solved(), ip) },
		"known":    func() error { return b.traders.SendForgottenPasswordCode(ctx, bert, b.solved(), ip) },
		"unknown":  func() error { return b.traders.SendForgottenPasswordCode(ctx, "+4915199999999", b.solved(), ip) },
		"login": func() error {
			return b.traders.SendLoginCode(ctx, trader.Credentials{Account: bert, Password: password, Device: device(2)})
		},
		"wrong password": func() error {
			return b.traders.SendLoginCode(ctx, trader.Credentials{Account: bert, Password: "another one", Device: device(2)})
		},
		"own": func() error { return b.traders.SendFreezeCode(ctx, b.principal(opened.Token), ip) },
	}
	queue, err := jobs.New(b.db.Pool)
	require.NoError(t, err)
	b.outbox = mail.New(mail.Config{DB: b.db, Clock: b.clock, Queue: queue, Vault: vaulttest.New(t)})
	b.config.Outbox = b.outbox
	b.traders = trader.New(b.config)
	for name, act := range send {
		require.ErrorIs(t, act(), trader.ErrPhone, name)
	}
	require.Equal(t, before, b.count(`SELECT count(*) FROM outbox`))
	require.Zero(t, b.count(`SELECT count(*) FROM codes WHERE used_at IS NULL`), "no code waits that nobody has got")
	require.False(t, b.outbox.Offers(mail.SMS))

	twin := setup(t)
	require.NoError(t, twin.traders.SendRegisterCode(ctx, bert, "de", twin.solved(), ip), "a development server keeps it")
}
