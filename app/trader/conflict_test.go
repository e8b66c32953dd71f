package trader_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/staff/member"
	"candor/app/trader"
)

func (b *bundle) hired(name string) (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(),
		`INSERT INTO staff (email, name, state, created_at) VALUES (lower($1) || '@house.example', $1, 'active', now()) RETURNING id`, name).Scan(&id))
	return id
}

func (b *bundle) named(name string) (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		VALUES ($1, 'T', '', 'DE', md5($1), now()) RETURNING id`, name+"@house.example").Scan(&id))
	return id
}

func (b *bundle) take(person, traderID int64, duty member.Duty) error {
	b.Helper()
	return b.db.InTx(b.Context(), func(tx *db.Tx) error { return trader.TakeDutyTx(b.Context(), tx, person, traderID, duty) })
}

// TestOneDutyForEachTrader checks, in the code and in the database, that a member who decided on a trader's person can't decide on their money, and the
// reverse. For another trader the member may, and so may another member.
func TestOneDutyForEachTrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for duty, other := range map[member.Duty]member.Duty{member.IdentityDuty: member.MoneyDuty, member.MoneyDuty: member.IdentityDuty} {
		person, colleague, ann, ben := b.hired("M"+string(duty)), b.hired("C"+string(duty)), b.named("ann"+string(duty)), b.named("ben"+string(duty))
		refusal := map[member.Duty]error{member.IdentityDuty: trader.ErrVerified, member.MoneyDuty: trader.ErrPaid}[duty]
		require.NoError(t, b.take(person, ann, duty))
		require.NoError(t, b.take(person, ann, duty), "again")
		require.ErrorIs(t, b.take(person, ann, other), refusal)
		found, err := b.traders.Conflicts(t.Context(), person, other, ann, ben)
		require.NoError(t, err)
		require.Equal(t, map[int64]error{ann: refusal}, found)
		_, err = b.db.Pool.Exec(t.Context(), `SELECT take_duty($1, $2, $3)`, person, ann, other)
		require.ErrorContains(t, err, "has the duty "+string(duty), "the database refuses it too")
		for _, sql := range []string{`UPDATE staff_duties SET duty = $1 WHERE staff_id = $2`, `DELETE FROM staff_duties WHERE duty <> $1 AND staff_id = $2`} {
			_, err = b.db.Pool.Exec(t.Context(), sql, other, person)
			require.Error(t, err, "it is never changed: "+sql)
		}
		require.NoError(t, b.take(colleague, ann, other))
		require.NoError(t, b.take(person, ben, other))
	}
}

// TestTwoDutiesAtOnce takes two different duties in two concurrent transactions: the second fails at the unique key, whatever it had read.
func TestTwoDutiesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, ann := b.hired("Kim"), b.named("ann")
	second := make(chan error)
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
		if err := trader.TakeDutyTx(t.Context(), tx, person, ann, member.IdentityDuty); err != nil {
			return err
		}
		go func() { second <- b.take(person, ann, member.MoneyDuty) }()
		return nil
	}))
	require.Error(t, <-second)
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM staff_duties`))
}

// claim is a way to link an account to a member: statements that make the link, one that sets another value, and one that sets none. $1 is the member, $2 the
// account.
type claim struct{ found, other, none string }

// claims are the links that make an account a member's own. In each counterpart the member has another value, or none.
var claims = map[string]claim{
	"Email": {
		found: `UPDATE traders SET email = (SELECT email FROM staff WHERE id = $1) WHERE id = $2`,
		other: `UPDATE traders SET email = 'x' || (SELECT email FROM staff WHERE id = $1) WHERE id = $2`,
	},
	"Phone": {
		found: `WITH same AS (UPDATE staff SET phone = '+491701234567' WHERE id = $1) UPDATE traders SET phone = '+491701234567' WHERE id = $2`,
		other: `WITH another AS (UPDATE staff SET phone = '+491701234568' WHERE id = $1) UPDATE traders SET phone = '+491701234567' WHERE id = $2`,
		none:  `UPDATE traders SET phone = '+491701234567' WHERE id = $2 AND $1::bigint > 0`,
	},
	"Device": {
		found: `WITH same AS (INSERT INTO staff_devices VALUES ($1, sha256('one'), now(), now()), ($1, sha256('two'), now(), now())) ` + onTwo,
		other: `WITH another AS (INSERT INTO staff_devices VALUES ($1, sha256('one'), now(), now())) ` + onTwo,
		none:  `WITH nothing AS (SELECT $1::bigint) ` + onTwo,
	},
}

const onTwo = `INSERT INTO devices (trader_id, fingerprint, name, first_seen_at, last_seen_at, last_ip) VALUES ($2, sha256('two'), 'Browser', now(), now(), '')`

// shares are the things that two traders may share. $1 is the trader, $2 the thing.
var shares = map[string]string{
	"Document": `INSERT INTO kyc_applications (trader_id, state, number_hash, created_at) VALUES ($1, 'draft', $2::text::bytea, now())`,
	"Device":   `INSERT INTO devices (trader_id, fingerprint, name, first_seen_at, last_seen_at, last_ip) VALUES ($1, $2::text::bytea, 'Phone', now(), now(), '')`,
	"Bank": `INSERT INTO payees (trader_id, kind, label, holder_key, holder_sealed, bank, iban, bic, usable_from, created_at)
		VALUES ($1, 'bank', 'Mine', '\x01', '\x01', 'Bank', $2, 'BYLADEM1001', now() + interval '1 day', now())`,
	"Address": `INSERT INTO payees (trader_id, kind, coin, chain, address, label, usable_from, created_at) VALUES ($1, 'address', 'USDT', 'tron', $2, 'Mine', now() + interval '1 day', now())`,
}

// TestWhoSharesSomethingIsTheirOwn links an account to a member by e-mail, phone number and browser. Traders that it introduced, and traders that share a
// document, a device or a payee with it, are then the member's own, and no others. With another phone number or browser, or with none, no trader is.
func TestWhoSharesSomethingIsTheirOwn(t *testing.T) {
	t.Parallel()
	for way, c := range claims {
		for thing, share := range shares {
			t.Run(way+thing, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				kim, lee := b.hired("kim"), b.hired("lee")
				account, introduced, sharing, further, stranger := b.named("account"), b.named("introduced"), b.named("sharing"), b.named("further"), b.named("stranger")
				exec := func(sql string, args ...any) {
					_, err := b.db.Pool.Exec(t.Context(), sql, args...)
					require.NoError(t, err)
				}
				for id, value := range map[int64]string{account: "A1", sharing: "A1", introduced: "B2", further: "C3", stranger: "D4"} {
					exec(share, id, value)
				}
				exec(`UPDATE traders SET invited_by = $1 WHERE id = $2`, account, introduced)
				exec(`UPDATE traders SET invited_by = $1 WHERE id = $2`, sharing, further)
				exec(c.found, kim, account)
				own := func(person, id int64) error { return trader.CheckConflict(t.Context(), b.db.Pool, person, id) }
				require.ErrorIs(t, own(kim, account), trader.ErrOwn)
				require.ErrorIs(t, own(kim, introduced), trader.ErrOwn)
				require.ErrorIs(t, own(kim, sharing), trader.ErrOwn)
				require.NoError(t, own(kim, further), "introduced by who shares something: one step is enough")
				require.NoError(t, own(kim, stranger))
				for _, id := range []int64{account, introduced, sharing, further, stranger} {
					require.NoError(t, own(lee, id), fmt.Sprint("somebody else may: ", id))
				}
			})
		}
		for twin, sql := range map[string]string{"Another": c.other, "None": c.none} {
			if sql == "" {
				continue
			}
			t.Run(way+twin, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				kim, account, introduced := b.hired("kim"), b.named("account"), b.named("introduced")
				_, err := b.db.Pool.Exec(t.Context(), `UPDATE traders SET invited_by = $1 WHERE id = $2`, account, introduced)
				require.NoError(t, err)
				_, err = b.db.Pool.Exec(t.Context(), sql, kim, account)
				require.NoError(t, err)
				for _, id := range []int64{account, introduced} {
					require.NoError(t, trader.CheckConflict(t.Context(), b.db.Pool, kim, id))
				}
			})
		}
	}
}

// TestADecisionAboutASecondAccount checks that the database itself refuses the decision, for every link.
func TestADecisionAboutASecondAccount(t *testing.T) {
	t.Parallel()
	for way, c := range claims {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			kim, account, stranger := b.hired("kim"), b.named("account"), b.named("stranger")
			_, err := b.db.Pool.Exec(t.Context(), c.found, kim, account)
			require.NoError(t, err)
			decide := func(id int64) error {
				_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO kyc_applications (trader_id, state, maker_id, created_at) VALUES ($1, 'draft', $2, now())`, id, kim)
				return err
			}
			require.ErrorContains(t, decide(account), "decides about their own trader")
			require.NoError(t, decide(stranger))
		})
	}
}

// TestABrowserOnceSeenStays checks that the server may add staff browsers and update when it last saw them, and nothing else.
func TestABrowserOnceSeenStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kim, lee := b.hired("kim"), b.hired("lee")
	_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO staff_devices VALUES ($1, sha256('one'), now(), now())`, kim)
	require.NoError(t, err)
	for _, sql := range []string{
		`DELETE FROM staff_devices WHERE staff_id <> $1`,
		`UPDATE staff_devices SET staff_id = $1`,
		`UPDATE staff_devices SET fingerprint = sha256('two') WHERE staff_id <> $1`,
	} {
		_, err = b.db.Pool.Exec(t.Context(), sql, lee)
		require.ErrorContains(t, err, "permission denied", sql)
	}
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE staff_devices SET last_seen_at = now() WHERE staff_id = $1`, kim)
	require.NoError(t, err)
}
