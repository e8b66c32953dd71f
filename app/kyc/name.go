package kyc

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"

	"candor/app/platform/db"
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
	a, b := nameParts(one), nameParts(other)
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

func nameParts(name string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
