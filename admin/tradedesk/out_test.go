package tradedesk_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/approval/approvaltest"
)

const (
	wallet = "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW"
	hash   = "4c4d1b7a2f9e8d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a392817060504"
)

// saved adds an address to a trader's payees, saved some hours ago.
func (b *bundle) saved(who someone, address string, hours int) (id int64) {
	b.Helper()
	at := b.Clock.Now().Add(-time.Duration(hours) * time.Hour)
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), `INSERT INTO payees (trader_id, kind, label, coin, chain, address, usable_from, created_at)
		VALUES ($1, 'address', 'Wallet', 'USDT', 'tron', $2, $3, $4) RETURNING id`, who.TraderID, address, at.Add(24*time.Hour), at).Scan(&id))
	return id
}

// paidOut adds a withdrawal to an address, sent in a transaction.
func (b *bundle) paidOut(who someone, payee int64, address, transaction string) (id int64) {
	b.Helper()
	maker, checker := b.Hire(b.T, "Finance maker 02", access.FinanceMaker).ID, b.Hire(b.T, "Finance checker 01", access.FinanceChecker).ID
	var moved int64
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), `SELECT min(id) FROM ledger_transactions`).Scan(&moved))
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), `SELECT nextval(pg_get_serial_sequence('withdrawals', 'id'))`).Scan(&id))
	_, err := b.DB.Pool.Exec(b.Context(), `INSERT INTO withdrawals (id, trader_id, account_id, payee_id, kind, currency, amount, fee, bank, iban, bic, chain, address, risk,
			risk_reasons, state, approval, payment, taken_id, sent_id, created_at, moved_at, sent_at)
		VALUES ($1, $2, $3, $4, 'standard', 'USDT', 250000000, 1000000, '', '', '', 'tron', $5, 0, '', 'sent', $6, $7, $8, $8, $9, $9, $9)`,
		id, who.TraderID, who.AccountID, payee, address, approvaltest.Applied(b, b.DB.Pool, "withdrawal", id, who.TraderID, maker, checker), transaction, moved, b.Clock.Now())
	require.NoError(b, err)
	return id
}

func TestMoneyOutOnATradersPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena := b.register("marta@example.com", "", 1_000), b.register("lena@example.com", "", 0)
	b.saved(marta, "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy", 2)
	id := b.paidOut(marta, b.saved(marta, wallet, 48), wallet, hash)
	finance, compliance := b.hired(access.FinanceMaker, "Finance maker 03"), b.hired(access.ComplianceReviewer, "Compliance 01")

	t.Run("Shown", func(t *testing.T) {
		body := finance.Get(path(marta)).Body.String()
		for _, want := range []string{
			fmt.Sprintf(`href="/admin/withdrawals/%d"`, id), fmt.Sprint("WD-", id), "250.00 USDT", "Sent", "TJCnKs…sxMW", "USDT, TRON (TRC-20)", "TLsV52…hUzy", "Active<", "Active from ",
		} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, wallet, "its middle is hidden")
		require.Contains(t, finance.Get(path(marta, "funds")).Body.String(), fmt.Sprint("WD-", id))
	})
	t.Run("WhatIsOnItsWayOut", func(t *testing.T) {
		way := fmt.Sprintf(`href="%s"><bdi>250.00`, path(marta, "funds"))
		require.NotContains(t, finance.Get(path(marta)).Body.String(), way, "it is sent")
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE withdrawals SET state = 'queued', sent_id = NULL WHERE id = $1`, id)
		require.NoError(t, err)
		body := finance.Get(path(marta)).Body.String()
		require.Contains(t, body, way)
		require.Contains(t, body, "Pending withdrawals")
	})
	t.Run("NoLinkForWhoMayNotOpenIt", func(t *testing.T) {
		body := compliance.Get(path(marta)).Body.String()
		require.Contains(t, body, fmt.Sprint("WD-", id))
		require.NotContains(t, body, "/admin/withdrawals/")
	})
	t.Run("NothingOfSomebodyElse", func(t *testing.T) {
		body := finance.Get(path(lena)).Body.String()
		require.Contains(t, body, "No withdrawals.")
		require.Contains(t, body, "No saved payees.")
		require.NotContains(t, body, fmt.Sprint("WD-", id))
	})
}

func TestPapersOnATradersPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	compliance, finance := b.hired(access.ComplianceReviewer, "Compliance 01"), b.hired(access.FinanceMaker, "Finance maker 03")
	require.NotContains(t, compliance.Get(path(marta)).Body.String(), "/admin/identity/", "there are none")
	var id int64
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `INSERT INTO kyc_applications (trader_id, state, created_at) VALUES ($1, 'draft', $2) RETURNING id`,
		marta.TraderID, b.Clock.Now()).Scan(&id))
	link := fmt.Sprintf(`href="/admin/identity/%d"`, id)
	require.Contains(t, compliance.Get(path(marta)).Body.String(), link)
	require.NotContains(t, finance.Get(path(marta)).Body.String(), link, "who may not see papers")
}

func TestFindingByAddressAndTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena, zoe := b.register("marta@example.com", "", 1_000), b.register("lena@example.com", "", 0), b.register("tjc@example.com", "", 0)
	id := b.paidOut(marta, b.saved(marta, wallet, 48), wallet, hash)
	removed := b.saved(lena, wallet, 48)
	_, err := b.DB.Pool.Exec(t.Context(), `UPDATE payees SET removed_at = $2 WHERE id = $1`, removed, b.Clock.Now())
	require.NoError(t, err)
	b.saved(lena, wallet, 30)
	agent := b.agent()
	found := func(words string) (ids []int64) {
		body := agent.Get("/admin/traders?" + url.Values{"q": {words}}.Encode()).Body.String()
		for _, match := range regexp.MustCompile(`id="trader-(\d+)"`).FindAllStringSubmatch(body, -1) {
			one, err := strconv.ParseInt(match[1], 10, 64)
			require.NoError(t, err)
			ids = append(ids, one)
		}
		return ids
	}
	require.Positive(t, id)
	require.Equal(t, []int64{lena.TraderID, marta.TraderID}, found(" "+wallet+" "), "each once, the newest first, removed or not")
	require.Equal(t, []int64{marta.TraderID}, found(hash))
	require.Equal(t, []int64{marta.TraderID}, found(strings.ToUpper(hash)), "in whatever letters")
	require.Empty(t, found(wallet[:33]), "a part of an address finds nobody")
	require.Empty(t, found(hash[:63]))
	require.Empty(t, found(strings.Replace(hash, "4c", "5c", 1)))
	require.Empty(t, found("TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"), "an address that nobody saved")
	require.Equal(t, []int64{zoe.TraderID}, found("tjc@example.com"), "other words are an address of a person")
}

// TestFindingManyPagesOfOwners finds more owners of one address than a page has.
func TestFindingManyPagesOfOwners(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []int64
	for i := range 53 {
		who := b.register(fmt.Sprintf("t%d@example.com", i), "", 0)
		b.saved(who, wallet, 48)
		all = append([]int64{who.TraderID}, all...)
	}
	agent := b.agent()
	first := agent.Get("/admin/traders?q=" + wallet).Body.String()
	require.Contains(t, first, fmt.Sprintf(`id="trader-%d"`, all[49]))
	require.NotContains(t, first, fmt.Sprintf(`id="trader-%d"`, all[50]))
	require.Contains(t, first, fmt.Sprintf(`name="after" value="0.%d"`, all[49]))
	second := agent.Get(fmt.Sprintf("/admin/traders?q=%s&after=0.%d", wallet, all[49])).Body.String()
	for _, id := range all[50:] {
		require.Contains(t, second, fmt.Sprintf(`id="trader-%d"`, id))
	}
	require.NotContains(t, second, fmt.Sprintf(`id="trader-%d"`, all[49]))
}

func TestTheBoxIsWhereItsPageMayBeOpened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Contains(t, b.agent().Get("/admin/traders").Body.String(), `action="/admin/traders" role="search"`)
	require.NotContains(t, b.hired(access.ContentEditor, "Editor").Get("/admin/traders").Body.String(), `role="search"`)
}
