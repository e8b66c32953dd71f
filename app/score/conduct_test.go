package score_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/personal"
	"candor/app/score"
	"candor/app/trader"
	"candor/locales"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "conduct_reason", ".", "Reason")
	d.RequireLabels(t, "conduct_outcome", ".", "Outcome")
}

// TestTradersReadEveryReasonAndMessage: in the three languages that are translated here.
func TestTradersReadEveryReasonAndMessage(t *testing.T) {
	t.Parallel()
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	var keys []string
	for _, reason := range score.Reasons {
		keys = append(keys, "score.reason."+string(reason))
	}
	for _, what := range []string{"flagged", string(score.Upheld), string(score.Removed)} {
		keys = append(keys, "message.conduct_"+what+".subject", "message.conduct_"+what+".body")
	}
	for _, key := range keys {
		for _, language := range []string{"en", "zh_CN", "ar"} {
			require.True(t, texts.Has(language, key), "%s has no words for %s", language, key)
		}
	}
}

// TestWhoMayFlag refuses an agent in another's conversation, a second flag of the day, and visitors and guests, who have no score.
func TestWhoMayFlag(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.trader(0)
	own := b.conversationOf(one)
	visitor := b.scan(`INSERT INTO conversations (visitor, language, state, agent_id, created_at, moved_at) VALUES (gen_random_uuid(), 'en', 'open', $1, now(), now()) RETURNING id`, b.agent.ID)
	flag := func(by audit.Actor, conversation int64, reason score.Reason, note string) error {
		return b.scores.Flag(t.Context(), by, score.Request{ConversationID: conversation, Reason: reason, Note: note})
	}
	require.ErrorIs(t, flag(b.lead, own, score.Abuse, words), score.ErrOwner)
	require.ErrorIs(t, flag(b.agent, visitor, score.Abuse, words), score.ErrOwner)
	require.ErrorIs(t, flag(b.agent, b.conversationOf(b.guest()), score.Abuse, words), score.ErrOwner)
	require.Equal(t, score.ErrReason, flag(b.agent, own, "rude", words))
	require.Equal(t, score.ErrNote, flag(b.agent, own, score.Abuse, "  too short "))
	require.Equal(t, score.ErrNote, flag(b.agent, own, score.Abuse, long(1001)))
	require.Empty(t, b.actions(one))
	require.Empty(t, b.flags(one))

	require.NoError(t, flag(b.agent, own, score.Abuse, long(1000)))
	require.Equal(t, []string{"conduct.flag"}, b.actions(one))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM outbox WHERE kind = 'conduct_flagged'`), "the trader is told")
	require.ErrorIs(t, flag(b.agent, own, score.Spam, words), score.ErrFlagged)
	require.Len(t, b.flags(one), 1)
	b.clock.Advance(12 * time.Hour)
	require.NoError(t, flag(b.agent, own, score.Spam, words), "the next day")
	require.Len(t, b.flags(one), 2)
}

// TestNobodyFlagsTheirOwn refuses a member of staff whose own account it is.
func TestNobodyFlagsTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	own := b.scan(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('agent@house.example', 'T', '', 'DE', 'A', now()) RETURNING id`)
	require.ErrorIs(t, b.scores.Flag(t.Context(), b.agent, score.Request{ConversationID: b.conversationOf(own), Reason: score.Abuse, Note: words}), trader.ErrOwn)

	leads := b.scan(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('lead@house.example', 'T', '', 'DE', 'B', now()) RETURNING id`)
	f := b.flag(leads)
	require.NoError(t, b.scores.Appeal(t.Context(), acting(leads), f.ID, words))
	require.ErrorIs(t, b.scores.Decide(t.Context(), b.lead, f.ID, score.Removed), trader.ErrOwn)
	require.NoError(t, b.scores.Decide(t.Context(), b.staff("Another"), f.ID, score.Removed))
}

// TestAppeals goes through an appeal: once, by the trader, and decided once by another person.
func TestAppeals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.trader(0), b.trader(0)
	f := b.flag(one)
	require.True(t, f.Appealable(start))
	require.ErrorIs(t, b.scores.Decide(t.Context(), b.lead, f.ID, score.Removed), score.ErrDecided, "nobody appealed")
	require.ErrorIs(t, b.scores.Appeal(t.Context(), acting(other), f.ID, words), score.ErrFlag, "another trader's")
	require.ErrorIs(t, b.scores.Appeal(t.Context(), acting(one), f.ID+1, words), score.ErrFlag)
	require.Equal(t, score.ErrText, b.scores.Appeal(t.Context(), acting(one), f.ID, "no"))
	require.Equal(t, score.ErrText, b.scores.Appeal(t.Context(), acting(one), f.ID, long(1001)))
	require.Equal(t, score.ErrText, b.scores.Appeal(t.Context(), acting(one), f.ID, long(20)+"\x00"))

	require.NoError(t, b.scores.Appeal(t.Context(), acting(one), f.ID, "  "+words+" "))
	require.ErrorIs(t, b.scores.Appeal(t.Context(), acting(one), f.ID, words), score.ErrAppealed)
	waiting, err := b.scores.Appeals(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, waiting, 1)
	require.Equal(t, words, *waiting[0].Appeal)
	require.Equal(t, 440, b.of(one).Score, "an appeal alone changes nothing")

	require.ErrorIs(t, b.scores.Decide(t.Context(), b.agent, f.ID, score.Upheld), score.ErrOwnFlag)
	require.Equal(t, score.ErrOutcome, b.scores.Decide(t.Context(), b.lead, f.ID, "maybe"))
	require.NoError(t, b.scores.Decide(t.Context(), b.lead, f.ID, score.Removed))
	require.ErrorIs(t, b.scores.Decide(t.Context(), b.lead, f.ID, score.Upheld), score.ErrDecided)
	require.Empty(t, b.flags(one))
	require.Equal(t, []string{"conduct.flag", "conduct.appeal", "conduct.decide"}, b.actions(one))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM outbox WHERE kind = 'conduct_removed'`))
	require.Zero(t, b.scan(`SELECT count(*) FROM audit_entries WHERE after ILIKE '%regret%'`), "what anybody wrote is not in the log")
	waiting, err = b.scores.Appeals(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, waiting)
	decided, err := b.scores.Decided(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, score.Removed, *decided[0].Outcome)

	b.clock.Advance(aDay)
	require.Equal(t, 500, b.of(one).Score, "a removed flag takes nothing")
}

// TestAnUpheldFlagStandsForAYear keeps counting, cannot be appealed again, and lapses after 12 months.
func TestAnUpheldFlagStandsForAYear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, late := b.trader(0), b.trader(0)
	f, unanswered := b.flag(one), b.flag(late)
	require.NoError(t, b.scores.Appeal(t.Context(), acting(one), f.ID, words))
	require.NoError(t, b.scores.Decide(t.Context(), b.lead, f.ID, score.Upheld))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM outbox WHERE kind = 'conduct_upheld'`))
	require.Len(t, b.flags(one), 1)
	require.ErrorIs(t, b.scores.Appeal(t.Context(), acting(one), f.ID, words), score.ErrAppealed)
	b.clock.Advance(start.AddDate(1, 0, 0).Sub(start) - time.Second)
	require.Equal(t, 500+36-60, b.of(one).Score)
	require.Len(t, b.flags(one), 1)
	b.clock.Advance(aDay)
	require.Equal(t, 500+36, b.of(one).Score)
	require.Empty(t, b.flags(one))
	require.ErrorIs(t, b.scores.Appeal(t.Context(), acting(late), unanswered.ID, words), score.ErrAppealed, "what counts no more needs no appeal")
}

// TestTwoDecideAtOnce lets one of them win.
func TestTwoDecideAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.trader(0)
	f := b.flag(one)
	require.NoError(t, b.scores.Appeal(t.Context(), acting(one), f.ID, words))
	var group errgroup.Group
	lost := make(chan error, 8)
	for i := range 8 {
		group.Go(func() error {
			if err := b.scores.Decide(t.Context(), b.lead, f.ID, score.Outcomes[i%2]); err != nil {
				lost <- err
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	require.Len(t, lost, 7)
	for range 7 {
		require.ErrorIs(t, <-lost, score.ErrDecided)
	}
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'conduct.decide'`))
}

// TestPersonal exports scores and flags, without the notes of staff, and erases them when the account closes, not before.
func TestPersonal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.trader(0), b.trader(0)
	f := b.flag(one)
	b.flag(other)
	require.NoError(t, b.scores.Appeal(t.Context(), acting(one), f.ID, "That was a joke, sorry."))
	b.of(one)
	b.of(other)

	var file bytes.Buffer
	archive := personal.NewArchive(&file)
	require.NoError(t, b.scores.Personal().Export(t.Context(), one, archive))
	require.NoError(t, archive.Close())
	z, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	require.NoError(t, err)
	text := ""
	for _, name := range []string{"credit-scores.csv", "conduct-flags.csv"} {
		f, err := z.Open(name)
		require.NoError(t, err)
		raw, err := io.ReadAll(f)
		require.NoError(t, err)
		text += string(raw)
	}
	require.Contains(t, text, "2026-11-20,1,440")
	require.Contains(t, text, "That was a joke")
	require.NotContains(t, text, "regret", "notes stay at the desk")

	erase := func() error {
		return b.db.InTx(t.Context(), func(tx *db.Tx) error { return b.scores.Personal().Erase(t.Context(), tx, one) })
	}
	require.ErrorContains(t, erase(), "go when the account closes")
	b.exec(`UPDATE traders SET closes_at = now(), told_at = now() WHERE id = $1`, one)
	require.NoError(t, erase())
	require.Zero(t, b.scan(`SELECT (SELECT count(*) FROM credit_scores WHERE trader_id = $1) + (SELECT count(*) FROM conduct_flags WHERE trader_id = $1)`, one))
	require.EqualValues(t, 2, b.scan(`SELECT (SELECT count(*) FROM credit_scores WHERE trader_id = $1) + (SELECT count(*) FROM conduct_flags WHERE trader_id = $1)`, other))
}
