package trader

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/session"
	"candor/app/switches"
)

// firstMock is the opening balance of a new mock account, in 10^-6 USDT.
const firstMock = 10_000 * money.Unit

// Destination is an account to switch to: one of the trader's by its id, or else the main account of a type. A target tops a mock account up to that balance,
// only while it has no open position.
type Destination struct {
	AccountID int64 // 0 takes the type
	Type      int   // 1, 2 and 4 mean the real book, 5 the mock one
	Target    *int64
}

// Switch moves a session to another account of the trader. The main mock account is opened on first use. For a guest the types 5 and 8 both mean the one account;
// other traders can't choose 8. Refusals: ErrLoginRestricted, ErrGuest, the field, ledger.ErrAccount, ErrDemoOff, ErrAccounts, ErrTopUp, ErrTopUpOpen.
func (s *Service) Switch(ctx context.Context, p session.Principal, to Destination, from audit.Actor) (Opened, error) {
	var out Opened
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.mayLogInTx(tx, p.TraderID); err != nil {
			return err
		}
		t, err := s.traderTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		account, err := s.chooseTx(ctx, tx, t, to)
		if err != nil {
			return err
		}
		entry := audit.By(t.Acting(from), s.clock.Now(), "account.switch", "account", account.ID)
		if err := audit.RecordTx(ctx, tx, entry); err != nil {
			return err
		}
		token, err := s.sessions.SwitchTx(ctx, tx, p, account.ID)
		out = Opened{token, t, account}
		return err
	})
	return out, err
}

func (s *Service) traderTx(tx *db.Tx, id int64) (t Trader, err error) {
	return t, tx.Rows.Where("id = ?", id).First(&t).Error
}

func (s *Service) chooseTx(ctx context.Context, tx *db.Tx, t Trader, to Destination) (ledger.Account, error) {
	switch {
	case to.AccountID != 0:
		return s.chosenTx(ctx, tx, t, to)
	case to.Type == t.mockType() || to.Type == MockType:
		return s.mockTx(ctx, tx, t, to.Target)
	case t.Guest():
		return ledger.Account{}, ErrGuest
	case to.Type == GuestType:
		return ledger.Account{}, errs.Field("accountType", "field.choice")
	}
	return ledger.OpenTx(ctx, tx, t.ID, ledger.Real, t.Type, s.clock.Now())
}

// chosenTx is the trading account with an id; a mock one is topped up to a target.
func (s *Service) chosenTx(ctx context.Context, tx *db.Tx, t Trader, to Destination) (ledger.Account, error) {
	account, err := ownTx(ctx, tx, t.ID, to.AccountID)
	switch {
	case err != nil:
		return account, err
	case account.Mock() && !s.switches.On(switches.DemoKey):
		return account, ErrDemoOff
	case to.Target == nil:
		return account, nil
	case t.Closing():
		return account, ErrClosing
	case !account.Mock():
		return account, errs.Field("initAmount", "field.unknown")
	}
	if account, err = ledger.LockTx(ctx, tx, account.ID); err != nil {
		return account, err
	}
	return s.topUpTx(ctx, tx, account, *to.Target, s.clock.Now())
}

// mockTx opens the trader's main mock account, with the opening balance on first use, and tops it up to a target.
func (s *Service) mockTx(ctx context.Context, tx *db.Tx, t Trader, target *int64) (ledger.Account, error) {
	if !s.switches.On(switches.DemoKey) {
		return ledger.Account{}, ErrDemoOff
	}
	if err := mayOpenTx(ctx, tx, t.ID, ledger.Mock); err != nil {
		return ledger.Account{}, err
	}
	now := s.clock.Now()
	account, err := ledger.OpenTx(ctx, tx, t.ID, ledger.Mock, t.mockType(), now)
	if err != nil {
		return account, err
	}
	if account, err = ledger.LockTx(ctx, tx, account.ID); err != nil {
		return account, err
	}
	fresh := account.Version == 0
	if target == nil && !fresh {
		return account, nil
	}
	if t.Closing() {
		return account, ErrClosing
	}
	goal := s.openingBalance()
	if target != nil {
		goal = *target
	}
	return s.topUpTx(ctx, tx, account, goal, now)
}

// openingBalance is the balance of a new mock account.
func (s *Service) openingBalance() int64 {
	return min(firstMock, s.switches.Amount(switches.MockTopUpKey))
}

// topUpTx credits mock money up to a balance. The account's version is the idempotency key, so that no top-up is credited twice.
func (s *Service) topUpTx(ctx context.Context, tx *db.Tx, account ledger.Account, goal int64, now time.Time) (ledger.Account, error) {
	limit := s.switches.Amount(switches.MockTopUpKey)
	if goal <= 0 || goal > limit {
		return account, ErrTopUp.With("limit", money.Trim(limit, money.Scale))
	}
	open, err := s.positions.OpenTx(ctx, tx, account.ID)
	if err != nil {
		return account, err
	}
	if open {
		return account, ErrTopUpOpen
	}
	missing := goal - account.Worth()
	if missing <= 0 {
		return account, nil
	}
	entries := account.Receive(missing)
	_, err = ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: "mock_top_up", Key: fmt.Sprintf("mock:%d:%d", account.ID, account.Version), Cause: "account:" + strconv.FormatInt(account.ID, 10),
		Book: ledger.Mock, At: now, Entries: entries,
	})
	tx.AfterCommit(func() { s.changed(account.ID) })
	return account.Apply(entries), err
}

// Accounts lists a trader's trading accounts: the real ones first, each book by number.
func (s *Service) Accounts(ctx context.Context, traderID int64) ([]ledger.Account, error) {
	return ledger.List(ctx, s.db.Pool, traderID)
}

// loginLinkLife is the lifetime of a one-time log-in code.
const loginLinkLife = 60 * time.Second

// CreateLoginCode creates a one-time code that opens the trader's session on another device. Refusal: ErrGuest.
func (s *Service) CreateLoginCode(ctx context.Context, p session.Principal) (code string, life time.Duration, err error) {
	if p.Guest() {
		return "", 0, ErrGuest
	}
	code, err = s.sessions.IssueLink(ctx, p, loginLinkLife)
	return code, loginLinkLife, err
}

// LoginByCode exchanges a one-time code for a session; it works once, while the session that made it lives. Refusals: fields, ErrLoginCode, ErrLoginRestricted.
func (s *Service) LoginByCode(ctx context.Context, code string, d session.Device, traceID string) (Opened, error) {
	var out Opened
	if err := checkDevice(d); err != nil {
		return out, err
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.useLinkTx(ctx, tx, code)
		if err != nil {
			return err
		}
		out, err = s.openRealTx(ctx, tx, t, d, traceID)
		return err
	})
	return out, err
}

// useLinkTx locks the trader of a one-time code before it is used, so that an end of their sessions also ends what it opens.
func (s *Service) useLinkTx(ctx context.Context, tx *db.Tx, code string) (Trader, error) {
	traderID, err := s.sessions.LinkTraderTx(ctx, tx, code)
	if err != nil {
		return Trader{}, err
	}
	if traderID == 0 {
		return Trader{}, ErrLoginCode
	}
	if err := LockRowTx(tx, traderID); err != nil {
		return Trader{}, err
	}
	switch used, err := s.sessions.UseLinkTx(ctx, tx, code); {
	case err != nil:
		return Trader{}, err
	case !used:
		return Trader{}, ErrLoginCode
	}
	return s.traderTx(tx, traderID)
}

// Favourites lists a trader's favourite products in order.
func (s *Service) Favourites(ctx context.Context, traderID int64) ([]int, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT product_id FROM favourites WHERE trader_id = $1 ORDER BY place`, traderID)
	if err != nil {
		return nil, fmt.Errorf("read favourites: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// SetFavourites replaces a trader's favourites with known products; repeated ones count once.
func (s *Service) SetFavourites(ctx context.Context, traderID int64, productIDs []int) ([]int, error) {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := LockRowTx(tx, traderID); err != nil { // of two concurrent calls the later one wins
			return err
		}
		if _, err := tx.Conn.Exec(ctx, `DELETE FROM favourites WHERE trader_id = $1`, traderID); err != nil {
			return err
		}
		_, err := tx.Conn.Exec(ctx, `
			INSERT INTO favourites (trader_id, product_id, place)
			SELECT $1, wanted.id, min(wanted.place) FROM unnest($2::int[]) WITH ORDINALITY AS wanted (id, place) GROUP BY wanted.id`, traderID, productIDs)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("replace favourites: %w", err)
	}
	return s.Favourites(ctx, traderID)
}
