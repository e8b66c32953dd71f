package support_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/upload"
	"candor/app/support"
	"candor/app/trader"
)

func TestSay(t *testing.T) {
	t.Parallel()
	t.Run("TheSameIDIsTheSameMessage", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		draft := words("where is my money")
		one, err := b.chat.Send(t.Context(), b.ann, draft)
		require.NoError(t, err)
		again, err := b.chat.Send(t.Context(), b.ann, draft)
		require.NoError(t, err)
		require.Equal(t, one.ID, again.ID)
		draft.Text = "something else"
		_, err = b.chat.Send(t.Context(), b.ann, draft)
		require.ErrorIs(t, err, support.ErrReused)
		require.Equal(t, []string{"where is my money"}, bodies(b.thread(b.ann).List))
	})
	t.Run("ManyAtOnceBeginOneConversation", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var group errgroup.Group
		for range 12 {
			group.Go(func() error {
				_, err := b.chat.Send(t.Context(), b.eve, words("hello"))
				return err
			})
		}
		require.NoError(t, group.Wait())
		var n int
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM conversations`).Scan(&n))
		require.Equal(t, 1, n)
		require.Len(t, b.thread(b.eve).List, 12)
	})
	t.Run("SecretsAreMaskedBeforeTheyAreWritten", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		m := b.says(b.ann, "the code is 482913, my password: Tr0ub4dor&3")
		require.True(t, m.Masked)
		require.NotContains(t, m.Body, "482913")
		require.NotContains(t, m.Body, "Tr0ub4dor")
		m = b.says(b.ann, "legal winner thank year wave sausage worth useful legal winner thank yellow")
		require.True(t, m.Masked)
		require.NotContains(t, m.Body, "sausage")
		m = b.says(b.ann, "my order 482913 was filled at 1.08345 and I would like to know why it was that price")
		require.False(t, m.Masked)
	})
	t.Run("Refusals", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		long := make([]rune, support.LongestText+1)
		for i := range long {
			long[i] = 'ä'
		}
		for name, one := range map[string]struct {
			from    support.Customer
			draft   support.Draft
			refusal error
		}{
			"NoText":             {b.ann, words("  "), support.ErrText},
			"TooLong":            {b.ann, words(string(long)), support.ErrText},
			"NotText":            {b.ann, words("\x00"), support.ErrText},
			"NoID":               {b.ann, support.Draft{ID: "7", Text: "x"}, support.ErrMessageID},
			"NoVisitor":          {support.Customer{Visitor: "eve"}, words("x"), support.ErrVisitor},
			"PictureOfNobody":    {b.ann, support.Draft{ID: uuid.NewString(), Picture: "0123456789abcdef0123456789abcdef.jpg"}, support.ErrPicture},
			"CardOfAnother":      {b.ann, support.Draft{ID: uuid.NewString(), CardKind: "withdrawal", CardID: 7}, support.ErrCard},
			"CardOfUnknownKind":  {b.ann, support.Draft{ID: uuid.NewString(), CardKind: "secret", CardID: 7}, support.ErrCard},
			"VisitorsHaveNoCard": {b.eve, support.Draft{ID: uuid.NewString(), CardKind: "withdrawal", CardID: 8}, support.ErrCard},
		} {
			b.ownedCards[8] = b.bob.TraderID
			_, err := b.chat.Send(t.Context(), one.from, one.draft)
			require.Equal(t, one.refusal, err, name)
		}
		require.Empty(t, b.thread(b.ann).List)
	})
	t.Run("PicturesAndCardsOfOnesOwn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		name, err := b.chat.Upload(t.Context(), b.ann, picture(t))
		require.NoError(t, err)
		m, err := b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), Picture: name})
		require.NoError(t, err)
		require.Equal(t, support.Picture, m.Kind)
		_, err = b.chat.PictureFor(t.Context(), b.ann, name)
		require.NoError(t, err)
		_, err = b.chat.PictureFor(t.Context(), b.bob, name)
		require.ErrorIs(t, err, support.ErrUnknown)
		_, err = b.chat.PictureOf(t.Context(), m.ConversationID, name)
		require.NoError(t, err)
		_, err = b.chat.PictureOf(t.Context(), m.ConversationID+1, name)
		require.ErrorIs(t, err, support.ErrUnknown)
		_, err = b.chat.Send(t.Context(), b.bob, support.Draft{ID: uuid.NewString(), Picture: name})
		require.Equal(t, support.ErrPicture, err)
		b.ownedCards[9] = b.ann.TraderID
		m, err = b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), CardKind: "withdrawal", CardID: 9})
		require.NoError(t, err)
		require.Equal(t, support.Card, m.Kind)
	})
	t.Run("PicturesThatNobodySentAreSwept", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		sent, unsent := b.uploads(b.ann), b.uploads(b.ann)
		m, err := b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), Picture: sent})
		require.NoError(t, err)
		b.clock.Set(start.Add(24 * time.Hour))
		fresh := b.uploads(b.ann)
		require.NoError(t, b.chat.SweepPictures(t.Context()))
		require.FileExists(t, b.file(unsent), "a day is not over")
		b.clock.Set(start.Add(24*time.Hour + time.Second))
		require.NoError(t, b.chat.SweepPictures(t.Context()))
		require.NoFileExists(t, b.file(unsent))
		require.FileExists(t, b.file(fresh))
		_, err = b.chat.PictureOf(t.Context(), m.ConversationID, sent)
		require.NoError(t, err)
		_, err = b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), Picture: unsent})
		require.Equal(t, support.ErrPicture, err)
		again, err := b.chat.Send(t.Context(), b.ann, support.Draft{ID: m.ClientID, Picture: sent})
		require.NoError(t, err)
		require.Equal(t, m.ID, again.ID, "what was sent is sent again")
		_, err = b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), Picture: fresh})
		require.NoError(t, err)
	})
	t.Run("OneAddressBringsFewPicturesAsVisitors", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := picture(t)
		for range 20 {
			v := b.written("192.0.2.9")
			for range 3 {
				_, err := b.chat.Upload(t.Context(), v, p)
				require.NoError(t, err)
			}
		}
		b.clock.Set(b.clock.Now().Add(time.Hour)) // conversations are counted by the hour
		again := b.written("192.0.2.9")
		require.ErrorIs(t, b.chat.MayUpload(t.Context(), again), support.ErrOften)
		_, err := b.chat.Upload(t.Context(), again, p)
		require.ErrorIs(t, err, support.ErrOften)
		_, err = b.chat.Upload(t.Context(), b.written("192.0.2.10"), p)
		require.NoError(t, err)
		_, err = b.chat.Upload(t.Context(), support.Customer{TraderID: b.ann.TraderID, IP: "192.0.2.9"}, p)
		require.NoError(t, err, "traders are counted each by themselves")
		b.clock.Set(b.clock.Now().Add(24 * time.Hour))
		_, err = b.chat.Upload(t.Context(), again, p)
		require.NoError(t, err)
	})
	t.Run("OneNetworkOfIPv6IsOneAddress", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := picture(t)
		for host := range 15 {
			v := b.written(fmt.Sprintf("2001:db8:0:1::%x", host+1))
			for range 4 {
				_, err := b.chat.Upload(t.Context(), v, p)
				require.NoError(t, err)
			}
		}
		require.ErrorIs(t, b.chat.MayUpload(t.Context(), b.written("2001:db8:0:1:ffff::1")), support.ErrOften)
		require.NoError(t, b.chat.MayUpload(t.Context(), b.written("2001:db8:0:2::1")))
		for ip, network := range map[string]string{
			"192.0.2.9": "192.0.2.9", "::ffff:192.0.2.9": "192.0.2.9", "2001:db8:0:1::9": "2001:db8:0:1::/64", "fe80::1%eth0": "fe80::/64", "": "", "x": "x",
		} {
			require.Equal(t, network, support.Customer{IP: ip}.Network())
		}
	})
	t.Run("AVisitorWritesBeforeTheyBringPictures", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := picture(t)
		require.ErrorIs(t, b.chat.MayUpload(t.Context(), b.eve), support.ErrWriteFirst)
		_, err := b.chat.Upload(t.Context(), b.eve, p)
		require.ErrorIs(t, err, support.ErrWriteFirst)
		require.Empty(t, b.files(), "nothing is kept of it")
		b.says(b.eve, "hello")
		require.NoError(t, b.chat.MayUpload(t.Context(), b.eve))
		_, err = b.chat.Upload(t.Context(), b.eve, p)
		require.NoError(t, err)
		require.ErrorIs(t, b.chat.MayUpload(t.Context(), support.Customer{Visitor: uuid.NewString(), IP: b.eve.IP}), support.ErrWriteFirst, "somebody else's words don't count")
		require.Equal(t, support.ErrVisitor, b.chat.MayUpload(t.Context(), support.Customer{Visitor: "eve"}))
		require.NoError(t, b.chat.MayUpload(t.Context(), b.ann), "a trader need not")
		guest := support.Customer{TraderID: b.ann.TraderID, Guest: true, IP: "192.0.2.3"}
		require.ErrorIs(t, b.chat.MayUpload(t.Context(), guest), support.ErrWriteFirst, "a guest is whoever came")
		require.Equal(t, upload.Sender{Class: upload.Stranger, Person: "visitors of 192.0.2.3"}, guest.Sender())
		b.says(guest, "hello")
		_, err = b.chat.Upload(t.Context(), guest, p)
		require.NoError(t, err)
		var near int
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM chat_uploads WHERE from_ip = '192.0.2.3'`).Scan(&near))
		require.Equal(t, 1, near, "it is one of their network's")
	})
	t.Run("PicturesAtTheSameMomentAreCountedOneAfterTheOther", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := picture(t)
		for range 39 {
			_, err := b.chat.Upload(t.Context(), b.ann, p)
			require.NoError(t, err)
		}
		answer := make(chan error, 1)
		err := b.db.InTx(t.Context(), func(tx *db.Tx) error { // the fortieth is being stored
			_, err := tx.Conn.Exec(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`, b.ann.Sender().Person)
			require.NoError(t, err)
			_, err = tx.Conn.Exec(t.Context(), `INSERT INTO chat_uploads (name, trader_id, width, height, size, created_at) VALUES ('40', $1, 1, 1, 1, $2)`, b.ann.TraderID, b.clock.Now())
			require.NoError(t, err)
			go func() {
				_, err := b.chat.Upload(context.WithoutCancel(t.Context()), b.ann, p)
				answer <- err
			}()
			for waits := false; !waits && len(answer) == 0; {
				require.NoError(t, tx.Conn.QueryRow(t.Context(), `
					SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`).Scan(&waits))
			}
			return nil
		})
		require.NoError(t, err)
		require.ErrorIs(t, <-answer, support.ErrOften)
		require.Len(t, b.files(), 39, "what was not kept is no file")
	})
	t.Run("OneCustomerBringsFewPictures", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := picture(t)
		for range 40 {
			_, err := b.chat.Upload(t.Context(), b.ann, p)
			require.NoError(t, err)
		}
		_, err := b.chat.Upload(t.Context(), b.ann, p)
		require.ErrorIs(t, err, support.ErrOften)
		require.ErrorIs(t, b.chat.MayUpload(t.Context(), b.ann), support.ErrOften)
		_, err = b.chat.Upload(t.Context(), b.bob, p)
		require.NoError(t, err)
	})
	t.Run("NobodyWritesWithoutEnd", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 30 {
			_, err := b.chat.Send(t.Context(), b.ann, words("again"))
			require.NoError(t, err)
		}
		_, err := b.chat.Send(t.Context(), b.ann, words("again"))
		require.ErrorIs(t, err, support.ErrOften)
		b.clock.Set(start.Add(time.Minute + time.Second))
		_, err = b.chat.Send(t.Context(), b.ann, words("a minute later"))
		require.NoError(t, err)
	})
	t.Run("OneNetworkBeginsFewConversationsAsVisitorsAndGuests", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		visitor := func(ip string) support.Customer { return support.Customer{Visitor: uuid.NewString(), IP: ip} }
		for n := range 50 {
			_, err := b.chat.Send(t.Context(), visitor("192.0.2.9"), words("x"))
			require.NoError(t, err)
			_, err = b.chat.Send(t.Context(), b.guest(n, "192.0.2.9"), words("x"))
			require.NoError(t, err)
		}
		for _, from := range []support.Customer{visitor("192.0.2.9"), b.guest(50, "192.0.2.9")} {
			_, err := b.chat.Send(t.Context(), from, words("x"))
			require.ErrorIs(t, err, support.ErrNetwork)
		}
		for _, from := range []support.Customer{visitor("192.0.2.10"), {TraderID: b.ann.TraderID, IP: "192.0.2.9"}} {
			_, err := b.chat.Send(t.Context(), from, words("x"))
			require.NoError(t, err)
		}
		b.clock.Set(start.Add(time.Hour))
		_, err := b.chat.Send(t.Context(), visitor("192.0.2.9"), words("x"))
		require.NoError(t, err)
	})
	t.Run("ManyOfOneNetworkWaitForEachOther", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		place := func(from support.Customer) int {
			thread, err := b.chat.Read(t.Context(), from, 0)
			require.NoError(t, err)
			return thread.Position
		}
		var crowd []support.Customer
		for n := range 10 {
			crowd = append(crowd, b.guest(n, "192.0.2.9"))
			_, err := b.chat.Send(t.Context(), crowd[n], words("x"))
			require.NoError(t, err)
			b.clock.Advance(time.Second)
		}
		late := support.Customer{TraderID: b.ann.TraderID, IP: "192.0.2.9"}
		_, err := b.chat.Send(t.Context(), late, words("x"))
		require.NoError(t, err)
		require.Equal(t, []int{1, 3, 4, 11, 2}, []int{place(crowd[0]), place(crowd[1]), place(crowd[2]), place(crowd[9]), place(late)})
	})
}

func TestThreadOfOnesOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.ann)
	b.says(b.eve, "secret of eve")
	_, err := b.chat.AddNote(t.Context(), b.lee, c.ID, words("between us"))
	require.NoError(t, err)
	m := b.answers(b.kim, c.ID, "hello Ann")
	seen := b.thread(b.ann)
	require.Equal(t, []string{"hello", "chat.claim", "hello Ann"}, bodies(seen.List), "neither notes nor the threads of others")
	require.Equal(t, "kim", seen.AgentName)
	whole, more, err := b.chat.Messages(t.Context(), c.ID, 0)
	require.NoError(t, err)
	require.False(t, more)
	require.Equal(t, []string{"hello", "chat.claim", "between us", "hello Ann"}, bodies(whole))

	unread, err := b.chat.Unread(t.Context(), b.ann)
	require.NoError(t, err)
	require.Equal(t, 1, unread)
	require.NoError(t, b.chat.MarkRead(t.Context(), b.ann, m.ID, false))
	require.Equal(t, []int64{m.ID, whole[0].ID}, []int64{b.get(c.ID).CustomerGot, b.get(c.ID).CustomerRead})
	require.NoError(t, b.chat.MarkRead(t.Context(), b.ann, m.ID+1000, true))
	require.NoError(t, b.chat.MarkRead(t.Context(), b.ann, 1, true))
	require.Equal(t, m.ID, b.get(c.ID).CustomerRead, "marks only grow, and never beyond what was said")
	unread, err = b.chat.Unread(t.Context(), b.ann)
	require.NoError(t, err)
	require.Zero(t, unread)

	last := b.says(b.ann, "thanks")
	require.NoError(t, b.chat.MarkSeen(t.Context(), b.lee.ID, c.ID, last.ID, true))
	require.Less(t, b.get(c.ID).AgentRead, last.ID, "whoever does not own it only looks")
	require.NoError(t, b.chat.MarkSeen(t.Context(), b.kim.ID, c.ID, last.ID, true))
	require.Equal(t, last.ID, b.get(c.ID).AgentRead)
}

// TestTheAppSaysItsLanguageAndItsZone: the newest message counts, and an unknown zone name changes nothing.
func TestTheAppSaysItsLanguageAndItsZone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.asks(b.ann).ID
	_, known := b.get(id).Location()
	require.False(t, known)
	from := b.ann
	from.Language, from.Zone = "es", "America/Lima"
	b.says(from, "hola")
	require.Equal(t, []string{"es", "America/Lima"}, []string{b.get(id).Language, b.get(id).Zone})
	zone, known := b.get(id).Location()
	require.True(t, known)
	require.Equal(t, "07:00", start.In(zone).Format("15:04"))
	for _, none := range []string{"", "Local", "Mars/Olympus", "../../etc/passwd", "America/" + strings.Repeat("x", 80)} {
		from.Zone = none
		b.says(from, "otra vez")
		require.Equal(t, "America/Lima", b.get(id).Zone, none)
	}
	from.Zone = "Asia/Tokyo"
	b.says(from, "on my journey")
	require.Equal(t, "Asia/Tokyo", b.get(id).Zone)
}

func TestOwners(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.asks(b.ann)
	require.Equal(t, support.Queued, c.State)
	_, err := b.chat.Answer(t.Context(), b.kim, c.ID, words("hello"))
	require.ErrorIs(t, err, support.ErrNotOwned, "claim it first")
	var group errgroup.Group
	refused := make(chan error, 2)
	for _, agent := range []int{0, 1} {
		group.Go(func() error {
			by := b.kim
			if agent == 1 {
				by = b.lee
			}
			_, err := b.chat.Claim(t.Context(), by, c.ID)
			refused <- err
			return nil
		})
	}
	require.NoError(t, group.Wait())
	one, two := <-refused, <-refused
	require.True(t, (one == nil) != (two == nil), "one of two wins: %v, %v", one, two)
	c = b.get(c.ID)
	owner, other := b.kim, b.lee
	if c.OwnedBy(b.lee.ID) {
		owner, other = b.lee, b.kim
	}
	_, err = b.chat.Answer(t.Context(), other, c.ID, words("hello"))
	require.ErrorIs(t, err, support.ErrNotOwned)
	_, err = b.chat.TakeOver(t.Context(), other, c.ID, c.Version-1)
	require.ErrorIs(t, err, support.ErrChanged)
	_, err = b.chat.TakeOver(t.Context(), owner, c.ID, c.Version)
	require.ErrorIs(t, err, support.ErrState)
	c, err = b.chat.TakeOver(t.Context(), other, c.ID, c.Version)
	require.NoError(t, err)
	require.True(t, c.OwnedBy(other.ID))
	draft := words("it is me now")
	_, err = b.chat.Answer(t.Context(), other, c.ID, draft)
	require.NoError(t, err)
	_, err = b.chat.Answer(t.Context(), owner, c.ID, words("and me"))
	require.ErrorIs(t, err, support.ErrNotOwned)
	_, err = b.chat.Answer(t.Context(), other, c.ID, draft)
	require.NoError(t, err, "sent again it is the same message")

	_, err = b.chat.Transfer(t.Context(), owner, false, c.ID, 0, 0, "")
	require.ErrorIs(t, err, support.ErrNotOwned)
	_, err = b.chat.Transfer(t.Context(), other, false, c.ID, 0, owner.ID, "")
	require.ErrorIs(t, err, support.ErrAgent, "only to an agent who is there")
	b.present(owner)
	c, err = b.chat.Transfer(t.Context(), other, false, c.ID, 0, owner.ID, "she asks about swaps")
	require.NoError(t, err)
	require.True(t, c.OwnedBy(owner.ID))
	require.NotContains(t, bodies(b.thread(b.ann).List), "she asks about swaps")
	c, err = b.chat.Transfer(t.Context(), other, true, c.ID, 0, 0, "")
	require.NoError(t, err, "a lead hands on what others own")
	require.Equal(t, support.Queued, c.State)
	require.Nil(t, c.AgentID)
}

func TestNobodyAnswersTheirOwnTrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.asks(b.ann)
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE staff SET email = (SELECT email FROM traders WHERE id = $1) WHERE id = $2`, b.ann.TraderID, b.kim.ID)
	require.NoError(t, err)
	_, err = b.chat.Claim(t.Context(), b.kim, c.ID)
	require.ErrorIs(t, err, trader.ErrOwn)
	b.present(b.kim)
	require.NoError(t, b.chat.Assign(t.Context()))
	require.Equal(t, support.Queued, b.get(c.ID).State)
	b.present(b.lee)
	require.NoError(t, b.chat.Assign(t.Context()))
	require.True(t, b.get(c.ID).OwnedBy(b.lee.ID))
}

func TestSnoozeAndResolve(t *testing.T) {
	t.Parallel()
	t.Run("SnoozedComesBackByItself", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		for _, until := range []time.Time{b.clock.Now(), b.clock.Now().Add(31 * 24 * time.Hour)} {
			_, err := b.chat.Snooze(t.Context(), b.kim, c.ID, 0, until)
			require.Equal(t, support.ErrUntil, err)
		}
		_, err := b.chat.Snooze(t.Context(), b.lee, c.ID, 0, b.clock.Now().Add(time.Hour))
		require.ErrorIs(t, err, support.ErrNotOwned)
		_, err = b.chat.Snooze(t.Context(), b.kim, c.ID, 0, b.clock.Now().Add(time.Hour))
		require.NoError(t, err)
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		require.Equal(t, support.Snoozed, b.get(c.ID).State)
		b.clock.Set(b.clock.Now().Add(time.Hour))
		b.present(b.kim)
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		require.Equal(t, support.Open, b.get(c.ID).State)
	})
	t.Run("SnoozedIsTakenUpAgainByItsOwner", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		_, err := b.chat.Wake(t.Context(), b.kim, c.ID)
		require.ErrorIs(t, err, support.ErrState, "it was not put off")
		_, err = b.chat.Snooze(t.Context(), b.kim, c.ID, 0, b.clock.Now().Add(time.Hour))
		require.NoError(t, err)
		_, err = b.chat.Wake(t.Context(), b.lee, c.ID)
		require.ErrorIs(t, err, support.ErrNotOwned)
		_, err = b.chat.Wake(t.Context(), b.kim, c.ID)
		require.NoError(t, err)
		c = b.get(c.ID)
		require.Equal(t, support.Open, c.State)
		require.Nil(t, c.SnoozedUntil)
		require.NotNil(t, c.WaitingSince, "its customer still waits")
		b.answers(b.kim, c.ID, "tomorrow")
		_, err = b.chat.Snooze(t.Context(), b.kim, c.ID, 0, b.clock.Now().Add(time.Hour))
		require.NoError(t, err)
		c, err = b.chat.Wake(t.Context(), b.kim, c.ID)
		require.NoError(t, err)
		require.Equal(t, support.WaitingCustomer, c.State, "it was answered")
		for _, m := range b.thread(b.ann).List {
			require.NotEqual(t, "chat.wake", m.Body, "its customer is not told")
		}
	})
	t.Run("WhatCameBackAfterAnAnswerIsToBeWorkedOn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		b.answers(b.kim, c.ID, "I look into it until tomorrow")
		require.Nil(t, b.get(c.ID).WaitingSince)
		_, err := b.chat.Snooze(t.Context(), b.kim, c.ID, 0, b.clock.Now().Add(time.Hour))
		require.NoError(t, err)
		require.False(t, b.get(c.ID).Woken())
		b.clock.Set(b.clock.Now().Add(time.Hour))
		woke := b.clock.Now()
		b.present(b.kim)
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		c = b.get(c.ID)
		require.Equal(t, support.Open, c.State)
		require.True(t, c.Woken())
		require.Equal(t, woke, c.WaitingSince.UTC(), "the clock runs from its moment")
		b.clock.Set(b.clock.Now().Add(support.SilentAfter))
		b.present(b.kim)
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		require.Equal(t, support.Open, b.get(c.ID).State, "that is no silence of the trader")
		b.answers(b.kim, c.ID, "here it is")
		c = b.get(c.ID)
		require.Equal(t, support.WaitingCustomer, c.State)
		require.False(t, c.Woken())
	})
	t.Run("AnsweredBlindIsNotAnswered", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		draft := words("the first is so")
		draft.Seen = c.LastMessageID
		missed := b.says(b.ann, "and a second question")
		b.says(b.ann, "and a third")
		_, err := b.chat.Answer(t.Context(), b.kim, c.ID, draft)
		require.NoError(t, err)
		was := c
		c = b.get(c.ID)
		require.Equal(t, support.Open, c.State)
		require.Equal(t, missed.At, c.WaitingSince.UTC(), "since the first that was not seen")
		require.Equal(t, was.LastMessageID, c.AgentRead)
		b.answers(b.kim, c.ID, "and the others so")
		stale := words("as I said")
		stale.Seen = was.LastMessageID
		_, err = b.chat.Answer(t.Context(), b.kim, c.ID, stale)
		require.NoError(t, err)
		c = b.get(c.ID)
		require.Equal(t, support.WaitingCustomer, c.State, "what was answered does not wait again")
		require.Nil(t, c.WaitingSince)
		require.Equal(t, c.LastMessageID, c.AgentRead)
	})
	t.Run("SnoozedComesBackWithAWord", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		_, err := b.chat.Snooze(t.Context(), b.kim, c.ID, 0, b.clock.Now().Add(time.Hour))
		require.NoError(t, err)
		b.says(b.ann, "still there?")
		require.Equal(t, support.Open, b.get(c.ID).State)
	})
	t.Run("NotBeforeItsLastWordIsRead", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		seen := b.answers(b.kim, c.ID, "done")
		b.says(b.ann, "no, wait")
		_, err := b.chat.Resolve(t.Context(), b.kim, c.ID, 0, seen.ID)
		require.ErrorIs(t, err, support.ErrWaiting)
		require.Equal(t, support.Open, b.get(c.ID).State)
	})
	t.Run("RatedOnceForEachResolve", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.ErrorIs(t, b.chat.Rate(t.Context(), b.ann, 5, ""), support.ErrUnknown)
		c := b.resolved(b.ann)
		require.True(t, b.thread(b.ann).Rateable())
		require.Equal(t, support.ErrRating, b.chat.Rate(t.Context(), b.ann, 6, ""))
		require.NoError(t, b.chat.Rate(t.Context(), b.ann, 4, "quick"))
		require.ErrorIs(t, b.chat.Rate(t.Context(), b.ann, 5, ""), support.ErrRated)
		require.Equal(t, 4, *b.get(c.ID).Rating)
		require.NotContains(t, bodies(b.thread(b.ann).List), "chat.rated.4 quick")
	})
	t.Run("WhatNobodyAnsweredIsNotRated", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		_, err := b.chat.Resolve(t.Context(), b.kim, c.ID, 0, c.LastMessageID)
		require.NoError(t, err)
		require.ErrorIs(t, b.chat.Rate(t.Context(), b.ann, 5, ""), support.ErrRated)
	})
	t.Run("SilenceResolvesWithoutARating", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.claimed(b.ann)
		b.answers(b.kim, c.ID, "anything else?")
		b.clock.Set(b.clock.Now().Add(support.SilentAfter - time.Second))
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		require.Equal(t, support.WaitingCustomer, b.get(c.ID).State)
		b.clock.Set(b.clock.Now().Add(time.Second))
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		require.Equal(t, support.Resolved, b.get(c.ID).State)
		require.ErrorIs(t, b.chat.Rate(t.Context(), b.ann, 5, ""), support.ErrRated)
		b.clock.Set(b.clock.Now().Add(support.CloseAfter))
		require.NoError(t, b.chat.RouteQueue(t.Context()))
		require.Equal(t, support.Closed, b.get(c.ID).State)
		require.NotEqual(t, c.ID, b.asks(b.ann).ID, "the next word begins another")
	})
}

func TestReopened(t *testing.T) {
	t.Parallel()
	t.Run("ToTheSameAgentIfThere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.resolved(b.ann)
		b.present(b.kim, b.lee)
		b.says(b.ann, "one more thing")
		require.True(t, b.get(c.ID).OwnedBy(b.kim.ID))
		require.Equal(t, support.Open, b.get(c.ID).State)
	})
	t.Run("ElseToTheQueue", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.resolved(b.ann)
		b.present(b.kim)
		b.clock.Set(b.clock.Now().Add(time.Minute)) // kim has gone
		b.present(b.lee)
		b.says(b.ann, "one more thing")
		require.Equal(t, support.Queued, b.get(c.ID).State)
		require.Nil(t, b.get(c.ID).AgentID)
	})
	t.Run("ByAnAgent", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.resolved(b.ann)
		_, err := b.chat.Answer(t.Context(), b.kim, c.ID, words("I forgot"))
		require.ErrorIs(t, err, support.ErrState)
		c, err = b.chat.Reopen(t.Context(), b.lee, c.ID, 0)
		require.NoError(t, err)
		require.True(t, c.OwnedBy(b.lee.ID))
		_, err = b.chat.Reopen(t.Context(), b.lee, c.ID, 0)
		require.ErrorIs(t, err, support.ErrState)
	})
}

func TestAssign(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var first support.Conversation
	for i := range 14 {
		c := b.asks(b.trader())
		if i == 0 {
			first = c
		}
	}
	require.NoError(t, b.chat.Assign(t.Context()))
	require.Equal(t, 1, b.position(first), "nobody is there")
	b.present(b.kim, b.lee)
	require.NoError(t, b.chat.Accept(t.Context(), b.lee, false))
	require.NoError(t, b.chat.Assign(t.Context()))
	require.Equal(t, map[int64]int{b.kim.ID: support.Capacity}, b.loads())
	require.True(t, b.get(first.ID).OwnedBy(b.kim.ID), "the longest wait first")
	require.NoError(t, b.chat.Accept(t.Context(), b.lee, true))
	var group errgroup.Group
	for range 4 { // two servers, twice
		group.Go(func() error { return b.chat.Assign(t.Context()) })
	}
	require.NoError(t, group.Wait())
	require.Equal(t, map[int64]int{b.kim.ID: support.Capacity, b.lee.ID: support.Capacity}, b.loads(), "nobody above the capacity")
	n, err := b.chat.Count(t.Context(), b.kim.ID, "")
	require.NoError(t, err)
	require.Equal(t, []int{6, 2, 14}, []int{n.Mine, n.Nobody, n.All})
}

func TestWhoeverLeavesGivesBackWhoWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	waits, answered := b.claimed(b.ann), b.claimed(b.bob)
	b.answers(b.kim, answered.ID, "anything else?")
	b.present(b.kim)
	tend := func(after time.Duration, there ...audit.Actor) {
		b.clock.Set(b.clock.Now().Add(after))
		b.present(there...)
		require.NoError(t, b.chat.RouteQueue(t.Context()))
	}
	tend(5*time.Minute - time.Second)
	require.True(t, b.get(waits.ID).OwnedBy(b.kim.ID), "a few minutes are no leave")
	b.present(b.kim)
	tend(5*time.Minute - time.Second)
	require.True(t, b.get(waits.ID).OwnedBy(b.kim.ID))
	tend(2 * time.Second)
	require.Equal(t, support.Queued, b.get(waits.ID).State)
	require.True(t, b.get(answered.ID).OwnedBy(b.kim.ID), "nobody waits there")
	require.Equal(t, []string{"hello", "chat.claim", "chat.release"}, bodies(b.thread(b.ann).List))
	tend(time.Second, b.lee)
	require.True(t, b.get(waits.ID).OwnedBy(b.lee.ID))
	var entries int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'chat.release' AND target_id = $1::text`, fmt.Sprint(waits.ID)).Scan(&entries))
	require.Equal(t, 1, entries)
}

func (b *bundle) position(c support.Conversation) int {
	b.Helper()
	t, err := b.chat.Read(b.Context(), support.Customer{TraderID: *c.TraderID}, 0)
	require.NoError(b, err)
	return t.Position
}

func (b *bundle) loads() map[int64]int {
	b.Helper()
	agents, err := b.chat.Agents(b.Context())
	require.NoError(b, err)
	out := map[int64]int{}
	for _, a := range agents {
		if a.Load > 0 {
			out[a.StaffID] = a.Load
		}
	}
	return out
}

func TestInbox(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two, three := b.asks(b.ann), b.asks(b.bob), b.asks(b.eve)
	b.answers(b.kim, b.claim(one.ID).ID, "the swap is charged at five")
	_, err := b.chat.Label(t.Context(), b.lee, three.ID, 0, []string{"complaint"}, support.Urgent)
	require.NoError(t, err)
	_, err = b.chat.Label(t.Context(), b.lee, three.ID, 0, []string{"gossip"}, support.Urgent)
	require.Equal(t, support.ErrLabel, err)
	_, err = b.chat.Label(t.Context(), b.lee, three.ID, 0, nil, "dire")
	require.Equal(t, support.ErrPriority, err)
	for name, f := range map[string]struct {
		support.Filter
		want []int64
	}{
		"by priority, then the longest wait, then what waits for its customer": {support.Filter{}, []int64{three.ID, two.ID, one.ID}},
		"mine":       {support.Filter{Mine: b.kim.ID}, []int64{one.ID}},
		"unassigned": {support.Filter{Nobody: true}, []int64{three.ID, two.ID}},
		"language":   {support.Filter{Language: "de"}, []int64{three.ID}},
		"words":      {support.Filter{Words: "swap five"}, []int64{one.ID}},
		"no words":   {support.Filter{Words: "swap six"}, nil},
		"state":      {support.Filter{State: support.Resolved}, nil},
		"trader":     {support.Filter{TraderID: b.bob.TraderID}, []int64{two.ID}},
	} {
		rows, err := b.chat.Inbox(t.Context(), f.Filter)
		require.NoError(t, err)
		var ids []int64
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		require.Equal(t, f.want, ids, name)
	}
}

func (b *bundle) claim(id int64) support.Conversation {
	b.Helper()
	c, err := b.chat.Claim(b.Context(), b.kim, id)
	require.NoError(b, err)
	return c
}

func TestMoves(t *testing.T) {
	t.Parallel()
	for _, from := range support.States {
		for _, to := range support.States {
			want := false
			for _, allowed := range support.Moves(from) {
				want = want || allowed == to
			}
			require.Equal(t, want, support.Conversation{State: from}.May(to), "%s to %s", from, to)
		}
	}
	require.Empty(t, support.Moves(support.Closed))
}

func TestSignsPass(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.ann)
	require.NoError(t, b.chat.Typing(t.Context(), c.ID, support.Agent{StaffID: b.kim.ID, Name: "kim"}, true))
	require.NoError(t, b.chat.CustomerTypes(t.Context(), b.ann, true))
	require.Eventually(t, func() bool { return len(b.chat.Activities(c.ID)) == 2 }, 5*time.Second, time.Millisecond)
	require.True(t, b.thread(b.ann).Typing)
	b.clock.Set(b.clock.Now().Add(6 * time.Second))
	require.Empty(t, b.chat.Activities(c.ID))
	require.False(t, b.thread(b.ann).Typing)
}

func TestReplies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reply := support.Reply{Slug: "/withdrawal-stage", Language: "en", Category: "withdrawal", Body: "Your withdrawal {{withdrawal.number}} is at {{withdrawal.stage}}."}
	require.NoError(t, b.chat.SaveReply(t.Context(), b.lee, reply))
	require.ErrorIs(t, b.chat.SaveReply(t.Context(), b.lee, reply), support.ErrTaken)
	bad := reply
	bad.Slug, bad.Body = "other", "give {{password}}"
	require.Equal(t, support.ErrVarName, b.chat.SaveReply(t.Context(), b.lee, bad))
	list, err := b.chat.Replies(t.Context(), "es", "stage")
	require.NoError(t, err)
	require.Len(t, list, 1, "English where the language has none")
	filled, missing := support.Fill(list[0].Body, map[string]string{"withdrawal.number": "WD-7"})
	require.Equal(t, "Your withdrawal WD-7 is at {{withdrawal.stage}}.", filled)
	require.Equal(t, []string{"withdrawal.stage"}, missing)
	c := b.claimed(b.ann)
	_, err = b.chat.Answer(t.Context(), b.kim, c.ID, words(filled))
	require.ErrorIs(t, err, support.ErrVariable)
	filled, missing = support.Fill(filled, map[string]string{"withdrawal.stage": "second approval"})
	require.Empty(t, missing)
	b.answers(b.kim, c.ID, filled)
	require.ErrorIs(t, b.chat.RemoveReply(t.Context(), b.lee, list[0].ID, 9), support.ErrChanged)
	require.NoError(t, b.chat.RemoveReply(t.Context(), b.lee, list[0].ID, list[0].Version))
	_, err = b.chat.Reply(t.Context(), list[0].ID)
	require.ErrorIs(t, err, support.ErrUnknown)
}

func TestAgentsTakeLanguages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, nonsense := range [][]string{{"en,de"}, {""}, {"e"}, {"' OR true"}} {
		require.Equal(t, support.ErrLanguages, b.chat.SetLanguages(t.Context(), b.kim, nonsense))
	}
	require.NoError(t, b.chat.SetLanguages(t.Context(), b.kim, []string{"zh_CN", "de", "de"}))
	mine, err := b.chat.LanguagesOf(t.Context(), b.kim.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"de", "zh_CN"}, mine)
	require.NoError(t, b.chat.SetLanguages(t.Context(), b.lee, []string{"ar"}))
	b.present(b.kim, b.lee)
	in := func(language string) support.Customer {
		from := b.trader()
		from.Language = language
		return from
	}
	handed := func(from support.Customer) audit.Actor {
		id := b.asks(from).ID
		require.NoError(t, b.chat.Assign(t.Context()))
		for _, agent := range []audit.Actor{b.kim, b.lee} {
			if b.get(id).OwnedBy(agent.ID) {
				return agent
			}
		}
		return audit.Actor{}
	}
	for range support.Capacity {
		require.Equal(t, b.kim, handed(in("de")), "who takes it has it, though the other has fewer")
	}
	require.Equal(t, audit.Actor{}, handed(in("de")), "kim is full, and lee takes no German")
	require.Equal(t, support.AllFull, b.why("de"))
	require.Equal(t, support.NoSpeaker, b.why("fr"))
	require.Equal(t, support.Assignable, b.why("ar"))
	require.Equal(t, b.lee, handed(in("ar")))
	require.Equal(t, audit.Actor{}, handed(in("fr")), "nobody speaks it")
	require.NoError(t, b.chat.SetLanguages(t.Context(), b.lee, []string{"ar", support.AnyLanguage}))
	require.NoError(t, b.chat.Assign(t.Context()))
	require.Equal(t, 3, b.loads()[b.lee.ID], "who takes any takes what waited: the last German, and the French")

	require.NoError(t, b.chat.SetLanguages(t.Context(), b.kim, nil))
	mine, err = b.chat.LanguagesOf(t.Context(), b.kim.ID)
	require.NoError(t, err)
	require.Empty(t, mine)
	require.False(t, support.Agent{}.Takes("ar"), "who names none is handed nothing")
	var entries int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'chat.languages'`).Scan(&entries))
	require.Equal(t, 4, entries)
}

// TestASignInTakesNoChats: a new agent takes none, whoever takes them says so, and the next sign-in ends it.
func TestASignInTakesNoChats(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.asks(b.ann)
	_, err := b.db.Pool.Exec(t.Context(), `UPDATE chat_agents SET accepting = DEFAULT, languages = DEFAULT`)
	require.NoError(t, err)
	b.present(b.kim)
	require.NoError(t, b.chat.SetLanguages(t.Context(), b.kim, []string{"en"}))
	require.NoError(t, b.chat.Assign(t.Context()))
	require.Equal(t, support.Queued, b.get(c.ID).State, "an open page takes no chats")
	require.Equal(t, support.NobodyHere, b.why("en"))
	require.NoError(t, b.chat.Accept(t.Context(), b.kim, true))
	require.NoError(t, b.chat.Assign(t.Context()))
	require.True(t, b.get(c.ID).OwnedBy(b.kim.ID))

	require.NoError(t, b.chat.SignedIn(t.Context(), b.kim))
	second := b.asks(b.bob)
	require.NoError(t, b.chat.Assign(t.Context()))
	require.Equal(t, support.Queued, b.get(second.ID).State)
	b.present(b.lee)
	_, err = b.chat.Transfer(t.Context(), b.kim, false, c.ID, 0, b.lee.ID, "")
	require.ErrorIs(t, err, support.ErrAgent, "nor is one handed to a colleague who takes none")
	_, err = b.chat.Resolve(t.Context(), b.kim, c.ID, 0, 1<<40)
	require.NoError(t, err)
	b.says(b.ann, "one more thing")
	require.Equal(t, support.Queued, b.get(c.ID).State, "nor does one come back to who takes none")
	require.NoError(t, b.chat.SignedIn(t.Context(), b.lee), "nothing to turn off")
	var turned int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'chat.away'`).Scan(&turned))
	require.Equal(t, 1, turned)
}

// TestCalls: Calls shows the newest message to an agent in each of their own conversations, unread until they have read it.
func TestCalls(t *testing.T) {
	t.Parallel()
	b := setup(t)
	calls := func(of audit.Actor) []support.Call {
		list, err := b.chat.Calls(t.Context(), of.ID)
		require.NoError(t, err)
		return list
	}
	c := b.claimed(b.ann)
	first := b.says(b.ann, "are you there")
	b.asks(b.bob)
	require.Equal(t, []support.Call{{ID: c.ID, TraderID: b.ann.TraderID, Waits: true, Last: first.ID, Unread: true}}, calls(b.kim), "what nobody owns is nobody's")
	require.Empty(t, calls(b.lee))
	require.NoError(t, b.chat.MarkSeen(t.Context(), b.kim.ID, c.ID, first.ID, true))
	require.False(t, calls(b.kim)[0].Unread)
	b.answers(b.kim, c.ID, "yes")
	require.Equal(t, []support.Call{{ID: c.ID, TraderID: b.ann.TraderID, Last: first.ID}}, calls(b.kim), "an answer of one's own is no news")

	b.present(b.lee)
	_, err := b.chat.Transfer(t.Context(), b.kim, false, c.ID, 0, b.lee.ID, "")
	require.NoError(t, err)
	require.Empty(t, calls(b.kim))
	given := calls(b.lee)
	require.Len(t, given, 1)
	require.True(t, given[0].Given && given[0].Unread && !given[0].Waits)
	_, err = b.chat.Snooze(t.Context(), b.lee, c.ID, 0, b.clock.Now().Add(time.Hour))
	require.NoError(t, err)
	require.Empty(t, calls(b.lee), "what is put off is not told of")
}

func TestCountOfALanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.claimed(b.ann)
	b.asks(b.bob)
	b.asks(b.eve)
	for language, want := range map[string][]int{"": {1, 2, 3}, "en": {1, 1, 2}, "de": {0, 1, 1}, "ar": {0, 0, 0}} {
		n, err := b.chat.Count(t.Context(), b.kim.ID, language)
		require.NoError(t, err)
		require.Equal(t, want, []int{n.Mine, n.Nobody, n.All}, language)
		require.Equal(t, map[string]int{"en": 2, "de": 1}, n.Languages)
	}
}

// guest returns a customer on a demo account who has not registered.
func (b *bundle) guest(n int, ip string) support.Customer {
	b.Helper()
	c := support.Customer{Guest: true, IP: ip}
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `INSERT INTO traders (type, name, created_at) VALUES (8, $1, $2) RETURNING id`, fmt.Sprint("Guest ", n), start).Scan(&c.TraderID))
	return c
}
