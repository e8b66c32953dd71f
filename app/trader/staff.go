package trader

import (
	"context"
	"fmt"
	"strings"

	"github.com/nyaruka/phonenumbers"
	"gorm.io/gorm"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
)

// Listed is a trader in the list of staff, with the books that its accounts are in.
type Listed struct {
	Trader
	Books []ledger.Book
}

// Search lists traders for staff, newest first, before the given id (0 for the newest), at most limit. Words are a whole uid or the beginning of
// one, of an e-mail address or of a telephone number; none list everybody.
func (s *Service) Search(ctx context.Context, words string, before int64, limit int) ([]Listed, error) {
	rows := narrow(s.db.Rows(ctx).Omit("password_hash"), strings.TrimSpace(words))
	if before != 0 {
		rows = rows.Where("id < ?", before)
	}
	var found []Trader
	if err := rows.Order("id DESC").Limit(limit).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("search traders: %w", err)
	}
	books, err := s.books(ctx, found)
	if err != nil {
		return nil, err
	}
	out := make([]Listed, len(found))
	for i, t := range found {
		out[i] = Listed{t, books[t.ID]}
	}
	return out, nil
}

// narrow keeps the traders that words may mean.
func narrow(rows *gorm.DB, words string) *gorm.DB {
	number := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(words)
	switch {
	case words == "":
		return rows
	case strings.HasPrefix(number, "+") && isDigits(number[1:]):
		return rows.Where("phone LIKE ?", db.Prefix(number))
	case isDigits(number):
		first, last := uidRange(number)
		return rows.Where("(id BETWEEN ? AND ? OR phone LIKE ?)", first, last, db.Prefix("+"+number))
	default:
		return rows.Where("email LIKE ?", db.Prefix(strings.ToLower(words)))
	}
}

func isDigits(text string) bool {
	return text != "" && len(text) <= 18 && strings.Trim(text, "0123456789") == ""
}

// uidDigits is how long a uid is until the hundred-millionth trader; a longer one is found whole.
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
	rows, err := s.db.Pool.Query(ctx, `SELECT trader_id, book FROM accounts WHERE trader_id = ANY($1) AND kind <> 'house' ORDER BY trader_id, book DESC, id`, ids)
	if err != nil {
		return nil, fmt.Errorf("read the accounts of traders: %w", err)
	}
	defer rows.Close()
	out := map[int64][]ledger.Book{}
	for rows.Next() {
		var id int64
		var book ledger.Book
		if err := rows.Scan(&id, &book); err != nil {
			return nil, fmt.Errorf("read the accounts of traders: %w", err)
		}
		out[id] = append(out[id], book)
	}
	return out, rows.Err()
}

// Contact is a way to reach a trader.
type Contact string

// The ways.
const (
	MailContact  Contact = "mail"
	PhoneContact Contact = "phone"
)

// Contact is the address of one kind, or nothing.
func (t Trader) Contact(kind Contact) string {
	switch {
	case kind == MailContact && t.Email != nil:
		return *t.Email
	case kind == PhoneContact && t.Phone != nil:
		return *t.Phone
	}
	return ""
}

// Veiled is a contact with its middle hidden: what may be seen before and after it. It is empty when there is none.
type Veiled struct{ Before, After string }

// Veil hides a contact as staff see it: an e-mail address keeps its first letters and its domain, a telephone number its country and last digits.
func (t Trader) Veil(kind Contact) Veiled {
	text := t.Contact(kind)
	switch {
	case text == "":
		return Veiled{}
	case kind == PhoneContact:
		return veilPhone(text)
	}
	local, domain, _ := strings.Cut(text, "@")
	runes := []rune(local)
	if len(runes) <= 4 {
		return Veiled{string(runes[:1]), "@" + domain}
	}
	return Veiled{string(runes[:2]), string(runes[len(runes)-1:]) + "@" + domain}
}

func veilPhone(text string) Veiled {
	number, err := phonenumbers.Parse(text, "")
	if err != nil || len(text) < 8 {
		return Veiled{"+", ""}
	}
	return Veiled{fmt.Sprint("+", number.GetCountryCode()), text[len(text)-3:]}
}
