package names

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/vault"
)

// mostWords is how many words of a name are kept; the pairs grow with its square.
const mostWords = 10

// Index keeps keyed tags of the words of one kind of name in a table with the columns trader_id, tag, and the id of the row that has the name. Each pair of words
// has a tag too, so that two common words together are found as fast as a rare one.
type Index struct {
	vault  *vault.Vault
	table  string
	column string
}

// NewIndex uses a table and its column of ids. The table's name is the purpose of the tags: tags of different kinds of names never match.
func NewIndex(v *vault.Vault, table, column string) Index {
	return Index{vault: v, table: table, column: column}
}

// Found is a row whose name has all the words.
type Found struct{ TraderID, ID int64 }

// ReplaceTx stores the words of a row's name instead of those of its former one.
func (i Index) ReplaceTx(ctx context.Context, tx *db.Tx, traderID, id int64, name string) error {
	if err := i.ForgetTx(ctx, tx, id); err != nil {
		return err
	}
	return i.AddTx(ctx, tx, traderID, id, name)
}

// AddTx stores the words of a new row's name.
func (i Index) AddTx(ctx context.Context, tx *db.Tx, traderID, id int64, name string) error {
	words := distinct(Words(name))
	words = words[:min(len(words), mostWords)]
	var texts []string
	for at, one := range words {
		texts = append(texts, one)
		for _, other := range words[at+1:] {
			texts = append(texts, pair(one, other))
		}
	}
	tags, err := i.tags(texts)
	if err != nil || len(tags) == 0 {
		return err
	}
	_, err = tx.Conn.Exec(ctx, fmt.Sprintf(`INSERT INTO %s (trader_id, %s, tag) SELECT $1, $2, unnest($3::bytea[])`, i.table, i.column), traderID, id, tags)
	if err != nil {
		return fmt.Errorf("store the words of a name in %s: %w", i.table, err)
	}
	return nil
}

// ForgetTx deletes the words of a row's name.
func (i Index) ForgetTx(ctx context.Context, tx *db.Tx, id int64) error {
	if _, err := tx.Conn.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE %s = $1`, i.table, i.column), id); err != nil {
		return fmt.Errorf("forget the words of a name in %s: %w", i.table, err)
	}
	return nil
}

// Find lists the rows whose names have all words of a search, the newest trader first, at most limit; below is a trader id (0 starts at the top). It finds none
// for words that are not Searchable.
func (i Index) Find(ctx context.Context, q db.Querier, search string, below int64, limit int) ([]Found, error) {
	words := Words(search)
	if !Searchable(words) {
		return nil, nil
	}
	tags, err := i.tags(searched(words))
	if err != nil {
		return nil, err
	}
	rows, err := q.Query(ctx, fmt.Sprintf(`
		SELECT trader_id, %[2]s FROM %[1]s w WHERE tag = $1 AND ($3::bigint = 0 OR trader_id < $3)
			AND NOT EXISTS (SELECT 1 FROM unnest($2::bytea[]) needed WHERE NOT EXISTS (SELECT 1 FROM %[1]s o WHERE o.%[2]s = w.%[2]s AND o.tag = needed))
		ORDER BY trader_id DESC, %[2]s DESC LIMIT $4`, i.table, i.column), tags[0], tags[1:], below, limit)
	if err != nil {
		return nil, fmt.Errorf("look for a name in %s: %w", i.table, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Found])
}

// Having are those of some rows whose names have all words of a search.
func (i Index) Having(ctx context.Context, q db.Querier, search string, ids []int64) ([]int64, error) {
	words := distinct(Words(search))
	if len(words) == 0 || len(ids) == 0 {
		return nil, nil
	}
	tags, err := i.tags(words)
	if err != nil {
		return nil, err
	}
	rows, err := q.Query(ctx, fmt.Sprintf(`SELECT %[2]s FROM %[1]s WHERE %[2]s = ANY($1) AND tag = ANY($2) GROUP BY %[2]s HAVING count(*) = $3`, i.table, i.column), ids, tags, len(tags))
	if err != nil {
		return nil, fmt.Errorf("compare names in %s: %w", i.table, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// searched are the texts that a row must have: the word, or pairs that have all words together. The longest words come first, as they are the rarest.
func searched(words []string) (texts []string) {
	words = distinct(words)
	if len(words) == 1 {
		return words
	}
	slices.SortStableFunc(words, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	for at := 0; at < len(words); at += 2 {
		first := min(at, len(words)-2) // the last of an odd number goes with the one before it
		texts = append(texts, pair(words[first], words[first+1]))
	}
	return texts
}

// pair is the text of two words in whatever order.
func pair(one, other string) string { return min(one, other) + " " + max(one, other) }

func (i Index) tags(texts []string) (tags [][]byte, err error) {
	for _, text := range texts {
		tag, err := i.vault.Tag(i.table, []byte(text))
		if err != nil {
			return nil, fmt.Errorf("tag a word of a name: %w", err)
		}
		tags = append(tags, tag)
	}
	return tags, nil
}
