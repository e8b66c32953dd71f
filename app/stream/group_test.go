package stream

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEverySocketGetsExactlyTheNewLinesOfItsSubscription adds, changes and removes sockets with shared and own subscriptions over many flushes, and compares
// what each receives with a model.
func TestEverySocketGetsExactlyTheNewLinesOfItsSubscription(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	random := rand.New(rand.NewPCG(1, 2))
	shared := r.products[:20]
	type model struct {
		*client
		products []int
		focus    int
		has      map[int]int64
	}
	change := func(m *model, products []int, focus int) {
		m.subscribe(t, focus, append(slices.Clone(products), products[0], 999_999)...)
		kept := map[int]int64{}
		for _, id := range products {
			kept[id] = m.has[id]
		}
		m.products, m.focus, m.has = products, focus, kept
	}
	var models []*model
	for i := range 12 {
		m := &model{client: r.dial(t), has: map[int]int64{}}
		models = append(models, m)
		own := slices.Clone(r.products[i : i+15])
		random.Shuffle(len(own), func(a, b int) { own[a], own[b] = own[b], own[a] })
		switch {
		case i < 4:
			change(m, shared, 0)
		case i < 8:
			change(m, shared, shared[3])
		default:
			change(m, own, own[2])
		}
	}
	for range 60 {
		for range random.IntN(30) {
			r.quote(r.products[random.IntN(30)])
		}
		if m := models[random.IntN(len(models))]; random.IntN(4) == 0 {
			from := random.IntN(20)
			change(m, r.products[from:from+10], r.products[from+random.IntN(10)])
		}
		phase := random.IntN(phases)
		for _, s := range r.hub.shards {
			s.sweep(phase)
		}
		for _, m := range models {
			want, got := map[int]int64{}, map[int]int64{}
			for _, id := range m.products {
				if seq := r.seq[id]; seq > m.has[id] && (m.conn.group.phase == phase || id == m.focus) {
					want[id], m.has[id] = seq, seq
				}
			}
			for _, l := range m.lines(t) {
				require.NotContains(t, got, l.ProductID, "at most one line a product and flush")
				got[l.ProductID] = l.Sequence
			}
			require.Equal(t, want, got)
		}
	}
}

func TestSocketsWithOneSubscriptionShareGroups(t *testing.T) {
	t.Parallel()
	r := setup(t, false)
	one, s := r.products[0], r.hub.shards[0]
	var clients []*client
	for len(clients) < groupSize+1 {
		c := r.dial(t)
		c.conn.shard = s // the loops do not run
		c.subscribe(t, 0, one)
		clients = append(clients, c)
	}
	first, last := clients[0].conn.group, clients[groupSize].conn.group
	require.Len(t, first.members, groupSize, "a full group takes nobody more")
	require.Len(t, last.members, 1)
	require.NotEqual(t, first.phase, last.phase, "the writes are spread")

	r.quote(one)
	r.flushAll()
	for _, c := range clients {
		require.Len(t, c.lines(t), 1)
	}
	clients[groupSize].subscribe(t, 0)
	require.Nil(t, clients[groupSize].conn.group)
	require.NotContains(t, s.groups[last.phase], last, "the last one ends a group")
	clients[0].subscribe(t, 0)
	clients[groupSize].subscribe(t, 0, one)
	require.Same(t, first, clients[groupSize].conn.group, "what became free is taken again")
	require.Len(t, clients[groupSize].lines(t), 0, "not before its flush")
	r.flushAll()
	require.Len(t, clients[groupSize].lines(t), 1, "one who comes gets every line although there is no new price")
	require.Empty(t, clients[1].lines(t), "one who has it does not get it again")
	r.flushAll()
	require.Empty(t, clients[groupSize].lines(t), "nor does one who came")
}

func TestFrames(t *testing.T) {
	t.Parallel()
	for n, header := range map[int][]byte{
		0: {0x81, 0}, 125: {0x81, 125}, 126: {0x81, 126, 0, 126}, 65535: {0x81, 126, 0xff, 0xff}, 65536: {0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0},
	} {
		payload := make([]byte, n)
		require.Equal(t, append(slices.Clone(header), payload...), appendFrame(nil, textFrame, payload))
		require.Equal(t, append(slices.Clone(header), payload...), sealFrame(make([]byte, headRoom+n)))
	}
}
