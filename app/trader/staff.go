package trader

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
	"gorm.io/gorm"

	"candor/app/ledger"
	"candor/app/platform/money"
)

// Listed is a trader in a list for staff, with the books of its accounts.
type Listed struct {
	Trader
	Books []ledger.Book
}

// Search lists traders for staff: the page after the given trader (0 for the first), at most limit, and the trader after which the next page begins, 0 after
// the last. Words are a uid or its beginning, or a whole e-mail address or telephone number; no words list all traders, newest first.
func (s *Service) Search(ctx context.Context, words string, after int64, limit int) (list []Listed, next int64, err error) {
	found, err := s.search(ctx, strings.TrimSpace(words), after, limit+1)
	if err != nil {
		return nil, 0, fmt.Errorf("search traders: %w", err)
	}
	if len(found) > limit {
		found = found[:limit]
		next = found[limit-1].ID
	}
	list, err = s.listed(ctx, found)
	return list, next, err
}

// ListFilter is the list filter of traders for staff. A nil or empty field does not filter.
type ListFilter struct {
	Verified    *int            // the verification status, as AuthStatus
	Restriction RestrictionKind // an active restriction
	TagID       int64
}

// Filtered lists traders for staff, newest first, below a trader (0 begins at the top), and the trader after which the next page begins, 0 after the last:
// with both a verification and a restriction set a page may have fewer traders than its limit.
func (s *Service) Filtered(ctx context.Context, f ListFilter, before int64, limit int) (list []Listed, next int64, err error) {
	if f.Restriction == "" {
		rows := newest(s.rows(ctx), before).Limit(limit + 1)
		if f.Verified != nil {
			rows = rows.Where("auth_status = ?", *f.Verified)
		}
		if f.TagID != 0 {
			rows = rows.Where("id IN (SELECT trader_id FROM trader_tags WHERE tag_id = ? AND taken_at IS NULL)", f.TagID)
		}
		var found []Trader
		if err := rows.Find(&found).Error; err != nil {
			return nil, 0, fmt.Errorf("narrow the list of traders: %w", err)
		}
		if len(found) > limit {
			found, next = found[:limit], found[limit-1].ID
		}
		list, err = s.listed(ctx, found)
		return list, next, err
	}
	var ids []int64
	err = s.db.Rows(ctx).Raw(`
		SELECT trader_id FROM trader_restrictions
		WHERE kind = ? AND ended_at IS NULL AND (until_at IS NULL OR until_at > ?) AND (?::bigint = 0 OR trader_id < ?)
			AND (?::bigint = 0 OR EXISTS (SELECT FROM trader_tags t WHERE t.trader_id = trader_restrictions.trader_id AND t.tag_id = ? AND t.taken_at IS NULL))
		ORDER BY trader_id DESC LIMIT ?`,
		f.Restriction, s.clock.Now(), before, before, f.TagID, f.TagID, limit+1).Scan(&ids).Error
	if err != nil {
		return nil, 0, fmt.Errorf("narrow the list of traders: %w", err)
	}
	if len(ids) > limit {
		ids, next = ids[:limit], ids[limit-1]
	}
	if list, err = s.Named(ctx, ids); err != nil {
		return nil, 0, err
	}
	list = slices.DeleteFunc(list, func(l Listed) bool { return f.Verified != nil && l.AuthStatus != *f.Verified })
	return list, next, nil
}

// Named lists the traders with these uids for staff, newest first; the caller limits their number.
func (s *Service) Named(ctx context.Context, ids []int64) ([]Listed, error) {
	var found []Trader
	if err := s.rows(ctx).Where("id IN ?", ids).Order("id DESC").Find(&found).Error; err != nil {
		return nil, fmt.Errorf("read traders by their uids: %w", err)
	}
	return s.listed(ctx, found)
}

func (s *Service) listed(ctx context.Context, found []Trader) ([]Listed, error) {
	books, err := s.books(ctx, found)
	if err != nil {
		return nil, err
	}
	list := make([]Listed, len(found))
	for i, t := range found {
		list[i] = Listed{t, books[t.ID]}
	}
	return list, nil
}

func (s *Service) search(ctx context.Context, words string, after int64, limit int) (found []Trader, err error) {
	rows := s.rows(ctx).Limit(limit)
	number := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(words)
	switch {
	case words == "":
		return found, newest(rows, after).Find(&found).Error
	case strings.HasPrefix(number, "+") && isDigits(number[1:]):
		return found, byContact(rows, "phone", number, after).Find(&found).Error
	case isDigits(number):
		return s.byDigits(ctx, number, after, limit)
	default:
		return found, byContact(rows, "email", strings.ToLower(words), after).Find(&found).Error
	}
}

func (s *Service) rows(ctx context.Context) *gorm.DB { return s.db.Rows(ctx).Omit("password_hash") }

func newest(rows *gorm.DB, before int64) *gorm.DB {
	if before != 0 {
		rows = rows.Where("id < ?", before)
	}
	return rows.Order("id DESC")
}

// byContact finds the trader with exactly this address or number. Staff see contacts masked; a partial search would reveal them letter by letter.
func byContact(rows *gorm.DB, column, contact string, after int64) *gorm.DB {
	return rows.Where(column+" = ? AND id <> ?", contact, after)
}

// byDigits finds the traders whose uid begins with the digits, then the one with that telephone number.
func (s *Service) byDigits(ctx context.Context, digits string, after int64, limit int) (found []Trader, err error) {
	first, last := uidRange(digits)
	if after == 0 || after >= first && after <= last {
		err := newest(s.rows(ctx).Where("id BETWEEN ? AND ?", first, last), after).Limit(limit).Find(&found).Error
		if err != nil || len(found) == limit {
			return found, err
		}
	}
	var phones []Trader
	err = byContact(s.rows(ctx).Where("id NOT BETWEEN ? AND ?", first, last), "phone", "+"+digits, after).Limit(1).Find(&phones).Error
	return append(found, phones...), err
}

func isDigits(text string) bool {
	return text != "" && len(text) <= 18 && strings.Trim(text, "0123456789") == ""
}

// uidDigits is the length of a uid until the hundred-millionth trader; a longer one is searched as a whole.
const uidDigits = 8

// uidRange is the first and the last uid that begin with the digits.
func uidRange(digits string) (first, last int64) {
	first, _ = money.Parse(digits, 0)
	if len(digits) >= uidDigits {
		return first, first
	}
	width := money.Pow10(uidDigits - len(digits))
	return first * width, first*width + width - 1
}

func (s *Service) books(ctx context.Context, traders []Trader) (map[int64][]ledger.Book, error) {
	ids := make([]int64, len(traders))
	for i, t := range traders {
		ids[i] = t.ID
	}
	return ledger.BooksOf(ctx, s.db.Pool, ids)
}

// Contact is a kind of contact.
type Contact string

// The kinds of contact.
const (
	MailContact  Contact = "mail"
	PhoneContact Contact = "phone"
)

// Contact returns the address of one kind; empty without one.
func (t Trader) Contact(kind Contact) string {
	switch {
	case kind == MailContact && t.Email != nil:
		return *t.Email
	case kind == PhoneContact && t.Phone != nil:
		return *t.Phone
	}
	return ""
}

// MaskedContact is a contact with its middle hidden: the visible parts before and after it. It is empty without a contact.
type MaskedContact struct{ Before, After string }

// MaskContact masks a contact for staff: an e-mail address keeps its first letters and its domain, a telephone number its country and last digits.
func (t Trader) MaskContact(kind Contact) MaskedContact {
	text := t.Contact(kind)
	switch {
	case text == "":
		return MaskedContact{}
	case kind == PhoneContact:
		return maskPhone(text)
	}
	local, domain, _ := strings.Cut(text, "@")
	runes := []rune(local)
	if len(runes) <= 4 {
		return MaskedContact{string(runes[:1]), "@" + domain}
	}
	return MaskedContact{string(runes[:2]), string(runes[len(runes)-1:]) + "@" + domain}
}

func maskPhone(text string) MaskedContact {
	number, err := phonenumbers.Parse(text, "")
	if err != nil || len(text) < 8 {
		return MaskedContact{"+", ""}
	}
	return MaskedContact{fmt.Sprint("+", number.GetCountryCode()), text[len(text)-3:]}
}
