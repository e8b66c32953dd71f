package bench

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"candor/app/kyc"
	"candor/app/payee"
	"candor/app/platform/clock"
	"candor/app/platform/vault"
)

// The words of the benchmark's names: one is everybody's, the other is that of one person in 200,000.
const (
	commonWord = "maria"
	rareWord   = "quintero"
)

// benchSearch measures what the search box of the back office asks, at a million rows against a thousand.
func benchSearch(ctx context.Context, out io.Writer) (targets []target, err error) {
	dir, err := os.MkdirTemp("", "candor-bench-keys")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	keys, err := vault.Load(dir, false)
	if err != nil {
		return nil, err
	}
	fill, err := searchRows(keys)
	if err != nil {
		return nil, err
	}
	return (&listBench{id: "search", fill: fill, questions: searchQuestions(keys)}).run(ctx, out)
}

// searchRows fill what is searched, with a number of rows each.
func searchRows(keys *vault.Vault) ([]string, error) {
	var traders string
	for _, statement := range listRows {
		if strings.HasPrefix(statement, "INSERT INTO traders") {
			traders = statement
		}
	}
	identities, err := wordRows(keys, "kyc_name_words", "application_id")
	if err != nil {
		return nil, err
	}
	payees, err := wordRows(keys, "payee_name_words", "payee_id")
	if err != nil {
		return nil, err
	}
	return []string{
		traders,
		`INSERT INTO kyc_applications (id, trader_id, state, created_at) OVERRIDING SYSTEM VALUE SELECT n, 10000000 + n, 'draft', ` + listTime + ` FROM generate_series(1, $n) n`,
		identities,
		`INSERT INTO payees (id, trader_id, kind, label, holder_key, holder_sealed, bank, iban, bic, usable_from, created_at) OVERRIDING SYSTEM VALUE
			SELECT n, 10000000 + n, 'bank', 'Mine', '\x01', '\x01', 'A bank', 'DE89370400' || lpad(n::text, 8, '0') || lpad((n % 100)::text, 4, '0'), 'COBADEFFXXX', ` + listTime + ` + interval '1 day', ` + listTime + `
			FROM generate_series(1, $n) n`,
		payees,
	}, nil
}

// wordRows store the words of a name for each row: everybody's, the rare one for some and another one for all others, and their pair.
func wordRows(keys *vault.Vault, table, column string) (string, error) {
	tags := make([]any, 0, 3)
	for _, text := range []string{commonWord, rareWord, commonWord + " " + rareWord} {
		tag, err := keys.Tag(table, []byte(text))
		if err != nil {
			return "", err
		}
		tags = append(tags, hex.EncodeToString(tag))
	}
	return fmt.Sprintf(`INSERT INTO `+table+` (trader_id, `+column+`, tag) SELECT 10000000 + n, n, tag FROM generate_series(1, $n) n,
		unnest(ARRAY['\x%s'::bytea, CASE WHEN n %% 200000 = 7 THEN '\x%s'::bytea ELSE sha256(('word' || n)::bytea) END,
			CASE WHEN n %% 200000 = 7 THEN '\x%s'::bytea ELSE sha256(('pair' || n)::bytea) END]) tag`, tags...), nil
}

func searchQuestions(keys *vault.Vault) (list []question) {
	named := func(name, words string) {
		list = append(list, question{list: "names", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
			found, err := kyc.New(kyc.Config{DB: l.database, Clock: clock.Real{}, Vault: keys}).TradersNamed(ctx, words, 0, 9)
			return len(found), err
		}})
	}
	paid := func(name, words string) {
		list = append(list, question{list: "payees", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
			found, _, err := payee.New(payee.Config{DB: l.database, Clock: clock.Real{}, Vault: keys}).Search(ctx, words, 9)
			return len(found), err
		}})
	}
	named("a word that everybody has", commonWord)
	named("two words, of which one is rare", rareWord+" "+commonWord)
	named("a word that nobody has", "nobody")
	named("two words that nobody has together", commonWord+" nobody")
	named("three words, one of them nobody's", commonWord+" "+rareWord+" nobody")
	paid("last four that much matches", "0007")
	paid("last four that nothing matches", "9999")
	paid("last four with the holder's name", "0007 "+rareWord)
	paid("a whole account number", "DE89370400000005000000")
	paid("a word that every holder has", commonWord)
	paid("two words of a holder", commonWord+" "+rareWord)
	return append(list,
		question{list: "traders", name: "by the beginning of a uid", ask: func(ctx context.Context, l lists, _ int64) (int, error) {
			found, _, err := l.traders.Search(ctx, "1000", 0, 9)
			return len(found), err
		}},
		question{list: "deposits", name: "by a reference that nothing has", ask: func(ctx context.Context, l lists, _ int64) (int, error) {
			found, err := l.deposits.ByAnyReference(ctx, "SP-7781", 9)
			return len(found), err
		}},
		question{list: "withdrawals", name: "by a payment that nothing has", ask: func(ctx context.Context, l lists, _ int64) (int, error) {
			_, found, err := l.withdrawals.ByPayment(ctx, "SP-7781")
			if found {
				return 1, err
			}
			return 0, err
		}},
		question{list: "orders", name: "by a number", ask: func(ctx context.Context, l lists, _ int64) (int, error) {
			_, err := l.trading.Numbered(ctx, 7)
			return 0, err
		}},
	)
}
