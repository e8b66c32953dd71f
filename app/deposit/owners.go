package deposit

import (
	"context"
	"fmt"
	"strings"

	"candor/app/ledger"
)

// TradersByAddressOrHash are the traders of a complete crypto address or transaction hash, for staff: the newest first, with ids below a trader's (0 for all), at most limit;
// none for any other text.
func (s *Service) TradersByAddressOrHash(ctx context.Context, words string, below int64, limit int) (ids []int64, err error) {
	words = strings.TrimSpace(words)
	addresses, err := s.addressForms(ctx, words)
	if err != nil {
		return nil, err
	}
	err = s.db.Rows(ctx).Raw(`
		(SELECT DISTINCT trader_id FROM deposit_addresses WHERE address <> '' AND address IN ? AND (?::bigint = 0 OR trader_id < ?) ORDER BY trader_id DESC LIMIT ?)
		UNION
		(SELECT DISTINCT trader_id FROM deposits WHERE tx_hash <> '' AND tx_hash IN ? AND (?::bigint = 0 OR trader_id < ?) ORDER BY trader_id DESC LIMIT ?)
		ORDER BY trader_id DESC LIMIT ?`,
		addresses, below, below, limit, []string{words, strings.ToLower(words)}, below, below, limit, limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for whose coins come so: %w", err)
	}
	return ids, nil
}

// OwnersOf lists, for staff, the traders with a complete deposit address: the newest first, with ids below a trader's (0 for all), at most limit.
func (s *Service) OwnersOf(ctx context.Context, address string, below int64, limit int) (ids []int64, err error) {
	forms, err := s.addressForms(ctx, strings.TrimSpace(address))
	if err != nil {
		return nil, err
	}
	err = s.db.Rows(ctx).Raw(`SELECT DISTINCT trader_id FROM deposit_addresses WHERE address <> '' AND address IN ? AND (?::bigint = 0 OR trader_id < ?) ORDER BY trader_id DESC LIMIT ?`,
		forms, below, below, limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for whose address it is: %w", err)
	}
	return ids, nil
}

// ByReference is the id of the deposit with a payment reference that ReadReference accepts, for staff; 0 for any other text.
func (s *Service) ByReference(ctx context.Context, words string) (id int64, err error) {
	reference, ok := ReadReference(words)
	if !ok {
		return 0, nil
	}
	if err = s.db.Rows(ctx).Model(&Deposit{}).Where("reference = ?", reference).Pluck("id", &id).Error; err != nil {
		return 0, fmt.Errorf("look for the deposit with a reference: %w", err)
	}
	return id, nil
}

// addressForms are an address as entered, and in the canonical form of each crypto channel.
func (s *Service) addressForms(ctx context.Context, address string) ([]string, error) {
	forms := []string{address}
	if s.normalizeAddress == nil {
		return forms, nil
	}
	var chains []Channel
	if err := s.db.Rows(ctx).Distinct("coin", "chain").Where("kind = 'standard'").Find(&chains).Error; err != nil {
		return nil, fmt.Errorf("read the chains that coins come on: %w", err)
	}
	for _, w := range chains {
		if form, err := s.normalizeAddress(w.Coin, w.Chain, address); err == nil {
			forms = append(forms, form)
		}
	}
	return forms, nil
}

// ByAnyReference lists, for staff, the deposits that a text names as a whole, newest first, at most limit: by the payment reference, by the bank's reference as
// staff noted it, in any case, or by the transaction's hash.
func (s *Service) ByAnyReference(ctx context.Context, words string, limit int) (list []Deposit, err error) {
	words = strings.TrimSpace(words)
	key := ledger.ReferenceKey(words)
	if key == "" {
		return nil, nil
	}
	reference, _ := ReadReference(words)
	err = s.db.Rows(ctx).Raw(`SELECT * FROM deposits WHERE id IN (
		(SELECT id FROM deposits WHERE reference = @reference LIMIT @limit)
		UNION (SELECT id FROM deposits WHERE bank_reference IS NOT NULL AND reference_key(bank_reference) = @key ORDER BY id DESC LIMIT @limit)
		UNION (SELECT id FROM deposits WHERE tx_hash <> '' AND tx_hash IN @hashes ORDER BY trader_id DESC LIMIT @limit)
	) ORDER BY id DESC LIMIT @limit`, map[string]any{"reference": reference, "key": key, "hashes": []string{words, strings.ToLower(words)}, "limit": limit}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("look for deposits with a reference: %w", err)
	}
	return list, nil
}
