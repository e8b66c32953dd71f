package trader

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/session"
)

// Guest reports whether the trader has not registered: no contact, no password, only one mock account.
func (t Trader) Guest() bool { return t.Type == GuestType }

// Guests returns which of some traders are guests.
func Guests(ctx context.Context, q db.Querier, ids ...int64) (map[int64]bool, error) {
	guests := map[int64]bool{}
	if len(ids) == 0 {
		return guests, nil
	}
	rows, err := q.Query(ctx, `SELECT id FROM traders WHERE id = ANY($1) AND guest`, ids)
	if err != nil {
		return nil, fmt.Errorf("look for guests: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("look for guests: %w", err)
	}
	for _, id := range found {
		guests[id] = true
	}
	return guests, nil
}

// mockType is the type of the trader's mock account.
func (t Trader) mockType() int {
	if t.Guest() {
		return GuestType
	}
	return MockType
}

// Visit is a visitor's request to try the platform without registering.
type Visit struct {
	Language string
	Target   *int64 // opening balance of a new guest's account, in 10^-6 USDT; nil for the default
	Solution string // of a challenge, required once the device's source has created many guests
	Device   session.Device
	TraceID  string
}

// Try opens a session on a guest's mock account: the device's earlier guest, or a new one. Refusals: fields, ErrDemoOff, ErrTopUp, session.ErrGuests,
// session.ErrVerify, session.ErrVerifyWrong.
func (s *Service) Try(ctx context.Context, v Visit) (Opened, error) {
	if err := checkDevice(v.Device); err != nil {
		return Opened{}, err
	}
	var out Opened
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err := s.sessions.GuestTx(ctx, tx, v.Device, v.Solution)
		if err != nil {
			return err
		}
		if id == 0 {
			out, err = s.createGuestTx(ctx, tx, v)
		} else {
			out, err = s.reopenGuestTx(ctx, tx, id, v)
		}
		return err
	})
	return out, err
}

func (s *Service) createGuestTx(ctx context.Context, tx *db.Tx, v Visit) (Opened, error) {
	t := Trader{Name: s.guestName(v.Language), Language: v.Language, Type: GuestType, AuthStatus: AuthNone, CreatedAt: s.clock.Now()}
	if err := tx.Rows.Create(&t).Error; err != nil {
		return Opened{}, fmt.Errorf("create a guest: %w", err)
	}
	account, err := s.mockTx(ctx, tx, t, v.Target)
	if err != nil {
		return Opened{}, err
	}
	return s.openTx(ctx, tx, t, account, v.Device, v.TraceID, "trader.guest", nil)
}

// reopenGuestTx opens the guest's account unchanged and ignores the visit's target.
func (s *Service) reopenGuestTx(ctx context.Context, tx *db.Tx, id int64, v Visit) (Opened, error) {
	t, err := s.traderTx(tx, id)
	if err != nil {
		return Opened{}, err
	}
	account, err := s.mockTx(ctx, tx, t, nil)
	if err != nil {
		return Opened{}, err
	}
	return s.openTx(ctx, tx, t, account, v.Device, v.TraceID, "trader.login", nil)
}

// guestName is a name like "Guest 4F2A" in the guest's language, only to recognise the account by.
func (s *Service) guestName(language string) string {
	raw := make([]byte, 2)
	_, _ = rand.Read(raw) // never fails: see crypto/rand
	return s.texts.T(language, "guest.name", map[string]any{"code": fmt.Sprintf("%X", raw)})
}
