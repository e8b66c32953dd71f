package stream

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// stall flushes new prices until an unread socket is parked.
func (r *fixture) stall(t *testing.T, c *client, afterEach func()) {
	t.Helper()
	for range 200 {
		r.quoteAll()
		r.flushAll()
		afterEach()
		if !c.conn.blocked {
			continue
		}
		time.Sleep(50 * time.Millisecond) // the kernel may still find room
		if c.conn.shard.serve(); c.conn.blocked {
			return
		}
	}
	require.Fail(t, "the socket takes everything although nobody reads it")
}

func (r *fixture) quoteAll() {
	for _, id := range r.products {
		r.quote(id)
	}
}

func TestAStalledSocketIsPassedOver(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	reader, stalled := r.dial(t), r.dial(t)
	stalled.conn.shard, reader.conn.shard = r.hub.shards[0], r.hub.shards[0]
	reader.subscribe(t, 0, r.products...)
	stalled.subscribe(t, 0, r.products...)
	require.Same(t, reader.conn.group, stalled.conn.group)
	readsAll := func() { require.Len(t, reader.lines(t), len(r.products), "the others lose nothing") }
	r.stall(t, stalled, readsAll)
	missed := r.seq[r.products[0]]
	for range 10 {
		r.quoteAll()
		r.flushAll()
		readsAll()
	}
	var got []int64 // sequences of one product
	reads := func() {
		for _, l := range stalled.next(t).prices(t) {
			if l.ProductID == r.products[0] {
				got = append(got, l.Sequence)
			}
		}
	}
	for len(got) == 0 || got[len(got)-1] < missed {
		reads() // what was sent before
	}
	require.Eventually(t, func() bool {
		stalled.conn.shard.serve()
		return !stalled.conn.blocked
	}, 10*time.Second, time.Millisecond)
	r.flushAll()
	require.Len(t, stalled.lines(t), len(r.products), "it gets the newest of everything at once, and not what it missed")
	require.Nil(t, stalled.conn.behind, "then it shares its group's frames again")
	r.quoteAll()
	r.flushAll()
	require.Len(t, stalled.lines(t), len(r.products))
	readsAll()
}

func TestASocketThatStaysStalledIsClosed(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	stalled := r.dial(t)
	stalled.subscribe(t, 0, r.products...)
	r.stall(t, stalled, func() {})
	require.Eventually(t, func() bool {
		stalled.conn.shard.serve()
		return r.hub.register.count() == 0
	}, 2*writeTimeout, 10*time.Millisecond)
	require.True(t, stalled.conn.closed)
	require.Nil(t, stalled.conn.group)
}

func TestAFullPrivateQueueClosesTheSocketAfterWhatWasInIt(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	slow := r.dial(t)
	slow.subscribe(t, 0, r.products...)
	r.stall(t, slow, func() {})
	for i := range privateQueue {
		slow.conn.number(typeOrder, fmt.Append(nil, i))
	}
	slow.conn.shard.serve()
	require.Equal(t, 1, r.hub.register.count(), "as many as it holds may wait")
	slow.conn.number(typeOrder, []byte("0"))
	require.Eventually(t, func() bool { return r.hub.register.count() == 0 }, 5*time.Second, time.Millisecond)
	r.run(t)
	for seq := int64(1); seq <= privateQueue; {
		if f := slow.next(t); f.Type == typeOrder {
			require.Equal(t, seq, f.Seq)
			seq++
		}
	}
	require.Equal(t, websocket.ClosePolicyViolation, slow.closeCode(t))
}

// TestPrivateMessagesComeWholeAndInOrder sends private messages to many sockets from many goroutines while prices run and some sockets are read slowly.
func TestPrivateMessagesComeWholeAndInOrder(t *testing.T) {
	t.Parallel()
	for name, secure := range map[string]bool{"OverTCP": false, "OverTLS": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, secure)
			r.run(t)
			const senders, each, unread = 8, 100, privateQueue / 2
			stop := make(chan struct{})
			var prices, sending, reading sync.WaitGroup
			prices.Go(func() {
				for {
					r.quoteAll()
					select {
					case <-stop:
						return
					case <-time.After(time.Millisecond):
					}
				}
			})
			for range 6 {
				c := r.dial(t)
				require.NoError(t, c.WriteJSON(map[string]any{"type": typePrice, "data": subscription{ProductIDs: r.products, Focus: r.products[0]}}))
				room := make(chan struct{}, unread)
				for sender := range senders {
					sending.Go(func() {
						for i := range each {
							room <- struct{}{}
							if err := sendPrivate([]*conn{c.conn}, typeOrder, [2]int{sender, i}); err != nil {
								t.Error(err)
							}
						}
					})
				}
				reading.Go(func() { readPrivate(t, c, senders, each, room) })
			}
			sending.Wait()
			reading.Wait()
			close(stop)
			prices.Wait()
		})
	}
}

// readPrivate reads until every message of every sender came, each once and in its order, between price frames with only newer lines.
func readPrivate(t *testing.T, c *client, senders, each int, room <-chan struct{}) {
	next := make([]int, senders)
	newest := map[int]int64{}
	for seq := int64(1); seq <= int64(senders*each); {
		var f received
		if err := c.ReadJSON(&f); err != nil {
			t.Errorf("after message %d: %v", seq-1, err)
			return
		}
		if f.Type == typePrice {
			for _, l := range f.prices(t) {
				if l.Sequence <= newest[l.ProductID] {
					t.Errorf("line %d of %d came after %d", l.Sequence, l.ProductID, newest[l.ProductID])
				}
				newest[l.ProductID] = l.Sequence
			}
			continue
		}
		var who [2]int
		if err := jsonOf(f, &who); err != nil || f.Seq != seq || who[1] != next[who[0]] {
			t.Errorf("message %d instead of %d, from %v: %v", f.Seq, seq, who, err)
			return
		}
		next[who[0]]++
		seq++
		<-room
	}
}
