package server

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// domainOf is the domain of a migration's tables.
var domainOf = map[string]string{
	"platform": "platform", "traders": "trader", "staff": "staff", "ledger": "ledger", "sessions": "session", "market": "market", "trading": "trading", "identity": "kyc",
	"deposits": "deposit", "withdrawals": "withdrawal", "wallets": "wallet", "adjustments": "adjustment", "conflicts": "trader", "switches": "switches", "support": "support",
	"notices": "notice", "banking": "banking", "tasks": "task", "complaints": "complaint", "reports": "report", "tags": "trader", "factors": "factor", "invitations": "invitation", "preferences": "preference", "drawings": "drawing", "personal": "trader", "account_changes": "trader", "credit_scores": "score", "bonuses": "bonus",
}

// ownersOf are the tables whose domain is not that of their migration.
var ownersOf = map[string]string{
	"activity_cursor": "activity", "notification_settings": "trader",
	"payees": "payee", "payee_settings": "payee", "payee_name_words": "payee", "payout_routes": "withdrawal", "payout_batches": "withdrawal", "provider_events": "provider", "provider_secrets": "provider", "trader_restrictions": "trader",
	"withdrawal_locks": "trader", "withdrawal_halts": "reconciliation", "reconciliations": "reconciliation", "payment_passwords": "trader", "favourites": "trader",
	"audit_entries": "audit", "audit_heads": "audit", "trader_sessions": "session", "devices": "session", "sessions": "admin", "approvals": "approval", "data_exports": "dataexport",
}

// mayRead are reads of other domains' tables, with their reasons. Nobody writes to them.
var mayRead = []struct{ folder, tables, reason string }{
	{"app/trading/proof", "accounts ledger_transactions postings tape_quotes", "a proof compares what the domains have written"},
	{"app/activity", "accounts charges fills margin_calls orders positions products", "it follows the journal in the order of its transactions, across its tables"},
	{"app/wallet", "accounts postings tape_quotes", "its proof, in verify.go"},
	{"app/payee", "withdrawals", "a payee that was paid is kept when its trader's account closes"},
	{"app/reconciliation", "adjustments bonuses deposits accounts ledger_transactions postings exchange_quotes exchanges transfers withdrawals", "it compares each domain's sums with the ledger's"},
	{"app/trading/engine", "accounts trader_restrictions", "a batch reads its accounts' restrictions in the round trip that reads their positions"},
	{"app/banking", "deposits pay_channels withdrawals", "a bank account's books are the deposits that were credited into it and the payouts sent from it"},
	{"app/session", "traders accounts", "every request checks its session: the trader's state and the account come in the same query"},
	{"app/staff", "audit_entries", "quotas count what the audit log has recorded"},
	{"app/trader", "audit_entries", "the limit of password resets counts what the audit log has recorded"},
	{"app/invitation", "accounts adjustments fills postings tape_quotes traders", "it follows the fills of invited traders, and the refunds of their costs"},
	{"app/report", "accounts audit_entries chat_messages conversations deposits fills pay_channels postings products traders withdrawals", "a report adds up what the domains have written"},
	{"app/demo", "staff traders", "it looks whether its people are there"},
}

var (
	tableMade = regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`)
	goString  = regexp.MustCompile("`[^`]*`" + `|"(?:[^"\\]|\\.)*"`)
	tableUsed = regexp.MustCompile(`\b(FROM|JOIN|UPDATE|INTO|LOCK TABLE)\s+(\w+)`)
	// modelUsed finds the tables that GORM writes.
	modelUsed = regexp.MustCompile(`(TableName\(\) string \{ return |\.Table\()"(\w+)`)
)

// TestDomainsKeepTheirTables reads the SQL of every package: a domain reads and writes its own tables; what it needs of another it asks that one's package.
func TestDomainsKeepTheirTables(t *testing.T) {
	t.Parallel()
	owners := tableOwners(t)
	require.Equal(t, "deposit", owners["deposits"])
	unused := map[string]bool{}
	for _, one := range mayRead {
		for table := range strings.FieldsSeq(one.tables) {
			unused[one.folder+" "+table] = true
		}
	}
	eachFile(t, ".go", func(path, text string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") || strings.Contains(folder, "test") || strings.HasPrefix(folder, "app/bench") || strings.HasPrefix(folder, "migrations") {
			return
		}
		for _, use := range foreignTables(owners, layer(folder), text) {
			if use.keyword != "UPDATE" && use.keyword != "INTO" && use.keyword != "model" && mayReadTable(folder, use.table) {
				delete(unused, folder+" "+use.table)
				continue
			}
			t.Errorf("%s: %s %s, a table of %s: ask its package", path, use.keyword, use.table, owners[use.table])
		}
	})
	require.Empty(t, unused, "exceptions that nobody needs")
}

// TestTheTablesRuleBites shows that the rule finds what it should.
func TestTheTablesRuleBites(t *testing.T) {
	t.Parallel()
	owners := tableOwners(t)
	for text, want := range map[string]string{
		"`SELECT level FROM traders`":                                   "FROM traders",
		"\"DELETE FROM deposits\"":                                      "FROM deposits",
		"`SELECT 1 FROM withdrawals w JOIN payees p`":                   "JOIN payees",
		"`UPDATE traders SET level = 1`":                                "UPDATE traders",
		"`INSERT INTO audit_entries`":                                   "INTO audit_entries",
		"`SELECT 1 FROM withdrawals`":                                   "",
		"// It reads FROM traders.":                                     "",
		"`SELECT 1 FROM jsonb_each(x)`, `FROM unused`":                  "",
		`func (lock) TableName() string { return "withdrawal_locks" }`:  "model withdrawal_locks",
		`func (Withdrawal) TableName() string { return "withdrawals" }`: "",
		`tx.Rows.Table("traders").Where("id = ?", id)`:                  "model traders",
	} {
		got := ""
		for _, use := range foreignTables(owners, "withdrawal", text) {
			got += fmt.Sprint(use.keyword, " ", use.table)
		}
		require.Equal(t, want, got, text)
	}
	require.True(t, mayReadTable("app/session", "traders"))
	require.False(t, mayReadTable("app/withdrawal", "traders"))
}

type tableUse struct{ keyword, table string }

// foreignTables lists the uses of other domains' tables in a Go file.
func foreignTables(owners map[string]string, domain, text string) (list []tableUse) {
	note := func(keyword, table string) {
		if owner := owners[table]; owner != "" && owner != domain && owner != "platform" {
			list = append(list, tableUse{keyword, table})
		}
	}
	for _, literal := range goString.FindAllString(text, -1) {
		for _, found := range tableUsed.FindAllStringSubmatch(literal, -1) {
			note(found[1], found[2])
		}
	}
	for _, found := range modelUsed.FindAllStringSubmatch(text, -1) {
		note("model", found[2])
	}
	return list
}

func mayReadTable(folder, table string) bool {
	for _, one := range mayRead {
		if one.folder == folder && slices.Contains(strings.Fields(one.tables), table) {
			return true
		}
	}
	return false
}

// tableOwners is the owner of every table.
func tableOwners(t *testing.T) map[string]string {
	t.Helper()
	owners := map[string]string{}
	eachFile(t, ".sql", func(path, text string) {
		_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".sql"), "_")
		domain := domainOf[name]
		require.NotEmpty(t, domain, path)
		for _, found := range tableMade.FindAllStringSubmatch(text, -1) {
			owners[found[1]] = domain
			if own := ownersOf[found[1]]; own != "" {
				owners[found[1]] = own
			}
		}
	})
	for table := range ownersOf {
		require.Contains(t, owners, table)
	}
	return owners
}
