package support_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/support"
)

var errLost = errors.New("lost on the way")

// line is a network that loses requests and answers, repeats requests and reorders them.
type line struct{ random *rand.Rand }

// carry delivers a request, perhaps twice or not at all, and may lose the answer.
func (l line) carry(request func() error) error {
	switch l.random.IntN(10) {
	case 0:
		return errLost
	case 1:
		if err := request(); err != nil {
			return err
		}
		return errLost
	case 2: // the same one twice, at once
		var group errgroup.Group
		group.Go(request)
		group.Go(request)
		return group.Wait()
	}
	return request()
}

// side is one end of a thread, reading on from its last message. Events reach it twice, late or never.
type side struct {
	last int64
	list []support.Message
}

func (s *side) readOn(read func(after int64) ([]support.Message, bool, error)) error {
	for {
		list, more, err := read(s.last)
		if err != nil {
			return err
		}
		for _, m := range list {
			s.list = append(s.list, m)
			s.last = m.ID
		}
		if !more {
			return nil
		}
	}
}

// TestStorm sends 10,000 messages of 20 customers and their agents through lines that drop, duplicate and reorder. Both ends must have the same messages in the
// same order: none lost, none twice, and each sender's in the order written.
func TestStorm(t *testing.T) {
	t.Parallel()
	const customers, each = 20, 250 // of either side
	b := setup(t)
	seed := uint64(time.Now().UnixNano()) //nolint:gosec // a seed
	t.Logf("seed %d", seed)
	var advance sync.Mutex
	tick := func() { // slowly enough for the rate limit
		advance.Lock()
		defer advance.Unlock()
		b.clock.Set(b.clock.Now().Add(200 * time.Millisecond))
	}
	var group errgroup.Group
	group.SetLimit(12)
	for n := range customers {
		from := b.trader()
		agent := b.kim
		if n%2 == 1 {
			agent = b.lee
		}
		c, err := b.chat.Claim(t.Context(), agent, b.asks(from).ID)
		require.NoError(t, err)
		group.Go(func() error {
			return storm(t.Context(), b.chat, from, agent, c.ID, each, tick, rand.New(rand.NewPCG(seed, uint64(n)))) //nolint:gosec // a test
		})
	}
	require.NoError(t, group.Wait())
	var n int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM chat_messages WHERE kind = 'text'`).Scan(&n))
	require.Equal(t, customers*(2*each+1), n)
}

func storm(ctx context.Context, chat *support.Service, from support.Customer, agent audit.Actor, id int64, each int, tick func(), random *rand.Rand) error {
	customer, desk := &side{}, &side{}
	hear := func() error { // each end catches up now and then
		return errors.Join(
			customer.readOn(func(after int64) ([]support.Message, bool, error) {
				t, err := chat.Read(ctx, from, after)
				return t.List, t.More, err
			}),
			desk.readOn(func(after int64) ([]support.Message, bool, error) { return chat.Messages(ctx, id, after) }),
		)
	}
	var ends errgroup.Group
	send := func(name string, random *rand.Rand, one func(d support.Draft) error) {
		ends.Go(func() error {
			l := line{random}
			for i := range each {
				tick()
				draft := support.Draft{ID: uuid.NewString(), Text: fmt.Sprintf("%s %d", name, i)}
				err := l.carry(func() error { return one(draft) })
				for errors.Is(err, errLost) || errors.Is(err, support.ErrOften) { // sent again under the same id
					tick()
					err = l.carry(func() error { return one(draft) })
				}
				if err != nil {
					return fmt.Errorf("%s %d: %w", name, i, err)
				}
			}
			return nil
		})
	}
	send("customer", rand.New(rand.NewPCG(random.Uint64(), 1)), func(d support.Draft) error { //nolint:gosec // a test
		_, err := chat.Send(ctx, from, d)
		return err
	})
	send("agent", rand.New(rand.NewPCG(random.Uint64(), 2)), func(d support.Draft) error { //nolint:gosec // a test
		_, err := chat.Answer(ctx, agent, id, d)
		return err
	})
	done := make(chan error, 1)
	go func() { done <- ends.Wait() }()
	for {
		select {
		case err := <-done:
			if err = errors.Join(err, hear()); err != nil {
				return err
			}
			return compare(customer.list, desk.list, each)
		default:
			if err := hear(); err != nil {
				return err
			}
			time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
		}
	}
}

func compare(customer, desk []support.Message, each int) error {
	same := func(a, b support.Message) bool { return a.ID == b.ID && a.Body == b.Body }
	if !slices.EqualFunc(customer, desk, same) {
		return fmt.Errorf("the ends differ: %d and %d messages", len(customer), len(desk))
	}
	next := map[support.Author]int{}
	for _, m := range customer {
		if m.Kind != support.Text || m.Body == "hello" {
			continue
		}
		if want := fmt.Sprintf("%s %d", m.Author, next[m.Author]); m.Body != want {
			return fmt.Errorf("%q came where %q was expected", m.Body, want)
		}
		next[m.Author]++
	}
	if next[support.ByCustomer] != each || next[support.ByAgent] != each {
		return fmt.Errorf("%v came of %d each", next, each)
	}
	return nil
}
