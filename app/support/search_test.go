package support_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/support"
)

// found returns the messages of a search's rows, in order.
func (b *bundle) found(f support.Filter) (bodies []string) {
	b.Helper()
	rows, err := b.chat.Inbox(b.Context(), f)
	require.NoError(b, err)
	for _, row := range rows {
		bodies = append(bodies, row.LastBody)
	}
	return bodies
}

func TestSearch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.ann)
	for _, text := range []string{
		"Where is the SEPA-Überweisung?", "请问出金什么时候到账", "ฝากเงินไม่เข้า", "출금이 안 돼요", "出金できません", "a fee of 100% is odd", "a_b", `c:\d`, "first line\nThe commission is high\nlast line", "Комиссия", "é",
	} {
		b.says(b.ann, text)
	}
	b.says(b.bob, "older: an invoice is missing")
	b.says(b.eve, "nothing like it")
	_, err := b.chat.AddNote(t.Context(), b.lee, c.ID, words("the bookkeepers know"))
	require.NoError(t, err)

	for asked, want := range map[string][]string{
		"weisung":         {"Where is the SEPA-Überweisung?"},
		"ÜBERWEIS":        {"Where is the SEPA-Überweisung?"},
		"sepa where":      {"Where is the SEPA-Überweisung?"},
		"sepa nowhere":    nil,
		"金什":              {"请问出金什么时候到账"},
		"到账 出金":           {"请问出金什么时候到账"},
		"账出":              nil,
		"出金":              {"出金できません"}, // the newest of the conversation
		"เงิน":            {"ฝากเงินไม่เข้า"},
		"금이":              {"출금이 안 돼요"},
		"комис":           {"Комиссия"},
		"100%":            {"a fee of 100% is odd"},
		"0%d":             nil,
		"a_b":             {"a_b"},
		"f_e":             nil,
		`:\d`:             {`c:\d`},
		"commission is":   {"first line\nThe commission is high\nlast line"},
		"keepers":         {"the bookkeepers know"}, // a note
		"é":               {"é"},
		"ø":               nil,
		"chat.claim":      nil, // events are not searched
		"no":              {"the bookkeepers know", "nothing like it"},
		"in":              {"nothing like it", "older: an invoice is missing", "first line\nThe commission is high\nlast line"},
		"' OR true; -- x": nil,
	} {
		require.Equal(t, want, b.found(support.Filter{Words: asked}), asked)
	}
	require.Len(t, b.found(support.Filter{Words: " \u3000 "}), 3, "nothing is looked for: the inbox")
	require.Equal(t, []string{"the bookkeepers know"}, b.found(support.Filter{Words: "no", Mine: b.kim.ID}))
	require.Equal(t, []string{"nothing like it"}, b.found(support.Filter{Words: "no", Language: "de"}))
	require.Empty(t, b.found(support.Filter{Words: "no", State: support.Snoozed}))
	b.answers(b.kim, c.ID, "done")
	_, err = b.chat.Resolve(t.Context(), b.kim, c.ID, 0, b.get(c.ID).LastMessageID)
	require.NoError(t, err)
	require.Equal(t, []string{"the bookkeepers know", "nothing like it"}, b.found(support.Filter{Words: "no"}), "what is resolved is found too")
}

// TestPairsEndWithTheLine has the line ends of forms, which are two characters.
func TestPairsEndWithTheLine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var pairs []string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT chat_pairs($1)`, "ab\r\nc\td").Scan(&pairs))
	require.Equal(t, []string{"ab"}, pairs)
}

// TestSearchReadsAlongTheIndex fills the threads and checks the query plan of a search.
func TestSearchReadsAlongTheIndex(t *testing.T) {
	t.Parallel()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	test.Tamper(t, `
		INSERT INTO conversations (visitor, language, state, created_at, moved_at) SELECT gen_random_uuid(), 'en', 'queued', now(), now() FROM generate_series(1, 200);
		INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at)
		SELECT 88001 + n % 200, gen_random_uuid(), 'customer', 'text', false, 'my order ' || md5(n::text) || CASE n % 5000 WHEN 7 THEN ' 出金呢' ELSE '' END, now() FROM generate_series(1, 20000) n;
		ANALYZE chat_messages; ANALYZE conversations`)
	plan := func(sql, words string) string {
		rows, err := d.Pool.Query(t.Context(), `EXPLAIN `+sql, pgx.QueryExecModeCacheDescribe, 0, false, "", "", 0, words, []string{db.Containing(words)}, 1000, 100)
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return strings.Join(lines, "\n")
	}
	for _, words := range []string{"出金", "order"} {
		require.Contains(t, plan(support.SearchByPairsSQL, words), "chat_messages_pairs", words)
		for _, sql := range []string{support.SearchByPairsSQL, support.SearchNewestSQL} {
			require.NotContains(t, plan(sql, words), "Seq Scan on chat_messages", words)
		}
	}
}

// TestSearchFindsWhatManyMessagesHold: a word of every message finds the newest conversations; a word of one old message is found too.
func TestSearchFindsWhatManyMessagesHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.says(b.ann, "my needle")
	_, err := b.db.Pool.Exec(t.Context(), `
		WITH c AS (INSERT INTO conversations (visitor, language, state, created_at, moved_at) SELECT gen_random_uuid(), 'en', 'queued', now(), now() FROM generate_series(1, 150) RETURNING id)
		INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at)
		SELECT id, gen_random_uuid(), 'customer', 'text', false, 'my hay ' || n, now() FROM c, generate_series(1, 15) n ORDER BY n, id`)
	require.NoError(t, err)
	rows, err := b.chat.Inbox(t.Context(), support.Filter{Words: "my"})
	require.NoError(t, err)
	require.Len(t, rows, 100)
	require.Equal(t, "my hay 15", rows[0].LastBody)
	require.Greater(t, rows[0].ID, rows[99].ID, "the newest message first")
	rows, err = b.chat.Inbox(t.Context(), support.Filter{Words: "needle"})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, first.ConversationID, rows[0].ID)
}
