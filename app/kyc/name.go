package kyc

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"candor/app/platform/db"
	"candor/app/platform/names"
)

// VerifiedName is the name on the document of a trader's valid verification; empty without one. It is for staff who compare it with a name at a bank.
func (s *Service) VerifiedName(ctx context.Context, traderID int64) (string, error) {
	return s.verifiedName(ctx, s.db.Rows(ctx), s.db.Pool, traderID)
}

func (s *Service) verifiedName(ctx context.Context, rows *gorm.DB, q db.Querier, traderID int64) (string, error) {
	var list []Application
	err := rows.Where("trader_id = ? AND state IN ?", traderID, []State{Approved, Expiring}).Order("id DESC").Limit(1).Find(&list).Error
	if err != nil {
		return "", fmt.Errorf("read the verification of trader %d: %w", traderID, err)
	}
	if len(list) == 0 {
		return "", nil
	}
	data, err := s.open(ctx, q, list[0])
	return data.FullName, err
}

// HolderIs reports whether an account holder's name is that of the trader's valid verification; false without one.
func (s *Service) HolderIs(ctx context.Context, traderID int64, holder string) (bool, error) {
	return s.holderIs(ctx, s.db.Rows(ctx), s.db.Pool, traderID, holder)
}

// HolderIsTx is HolderIs inside the caller's transaction.
func (s *Service) HolderIsTx(ctx context.Context, tx *db.Tx, traderID int64, holder string) (bool, error) {
	return s.holderIs(ctx, tx.Rows, tx.Conn, traderID, holder)
}

func (s *Service) holderIs(ctx context.Context, rows *gorm.DB, q db.Querier, traderID int64, holder string) (bool, error) {
	name, err := s.verifiedName(ctx, rows, q, traderID)
	return err == nil && name != "" && SameName(name, holder), err
}

// SameName compares two names of a person as banks and documents write them: it ignores case, accents, punctuation and the order of the parts. One name may
// have parts that the other lacks, if at least two are the same.
func SameName(one, other string) bool {
	a, b := names.Words(one), names.Words(other)
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, part := range a {
		at := slices.Index(b, part)
		if at < 0 {
			return false
		}
		b = slices.Delete(b, at, at+1)
	}
	return len(a) > 1 || len(a) == 1 && len(b) == 0
}

// Named is a trader with an application whose name has the words of a search.
type Named struct {
	TraderID int64
	Verified bool // under that name; otherwise it was only entered
}

// TradersNamed lists, for staff, traders who entered a name with all words of a search in an application that was not shredded: newest first, below a trader id (0
// starts at the top), at most limit. No name is opened. It finds none for a short or single letter word.
func (s *Service) TradersNamed(ctx context.Context, words string, below int64, limit int) (list []Named, err error) {
	found, err := s.names.Find(ctx, s.db.Pool, words, below, limit)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	ids := make([]int64, len(found))
	for i, one := range found {
		ids[i] = one.ID
	}
	var verified []int64
	if err := s.db.Rows(ctx).Model(&Application{}).Where("id IN ? AND state IN ?", ids, []State{Approved, Expiring}).Pluck("trader_id", &verified).Error; err != nil {
		return nil, fmt.Errorf("read who is verified under a name: %w", err)
	}
	for _, one := range found {
		if n := len(list); n == 0 || list[n-1].TraderID != one.TraderID {
			list = append(list, Named{one.TraderID, slices.Contains(verified, one.TraderID)})
		}
	}
	return list, nil
}
