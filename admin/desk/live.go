package desk

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/i18n"
	"candor/templates/layout"
)

const (
	gatherFor   = 100 * time.Millisecond // events that come together are sent together
	beatEvery   = 10 * time.Second
	streamLife  = 5 * time.Minute // then the page reconnects, perhaps to another server
	checkEvery  = 5 * time.Second // how often the member's session is checked
	healthEvery = 2 * time.Second
	writeWithin = 5 * time.Second
)

// Source adds events to the streams of members with a permission.
type Source struct {
	Permission access.Permission
	// Open begins to collect; wake is called for each event. take returns what was collected as server-sent events, and clears it.
	Open func(r *Request, wake func()) (take func() string, stop func(), err error)
}

// OwnRoutes are the routes of the frame itself: the event stream, what every page shows, and the member's language. Mount adds them.
func (f *Frame) OwnRoutes() []Route {
	return append(f.viewRoutes(), []Route{
		{Method: http.MethodGet, Path: "/events", Permission: access.Home, Quiet: true, Streams: true, Handle: f.stream},
		f.languageRoute(),
		{Method: http.MethodGet, Path: "/live", Permission: access.Home, Quiet: true, Handle: f.now},
	}...)
}

// now answers with the counts of the navigation and the health lines, out of band.
func (f *Frame) now(r *Request) error {
	ctx := r.Context.Request().Context()
	var parts []templ.Component
	for _, p := range f.openTo(r) {
		item, _ := f.item(r, p)
		parts = append(parts, layout.Count(item))
	}
	if f.Health != nil {
		parts = append(parts, layout.Health(f.Health(ctx, r.Zone()), true))
	}
	return r.Show(parts...)
}

// stream sends events without their content: the page requests what changed, also after each reconnect, so that nothing is lost or repeated.
func (f *Frame) stream(r *Request) error {
	has := make(chan struct{}, 1)
	wake := func() {
		select {
		case has <- struct{}{}:
		default:
		}
	}
	var takes []func() string
	for _, source := range append([]Source{{access.Home, f.changes}, {access.Home, f.healthChanges}}, f.Sources...) {
		if source.Permission != access.Home && !r.May(source.Permission) {
			continue
		}
		take, stop, err := source.Open(r, wake)
		if err != nil {
			return err
		}
		defer stop()
		takes = append(takes, take)
	}
	ctx := r.Context.Request().Context()
	beat, end, check := time.NewTicker(beatEvery), time.NewTimer(streamLife), time.NewTicker(cmp.Or(f.CheckEvery, checkEvery))
	defer beat.Stop()
	defer end.Stop()
	defer check.Stop()
	send := r.sender()
	text := "retry: 2000\nevent: hello\ndata: 0\n\n"
	for {
		if err := send(text); err != nil {
			return nil //nolint:nilerr // the page has gone, and reconnects by itself
		}
		text = ""
		select {
		case <-check.C:
			if err := r.Check(); err != nil {
				return nil //nolint:nilerr // the page reconnects and gets the refusal
			}
		case <-has:
			time.Sleep(gatherFor)
			for _, take := range takes {
				text += take()
			}
		case <-beat.C:
			text = "event: beat\ndata: 0\n\n"
		case <-end.C:
			return nil
		case <-f.Ending:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// sender begins a stream of events, and returns what writes to it.
func (r *Request) sender() func(text string) error {
	w := r.Response()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	return func(text string) error {
		if text == "" {
			return nil
		}
		if err := out.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
			return err
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			return err
		}
		return out.Flush()
	}
}

// changes names the things that changed, of the kinds that the member may view: every change is in the audit log.
func (f *Frame) changes(r *Request, wake func()) (take func() string, stop func(), err error) {
	var mu sync.Mutex
	var targets []string
	stop, err = f.Bus.Subscribe(audit.Recorded, func(_ string, data []byte) {
		target := string(data)
		kind, _, _ := strings.Cut(target, ":")
		if route, listed := f.kinds[kind]; !listed || !r.May(route.Permission) {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if !slices.Contains(targets, target) {
			targets = append(targets, target)
		}
		wake()
	})
	return func() string {
		mu.Lock()
		list := targets
		targets = nil
		mu.Unlock()
		list = slices.DeleteFunc(list, func(target string) bool { return !f.hears(r, target) })
		if len(list) == 0 {
			return ""
		}
		return "event: changed\ndata: " + strings.Join(list, " ") + "\n\n"
	}, stop, err
}

// hears reports whether a member hears of a change of a thing.
func (f *Frame) hears(r *Request, target string) bool {
	kind, id, _ := strings.Cut(target, ":")
	hears := f.kinds[kind].Hears
	return hears == nil || hears(r, id)
}

// healthChanges reports changed health lines.
func (f *Frame) healthChanges(_ *Request, wake func()) (take func() string, stop func(), err error) {
	watcher := f.health.watch(f, wake)
	return func() string {
		if f.health.changedSince(watcher) {
			return "event: health\ndata: 0\n\n"
		}
		return ""
	}, func() { f.health.leave(watcher) }, nil
}

// healthWatch compares the health lines every two seconds while streams are open, once for all of them.
type healthWatch struct {
	mu       sync.Mutex
	watchers map[*healthWatcher]bool
	version  int
	last     []layout.HealthLine
	stop     context.CancelFunc
}

type healthWatcher struct {
	wake    func()
	version int
}

func (h *healthWatch) watch(f *Frame, wake func()) *healthWatcher {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := &healthWatcher{wake, h.version}
	if h.watchers == nil {
		h.watchers = map[*healthWatcher]bool{}
	}
	if h.watchers[w] = true; len(h.watchers) == 1 && f.Health != nil {
		ctx, cancel := context.WithCancel(i18n.WithLang(db.WithLane(context.Background(), db.Staff), f.Texts, i18n.Reference))
		h.stop = cancel
		go h.run(ctx, f)
	}
	return w
}

func (h *healthWatch) leave(w *healthWatcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if delete(h.watchers, w); len(h.watchers) == 0 && h.stop != nil {
		h.stop()
		h.stop = nil
	}
}

// changedSince reports whether the lines changed since the watcher last asked.
func (h *healthWatch) changedSince(w *healthWatcher) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	changed := w.version != h.version
	w.version = h.version
	return changed
}

func (h *healthWatch) run(ctx context.Context, f *Frame) {
	tick := time.NewTicker(healthEvery)
	defer tick.Stop()
	for {
		lines := f.Health(ctx, time.UTC)
		h.mu.Lock()
		if h.last != nil && !slices.Equal(lines, h.last) {
			h.version++
			for w := range h.watchers {
				w.wake()
			}
		}
		h.last = lines
		h.mu.Unlock()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
