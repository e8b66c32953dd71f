// Package refusals bounds how many log lines refusals write, because anyone can cause them.
package refusals

import (
	"sync"
	"time"
)

// Most is how many kinds of refusals are told apart within a minute. Those beyond it are counted as one.
const Most = 100

// Kind identifies the refusals that are counted together: by whom or what they are about, the reason, and the source.
type Kind struct{ Subject, Reason, Source string }

// Counter selects which refusals are logged: of each kind the first of a minute, then the tenth, the hundredth, and so on. It is safe for many goroutines;
// the zero value is ready.
type Counter struct {
	mu     sync.Mutex
	minute time.Time
	counts map[Kind]int
}

// Count counts a refusal. It returns the kind that it is counted under, its number within the minute, and whether it is to be logged.
func (c *Counter) Count(k Kind, now time.Time) (as Kind, n int, log bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if minute := now.Truncate(time.Minute); c.counts == nil || !minute.Equal(c.minute) {
		c.minute, c.counts = minute, map[Kind]int{}
	}
	if c.counts[k] == 0 && len(c.counts) >= Most {
		k = Kind{"others", "others", "others"}
	}
	c.counts[k]++
	n = c.counts[k]
	power := 1
	for power < n {
		power *= 10
	}
	return k, n, n == power
}
