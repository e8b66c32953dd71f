package switches

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
)

// Changes is the service for change requests.
type Changes struct {
	db     *db.DB
	values *Service
	clock  clock.Clock
	bus    *events.Bus
	notify *Notifier
}

// NewChanges makes the service; a nil notifier sends staff no messages.
func NewChanges(d *db.DB, values *Service, c clock.Clock, bus *events.Bus, n *Notifier) *Changes {
	return &Changes{db: d, values: values, clock: c, bus: bus, notify: n}
}

// Draft drafts a change. It has no effect before Submit. Refusals: fields, ErrUnknown, ErrLocked, ErrNothing, ErrOrder, ErrOpen, ErrPast.
func (c *Changes) Draft(ctx context.Context, by audit.Actor, key string, w ChangeInput) (Change, error) {
	return c.write(ctx, by, key, w, nil)
}

// Preview previews the change that Draft would make. Refusals: those of Draft.
func (c *Changes) Preview(key string, w ChangeInput) (Change, error) {
	d, known := Define(key)
	if !known {
		return Change{}, ErrUnknown
	}
	all := map[string]Setting{}
	for _, one := range Definitions {
		all[one.Key] = c.values.Setting(one.Key)
	}
	w, err := d.read(w, all[key], c.clock.Now())
	if err != nil {
		return Change{}, err
	}
	to := Setting{Value: w.Value, Rules: w.Rules}
	return Change{
		Key: key, Kind: Planned, Sensitive: d.Risk == Sensitive, BaseVersion: all[key].Version, Was: all[key].bytes(), Becomes: to.bytes(), Reason: w.Reason, ApplyAt: moment(w.At), Zone: w.Zone,
	}, checkOrder(d, to, all)
}

// Revert drafts a change that restores a version of a key; 0 is its default. Refusals: those of Draft.
func (c *Changes) Revert(ctx context.Context, by audit.Actor, key string, version int, w ChangeInput) (Change, error) {
	then, err := c.Version(ctx, key, version)
	if err != nil {
		return Change{}, err
	}
	w.Value, w.Rules = then.Value, then.Rules
	return c.write(ctx, by, key, w, &version)
}

func (c *Changes) write(ctx context.Context, by audit.Actor, key string, w ChangeInput, revertOf *int) (change Change, err error) {
	err = c.db.InTx(ctx, func(tx *db.Tx) (err error) {
		change, err = c.writeTx(ctx, tx, by, key, w, revertOf)
		return err
	})
	return change, openConflict(err)
}

func (c *Changes) writeTx(ctx context.Context, tx *db.Tx, by audit.Actor, key string, w ChangeInput, revertOf *int) (change Change, err error) {
	d, known := Define(key)
	if !known {
		return change, ErrUnknown
	}
	all, err := lockTx(ctx, tx)
	if err != nil {
		return change, err
	}
	if w, err = d.read(w, all[key], c.clock.Now()); err != nil {
		return change, err
	}
	to := Setting{Value: w.Value, Rules: w.Rules}
	if err := checkOrder(d, to, all); err != nil {
		return change, err
	}
	change = Change{
		Key: key, Kind: Planned, State: Drafted, Sensitive: d.Risk == Sensitive, BaseVersion: all[key].Version, Was: all[key].bytes(), Becomes: to.bytes(),
		Reason: w.Reason, ApplyAt: moment(w.At), Zone: w.Zone, AuthorID: by.ID, CreatedAt: c.clock.Now(), RevertOf: revertOf, Version: 1,
	}
	if err := tx.Rows.Table("switch_changes").Create(&change).Error; err != nil {
		return change, fmt.Errorf("write a change of %s: %w", key, err)
	}
	return change, c.recordTx(ctx, tx, by, "switch.draft", change)
}

// Ask drafts and submits a change, both or neither. Version is the version of the key that the author saw. Refusals: those of Draft and Submit.
func (c *Changes) Ask(ctx context.Context, by audit.Actor, key string, version int, w ChangeInput) (change Change, err error) {
	err = c.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if change, err = c.writeTx(ctx, tx, by, key, w, nil); err != nil {
			return err
		}
		if change.BaseVersion != version {
			return ErrOutdated
		}
		change, err = c.actTx(ctx, tx, by, change.ID, change.Version, "switch.submit", c.submit(ctx, by))
		return err
	})
	return change, openConflict(err)
}

// Amend edits a change; its approval becomes void. Refusals: those of Draft, ErrChange, ErrState, ErrChanged.
func (c *Changes) Amend(ctx context.Context, by audit.Actor, id int64, version int, w ChangeInput) (Change, error) {
	return c.act(ctx, by, id, version, "switch.amend", func(_ *db.Tx, d Definition, change *Change, all map[string]Setting) error {
		w, err := d.read(w, all[change.Key], c.clock.Now())
		if err != nil {
			return err
		}
		to := Setting{Value: w.Value, Rules: w.Rules}
		if err := checkOrder(d, to, all); err != nil {
			return err
		}
		switch change.State {
		case Drafted:
		case Scheduled, InReview:
			change.State = InReview
			if !change.Sensitive {
				change.State = Scheduled
			}
			if change.State == Scheduled && w.At.IsZero() {
				return ErrPast
			}
		default:
			return ErrState
		}
		change.Was, change.Becomes, change.BaseVersion = all[change.Key].bytes(), to.bytes(), all[change.Key].Version
		change.Reason, change.ApplyAt, change.Zone = w.Reason, moment(w.At), w.Zone
		change.AuthorID, change.DeciderID, change.DecidedAt, change.RevertOf = by.ID, nil, nil, nil
		return nil
	})
}

// Submit submits a draft: a sensitive change goes to its second person, any other is applied or scheduled. Refusals: ErrChange, ErrState, ErrChanged,
// ErrOutdated, ErrOpen, ErrOrder, ErrPast.
func (c *Changes) Submit(ctx context.Context, by audit.Actor, id int64, version int) (Change, error) {
	return c.act(ctx, by, id, version, "switch.submit", c.submit(ctx, by))
}

func (c *Changes) submit(ctx context.Context, by audit.Actor) decision {
	return func(tx *db.Tx, d Definition, change *Change, all map[string]Setting) error {
		switch {
		case change.State != Drafted:
			return ErrState
		case change.AuthorID != by.ID:
			return ErrNotOwn
		case change.Sensitive:
			change.State = InReview
			return c.checkStillValid(*change, d, all)
		}
		change.State = Approved
		return c.applyOrScheduleTx(ctx, tx, d, change, all)
	}
}

// Approve is the second person's approval; they must type the key. Refusals: ErrChange, ErrState, ErrChanged, ErrSelf, ErrKey, ErrOutdated, ErrOrder,
// ErrPast.
func (c *Changes) Approve(ctx context.Context, by audit.Actor, id int64, version int, typed string) (Change, error) {
	return c.act(ctx, by, id, version, "switch.approve", func(tx *db.Tx, d Definition, change *Change, all map[string]Setting) error {
		switch {
		case change.State != InReview:
			return ErrState
		case change.AuthorID == by.ID:
			return ErrSelf
		case typed != change.Key:
			return ErrKey
		}
		now := c.clock.Now()
		change.State, change.DeciderID, change.DecidedAt = Approved, &by.ID, &now
		return c.applyOrScheduleTx(ctx, tx, d, change, all)
	})
}

// Reject is the second person's rejection; the record stays, and the author is notified of the reason. Refusals: fields, ErrChange, ErrState, ErrChanged,
// ErrSelf.
func (c *Changes) Reject(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Change, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Change{}, err
	}
	return c.act(ctx, by, id, version, "switch.reject", func(tx *db.Tx, _ Definition, change *Change, _ map[string]Setting) error {
		switch {
		case change.State != InReview:
			return ErrState
		case change.AuthorID == by.ID:
			return ErrSelf
		}
		now := c.clock.Now()
		change.DeciderID, change.DecidedAt, change.Refusal = &by.ID, &now, reason
		change.close(Rejected, &by.ID, now)
		return c.notify.notifyTx(ctx, tx, *change, by, now, reason)
	})
}

// Cancel withdraws a change before it comes into force. Only its author may, or, once it is scheduled, any member who may draft changes. The author and the
// approver are notified, except the actor. Refusals: ErrChange, ErrState, ErrChanged, ErrNotOwn.
func (c *Changes) Cancel(ctx context.Context, by audit.Actor, id int64, version int) (Change, error) {
	return c.act(ctx, by, id, version, "switch.cancel", func(tx *db.Tx, _ Definition, change *Change, _ map[string]Setting) error {
		switch {
		case !change.May(Cancelled):
			return ErrState
		case change.State != Scheduled && change.AuthorID != by.ID:
			return ErrNotOwn
		}
		now := c.clock.Now()
		change.close(Cancelled, &by.ID, now)
		return c.notify.notifyTx(ctx, tx, *change, by, now, "")
	})
}

// Stop sets a key to its safe value at once. One person with a role in StopBy may do it; another one must review it within ReviewWithin. Refusals: fields,
// ErrUnknown, ErrNoStop, ErrNothing.
func (c *Changes) Stop(ctx context.Context, by audit.Actor, roles []string, key, reason string) (change Change, err error) {
	d, known := Define(key)
	if !known {
		return Change{}, ErrUnknown
	}
	if !d.MayStop(roles) {
		return Change{}, ErrNoStop
	}
	if reason, err = readReason(reason); err != nil {
		return Change{}, err
	}
	err = c.db.InTx(ctx, func(tx *db.Tx) error {
		all, err := lockTx(ctx, tx)
		if err != nil {
			return err
		}
		if all[key].Value == d.Safe {
			return ErrNothing
		}
		now := c.clock.Now()
		due := now.Add(ReviewWithin)
		change = Change{
			Key: key, Kind: Stopped, State: Approved, Sensitive: d.Risk == Sensitive, BaseVersion: all[key].Version, Was: all[key].bytes(), Becomes: Setting{Value: d.Safe}.bytes(),
			Reason: reason, Zone: "UTC", AuthorID: by.ID, CreatedAt: now, ReviewDue: &due, Version: 1,
		}
		if err := c.applyTx(ctx, tx, &change, all); err != nil {
			return err
		}
		if err := tx.Rows.Table("switch_changes").Create(&change).Error; err != nil {
			return fmt.Errorf("write the stop of %s: %w", key, err)
		}
		return c.recordTx(ctx, tx, by, "switch.stop", change)
	})
	return change, err
}

// Review records another person's verdict on a stop. It does not restore the value, which needs a new change by two people. Refusals: fields, ErrChange,
// ErrState, ErrChanged, ErrSelf.
func (c *Changes) Review(ctx context.Context, by audit.Actor, id int64, version int, verdict Verdict, note string) (Change, error) {
	note, err := readReason(note)
	if err != nil {
		return Change{}, errs.Field("note", "field.length")
	}
	if verdict != Right && verdict != Wrong {
		return Change{}, errs.Field("verdict", "field.choice")
	}
	return c.act(ctx, by, id, version, "switch.review", func(_ *db.Tx, _ Definition, change *Change, _ map[string]Setting) error {
		switch {
		case !change.Unreviewed():
			return ErrState
		case change.AuthorID == by.ID:
			return ErrSelf
		}
		now := c.clock.Now()
		change.ReviewerID, change.ReviewedAt, change.Verdict, change.ReviewNote = &by.ID, &now, &verdict, note
		return nil
	})
}

// decision updates a change.
type decision func(tx *db.Tx, d Definition, change *Change, all map[string]Setting) error

// act locks the values and a change, applies decide, and stores the change with its audit entry in one transaction.
func (c *Changes) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide decision) (change Change, err error) {
	err = c.db.InTx(ctx, func(tx *db.Tx) (err error) {
		change, err = c.actTx(ctx, tx, by, id, version, action, decide)
		return err
	})
	return change, openConflict(err)
}

func (c *Changes) actTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, version int, action string, decide decision) (change Change, err error) {
	all, err := lockTx(ctx, tx)
	if err != nil {
		return change, err
	}
	if err := tx.Rows.Raw(`SELECT * FROM switch_changes WHERE id = ? FOR UPDATE`, id).Scan(&change).Error; err != nil {
		return change, fmt.Errorf("read change %d: %w", id, err)
	}
	d, known := Define(change.Key)
	switch {
	case change.ID == 0 || !known:
		return change, ErrChange
	case change.Version != version:
		return change, ErrChanged
	}
	if err := decide(tx, d, &change, all); err != nil {
		return change, err
	}
	if err := saveTx(tx, &change); err != nil {
		return change, err
	}
	return change, c.recordTx(ctx, tx, by, action, change)
}

// applyOrScheduleTx schedules or applies an approved change.
func (c *Changes) applyOrScheduleTx(ctx context.Context, tx *db.Tx, d Definition, change *Change, all map[string]Setting) error {
	if err := c.checkStillValid(*change, d, all); err != nil {
		return err
	}
	if change.ApplyAt == nil {
		return c.applyTx(ctx, tx, change, all)
	}
	if !change.ApplyAt.After(c.clock.Now()) {
		return ErrPast
	}
	change.State = Scheduled
	return nil
}

// checkStillValid refuses a change whose key has changed since it was drafted, or whose value contradicts another key. Refusals: ErrOutdated, ErrOrder.
func (c *Changes) checkStillValid(change Change, d Definition, all map[string]Setting) error {
	if change.BaseVersion != all[change.Key].Version {
		return ErrOutdated
	}
	return checkOrder(d, change.After(), all)
}

// ApplyDue applies the changes whose time has come; one that no longer fits fails with its refusal. It notifies the author and the approver, and returns the
// number of due changes.
func (c *Changes) ApplyDue(ctx context.Context) (n int, err error) {
	due := true
	for due && err == nil {
		if due, err = c.applyNext(ctx); due {
			n++
		}
	}
	return n, err
}

// applyIfDue queries before it locks: every server runs it each second, and a change is rarely due.
func (c *Changes) applyIfDue(ctx context.Context) error {
	var due bool
	err := c.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM switch_changes WHERE state = 'scheduled' AND apply_at <= $1)`, c.clock.Now()).Scan(&due)
	if err != nil || !due {
		return err
	}
	_, err = c.ApplyDue(ctx)
	return err
}

func (c *Changes) applyNext(ctx context.Context) (due bool, err error) {
	err = c.db.InTx(ctx, func(tx *db.Tx) error {
		all, err := lockTx(ctx, tx) // first, in the same lock order as all acts on a change
		if err != nil {
			return err
		}
		var change Change
		err = tx.Rows.Raw(`SELECT * FROM switch_changes WHERE state = 'scheduled' AND apply_at <= ? ORDER BY apply_at, id LIMIT 1 FOR UPDATE`, c.clock.Now()).Scan(&change).Error
		if due = change.ID != 0; err != nil || !due {
			return err
		}
		d, _ := Define(change.Key)
		action := "switch.apply"
		now, refusal := c.clock.Now(), errs.As(c.checkStillValid(change, d, all))
		if refusal != nil {
			action, change.Refusal = "switch.fail", refusal.Key
			change.close(Failed, nil, now)
		} else if err := c.applyTx(ctx, tx, &change, all); err != nil {
			return err
		}
		if err := saveTx(tx, &change); err != nil {
			return err
		}
		schedule := audit.Actor{Kind: audit.System, Name: "schedule"}
		if err := c.recordTx(ctx, tx, schedule, action, change); err != nil {
			return err
		}
		return c.notify.notifyTx(ctx, tx, change, schedule, now, c.notify.why(refusal))
	})
	return due, err
}

// applyTx brings a change into force. Every server and every app is notified after the commit.
func (c *Changes) applyTx(ctx context.Context, tx *db.Tx, change *Change, all map[string]Setting) error {
	now, version := c.clock.Now(), all[change.Key].Version+1
	setting := change.After()
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO switches (key, value, rules, version, changed_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value, rules = excluded.rules, version = excluded.version, changed_at = excluded.changed_at`,
		change.Key, setting.Value, rulesBytes(setting.Rules), version, now)
	if err != nil {
		return fmt.Errorf("set %s: %w", change.Key, err)
	}
	change.State, change.AppliedAt, change.ToVersion = Applied, &now, &version
	tx.AfterCommit(func() { c.announce(context.WithoutCancel(ctx)) })
	return nil
}

// Changed is the subject of events that a value has changed.
const Changed = "switches.changed"

func (c *Changes) announce(ctx context.Context) {
	if err := c.values.Reload(ctx); err != nil {
		slog.ErrorContext(ctx, "the switches can't be read again", "error", err)
	}
	if err := c.bus.Publish(Changed, nil); err != nil {
		slog.ErrorContext(ctx, "a changed switch can't be told", "error", err)
	}
}

// reloadEvery is the longest time that a server misses another one's change when the event was lost.
const reloadEvery = 30 * time.Second

// Follow applies scheduled changes when they are due, and reloads the values after each change by any server, until ctx ends.
func (c *Changes) Follow(ctx context.Context) error {
	reload := func() {
		if err := c.values.Reload(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "the switches can't be read again", "error", err)
		}
	}
	stop, err := c.bus.Subscribe(Changed, func(string, []byte) { reload() })
	if err != nil {
		return err
	}
	defer stop()
	reload() // for changes between Load and the subscription
	second, often := time.NewTicker(time.Second), time.NewTicker(reloadEvery)
	defer second.Stop()
	defer often.Stop()
	for {
		select {
		case <-second.C:
			if err := c.applyIfDue(ctx); err != nil && ctx.Err() == nil {
				slog.ErrorContext(ctx, "scheduled changes of switches can't be applied", "error", err)
			}
		case <-often.C:
			reload()
		case <-ctx.Done():
			return nil
		}
	}
}

// recordTx writes the audit entry of an act on a change, with the settings before and after.
func (c *Changes) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, change Change) error {
	e := audit.By(by, c.clock.Now(), action, "switch", change.Key)
	after, err := json.Marshal(map[string]any{
		"change": change.ID, "state": change.State, "value": change.After().Value, "rules": change.After().Rules, "at": change.ApplyAt, "reason": change.Reason,
		"refusal": change.Refusal, "version": change.ToVersion, "verdict": change.Verdict, "note": change.ReviewNote,
	})
	if err != nil {
		return err
	}
	before, err := json.Marshal(map[string]any{"value": change.Before().Value, "rules": change.Before().Rules, "version": change.BaseVersion})
	if err != nil {
		return err
	}
	e.Before, e.After = string(before), string(after)
	return audit.RecordTx(ctx, tx, e)
}

// checkOrder refuses a setting when one of its values contradicts another key's. Refusal: ErrOrder.
func checkOrder(d Definition, to Setting, all map[string]Setting) error {
	for _, value := range append([]string{to.Value}, ruleValues(to.Rules)...) {
		other := outOfOrder(d.Key, func(key string) string {
			if key == d.Key {
				return value
			}
			return all[key].Value
		})
		if other != "" {
			return ErrOrder.With("other", other)
		}
	}
	return nil
}

func ruleValues(rules []Rule) []string {
	values := make([]string, len(rules))
	for i, r := range rules {
		values[i] = r.Value
	}
	return values
}

func moment(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC().Truncate(time.Second)
	return &at
}

func openConflict(err error) error {
	if db.IsUnique(err, "switch_changes_open") {
		return ErrOpen
	}
	return err
}
