package support

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Refusals of prepared answers.
var (
	ErrSlug     = errs.Field("slug", "field.slug")     // not 2 to 40 lower-case letters, digits and hyphens
	ErrTaken    = errs.Field("slug", "field.taken")    // the name exists in this language
	ErrVarName  = errs.Field("body", "field.variable") // an unknown variable
	ErrCategory = errs.Field("category", "field.unknown")
)

// Reply is a prepared answer in one language.
type Reply struct {
	ID        int64
	Slug      string
	Language  string
	Category  string // one of Labels
	Body      string // with variables such as {{name}}
	Version   int
	ChangedAt time.Time
}

// VariableNames lists the variables that a prepared answer may use; the back office supplies the values.
var VariableNames = []string{"agent", "withdrawal.number", "withdrawal.amount", "withdrawal.stage", "deposit.number", "deposit.amount", "deposit.stage", "identity.state", "hours"}

var variable = regexp.MustCompile(`\{\{\s*([a-z._]*)\s*\}\}`)

// Variables lists the variables of a text.
func Variables(text string) (names []string) {
	for _, found := range variable.FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	return names
}

// Fill replaces variables with values. A variable without a value stays and is listed as missing.
func Fill(text string, values map[string]string) (filled string, missing []string) {
	filled = variable.ReplaceAllStringFunc(text, func(found string) string {
		if value := values[variable.FindStringSubmatch(found)[1]]; value != "" {
			return value
		}
		missing = append(missing, variable.FindStringSubmatch(found)[1])
		return found
	})
	return filled, missing
}

const replyColumns = `id, slug, language, category, body, version, changed_at`

// Replies lists prepared answers that contain all words, by name: those in the language first, then English. An empty language lists all.
func (s *Service) Replies(ctx context.Context, language, words string) ([]Reply, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT `+replyColumns+` FROM chat_replies WHERE removed_at IS NULL AND ($1 = '' OR language IN ($1, 'en')) AND (slug || ' ' || category || ' ' || body) ILIKE ALL ($2)
		ORDER BY language <> $1, slug, language LIMIT 200`, language, patterns(words))
	if err != nil {
		return nil, fmt.Errorf("list prepared answers: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Reply])
}

// patterns returns the ILIKE patterns of a search for all words.
func patterns(words string) (list []string) {
	for _, word := range strings.Fields(words) {
		list = append(list, db.Containing(word))
	}
	if len(list) == 0 {
		list = []string{"%"}
	}
	return list
}

// Reply returns a prepared answer. Refusals: ErrUnknown.
func (s *Service) Reply(ctx context.Context, id int64) (r Reply, err error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT `+replyColumns+` FROM chat_replies WHERE id = $1 AND removed_at IS NULL`, id)
	if err != nil {
		return r, err
	}
	r, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Reply])
	if err == pgx.ErrNoRows { //nolint:errorlint // pgx returns it as it is
		err = ErrUnknown
	}
	return r, err
}

// RepliesFor reads the prepared answers of some names in a language, else in English; a name without one is absent.
func (s *Service) RepliesFor(ctx context.Context, language string, names ...string) (map[string]Reply, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT DISTINCT ON (slug) `+replyColumns+` FROM chat_replies
		WHERE slug = ANY ($1) AND language IN ($2, 'en') AND removed_at IS NULL ORDER BY slug, language <> $2`, names, language)
	if err != nil {
		return nil, fmt.Errorf("read prepared answers: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Reply])
	if err != nil {
		return nil, fmt.Errorf("read prepared answers: %w", err)
	}
	found := make(map[string]Reply, len(list))
	for _, r := range list {
		found[r.Slug] = r
	}
	return found, nil
}

// ReplyNames lists the names of all prepared answers, each once.
func (s *Service) ReplyNames(ctx context.Context) (names []string, err error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT DISTINCT slug FROM chat_replies WHERE removed_at IS NULL ORDER BY slug LIMIT 1000`)
	if err != nil {
		return nil, fmt.Errorf("list the names of prepared answers: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

var slug = regexp.MustCompile(`^[a-z0-9-]{2,40}$`)

func (r *Reply) read() error {
	r.Slug, r.Body = strings.TrimPrefix(strings.TrimSpace(r.Slug), "/"), strings.TrimSpace(r.Body)
	switch {
	case !slug.MatchString(r.Slug):
		return ErrSlug
	case r.Language == "" || len(r.Language) > 8:
		return errs.Field("language", "field.required")
	case !slices.Contains(Labels, r.Category):
		return ErrCategory
	case r.Body == "" || utf8.RuneCountInString(r.Body) > LongestText || !db.IsText(r.Body):
		return errs.Field("body", "field.length")
	}
	for _, name := range Variables(r.Body) {
		if !slices.Contains(VariableNames, name) {
			return ErrVarName
		}
	}
	return nil
}

// SaveReply writes a prepared answer: a new one if its ID is 0, else a new version of the one seen.
// Refusals: fields, ErrTaken, ErrUnknown, ErrChanged.
func (s *Service) SaveReply(ctx context.Context, by audit.Actor, r Reply) error {
	if err := r.read(); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		if r.ID == 0 {
			err := tx.Conn.QueryRow(ctx, `INSERT INTO chat_replies (slug, language, category, body, changed_by, changed_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
				r.Slug, r.Language, r.Category, r.Body, by.ID, now).Scan(&r.ID)
			if db.IsUnique(err, "chat_replies_slug") {
				return ErrTaken
			}
			if err != nil {
				return err
			}
		} else if err := changeReplyTx(ctx, tx, r, `category = $3, body = $4, changed_by = $5, changed_at = $6`, r.Category, r.Body, by.ID, now); err != nil {
			return err
		}
		entry := audit.By(by, now, "chat.save_reply", "reply", r.ID)
		entry.After = fmt.Sprintf(`{"slug":%q,"language":%q}`, r.Slug, r.Language)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// RemoveReply removes a prepared answer. Refusals: ErrChanged.
func (s *Service) RemoveReply(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		if err := changeReplyTx(ctx, tx, Reply{ID: id, Version: version}, `removed_at = $3`, now); err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, "chat.remove_reply", "reply", id))
	})
}

func changeReplyTx(ctx context.Context, tx *db.Tx, r Reply, columns string, values ...any) error {
	done, err := tx.Conn.Exec(ctx, `UPDATE chat_replies SET version = version + 1, `+columns+` WHERE id = $1 AND version = $2 AND removed_at IS NULL`, append([]any{r.ID, r.Version}, values...)...)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrChanged
	}
	return err
}
