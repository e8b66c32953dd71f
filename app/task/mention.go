package task

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff/member"
)

// PlaceKind is where a note stands that names a colleague.
type PlaceKind string

// The kinds of places.
const (
	InConversation PlaceKind = "conversation"
	AboutTrader    PlaceKind = "trader"
)

// Note is a note in which colleagues may be named.
type Note struct {
	Place   PlaceKind
	PlaceID int64 // of the conversation or the trader
	NoteID  int64 // of the message or the note
	Text    string
}

// Mention is the naming of one colleague in one note.
type Mention struct {
	ID      int64
	StaffID int64 // who is named
	ByID    int64
	Note
	At     time.Time
	ReadAt *time.Time
}

// TableName is GORM's name of the table.
func (Mention) TableName() string { return "mentions" }

// Mentioned are the colleagues of a list that a text names, each with @ and the whole name. A name inside a longer one of the list does not count.
func Mentioned(text string, people []member.Member) (named []int64) {
	longest := slices.Clone(people)
	slices.SortFunc(longest, func(a, b member.Member) int { return cmp.Compare(len(b.Name), len(a.Name)) })
	for at := strings.IndexByte(text, '@'); at >= 0; {
		rest := text[at+1:]
		for _, p := range longest {
			if begins(rest, p.Name) {
				if !slices.Contains(named, p.ID) {
					named = append(named, p.ID)
				}
				break
			}
		}
		next := strings.IndexByte(rest, '@')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return named
}

// begins reports whether a text begins with a name that ends there as a word.
func begins(text, name string) bool {
	after, ok := strings.CutPrefix(text, name)
	if !ok || name == "" {
		return false
	}
	next, _ := utf8.DecodeRuneInString(after)
	return after == "" || !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// MentionTx tells active colleagues that a note names them, in the transaction that stores the note; naming oneself tells nobody. The caller has checked that
// they may read the note.
func (s *Service) MentionTx(ctx context.Context, tx *db.Tx, by audit.Actor, n Note, named []int64) error {
	if len(named) == 0 {
		return nil
	}
	people, err := member.Find(ctx, tx.Conn, named...)
	if err != nil {
		return err
	}
	for _, p := range people {
		if !p.Active || p.ID == by.ID {
			continue
		}
		m := Mention{StaffID: p.ID, ByID: by.ID, Note: n, At: s.clock.Now()}
		if err := tx.Rows.Create(&m).Error; err != nil {
			return fmt.Errorf("mention %d: %w", p.ID, err)
		}
		e := audit.By(by, m.At, "mention.add", "mention", m.ID)
		e.After = fmt.Sprintf(`{"colleague":%d,"place":%q,"place_id":%d}`, p.ID, n.Place, n.PlaceID)
		if err := audit.RecordTx(ctx, tx, e); err != nil {
			return err
		}
	}
	return nil
}

// Mentions reads the mentions of a member, the newest first, below an id (0 begins), at most limit.
func (s *Service) Mentions(ctx context.Context, staffID, below int64, limit int) (list []Mention, err error) {
	rows := s.db.Rows(ctx).Where("staff_id = ?", staffID).Order("id DESC").Limit(limit)
	if below != 0 {
		rows = rows.Where("id < ?", below)
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the mentions of %d: %w", staffID, err)
	}
	return list, nil
}

// Mention reads a mention of a member. It returns ErrUnknown also for a mention of somebody else.
func (s *Service) Mention(ctx context.Context, staffID, id int64) (m Mention, err error) {
	if err := s.db.Rows(ctx).Where("id = ? AND staff_id = ?", id, staffID).Limit(1).Find(&m).Error; err != nil {
		return m, fmt.Errorf("read mention %d: %w", id, err)
	}
	if m.ID == 0 {
		return m, ErrUnknown
	}
	return m, nil
}

// OpenMention reads a mention of a member and marks it as read. It returns ErrUnknown also for a mention of somebody else.
func (s *Service) OpenMention(ctx context.Context, by audit.Actor, id int64) (m Mention, err error) {
	if m, err = s.Mention(ctx, by.ID, id); err != nil || m.ReadAt != nil {
		return m, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		result := tx.Rows.Model(&Mention{}).Where("id = ? AND read_at IS NULL", id).Update("read_at", now)
		if result.Error != nil || result.RowsAffected == 0 { // opened in another window meanwhile
			return result.Error
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, "mention.read", "mention", id))
	})
	return m, err
}
