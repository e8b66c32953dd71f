package controldesk

import (
	"sync"
	"time"
)

// How long what the start page adds up is kept. The counts of queues are not: they are read each time.
const (
	keepPace    = 10 * time.Second // over the decisions of a day
	keepBalance = 30 * time.Second // over the whole history of the bank accounts
	keepUnread  = 10 * time.Minute // then it is forgotten
)

// keeper keeps what is expensive to read, for all open start pages: each change in the back office makes every one of them ask again.
type keeper struct {
	mu   sync.Mutex
	kept map[string]*keptValue
}

type keptValue struct {
	mu    sync.Mutex
	at    time.Time // when it was read
	value any
}

func (k *keeper) of(name string, now time.Time) *keptValue {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, has := k.kept[name]
	if !has {
		for name, other := range k.kept {
			if other.mu.TryLock() { // nobody reads it now
				if now.Sub(other.at) > keepUnread {
					delete(k.kept, name)
				}
				other.mu.Unlock()
			}
		}
		v = &keptValue{at: now.Add(-keepUnread)}
		k.kept[name] = v
	}
	return v
}

// keep is the value that was read under a name within a time, or the value as it is read now; whoever asks meanwhile waits for it. An error is not kept.
func keep[T any](k *keeper, now time.Time, name string, within time.Duration, read func() (T, error)) (T, error) {
	kept := k.of(name, now)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if value, is := kept.value.(T); is && now.Sub(kept.at) < within {
		return value, nil
	}
	value, err := read()
	if err == nil {
		kept.value, kept.at = value, now
	}
	return value, err
}
