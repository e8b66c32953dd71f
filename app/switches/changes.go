package switches

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm/clause"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
)

// Changes is the service for change requests.
type Changes struct {
	db        *db.DB
	values    *Service
	clock     clock.Clock
	approvals *approval.Service
	bus       *events.Bus
	notify    *Notifier
}

// NewChanges makes the service; a nil notifier sends staff no messages.
func NewChanges(d *db.DB, values *Service, c clock.Clock, e *approval.Engine, bus *events.Bus, n *Notifier) *Changes {
	s := &Changes{db: d, values: values, clock: c, bus: bus, notify: n}
	s.approvals = e.For(approval.Use{
		Name: "switch_change", Area: "switch", Target: "switch", MayWithdraw: mayWithdraw, Apply: s.apply, Closed: s.close,
		Lock: func(ctx context.Context, tx *db.Tx, _ approval.Approval) error {
			_, err := lockTx(ctx, tx)
			return err
		},
		Before: func(a approval.Approval) (string, error) {
			change, err := requested(a)
			return change.before(), err
		},
	})
	return s
}

// mayWithdraw lets everybody who drafts changes withdraw a scheduled one, and the requester alone one that is undecided.
func mayWithdraw(by audit.Actor, a approval.Approval) error {
	if a.Undecided() && a.RequestedBy != by.ID {
		return approval.ErrNotRequester
	}
	return nil
}

// Draft drafts a change. It has no effect before Submit. Version is the version of the key that the author saw. Refusals: fields, ErrUnknown, ErrLocked,
// ErrNothing, ErrOrder, ErrPast, ErrOutdated.
func (c *Changes) Draft(ctx context.Context, by audit.Actor, key string, version int, w ChangeInput) (change Change, err error) {
	err = c.db.InTx(ctx, func(tx *db.Tx) (err error) {
		change, err = c.draftTx(ctx, tx, by, key, version, w)
		return err
	})
	return change, err
}

func (c *Changes) draftTx(ctx context.Context, tx *db.Tx, by audit.Actor, key string, version int, w ChangeInput) (Change, error) {
	change, err := c.writeTx(ctx, tx, by, key, w, nil)
	if err == nil && change.BaseVersion != version {
		err = ErrOutdated
	}
	return change, err
}

// Preview previews the change that Draft would make. Refusals: those of Draft.
func (c *Changes) Preview(key string, w ChangeInput) (Change, error) {
	all := map[string]Setting{}
	for _, one := range Definitions {
		all[one.Key] = c.values.Setting(one.Key)
	}
	return c.compose(key, w, all)
}

// compose is the change of a key that an input makes of the settings in force.
func (c *Changes) compose(key string, w ChangeInput, all map[string]Setting) (Change, error) {
	d, known := Define(key)
	if !known {
		return Change{}, ErrUnknown
	}
	w, err := d.read(w, all[key], c.clock.Now())
	if err != nil {
		return Change{}, err
	}
	to := Setting{Value: w.Value, Rules: w.Rules}
	return Change{
		Key: key, Kind: Planned, BaseVersion: all[key].Version, Was: all[key].bytes(), Becomes: to.bytes(), Reason: w.Reason, ApplyAt: moment(w.At), Zone: w.Zone,
	}, checkOrder(d, to, all)
}

// Revert drafts a change that restores a version of a key; 0 is its default. Refusals: those of Draft.
func (c *Changes) Revert(ctx context.Context, by audit.Actor, key string, version int, w ChangeInput) (change Change, err error) {
	then, err := c.Version(ctx, key, version)
	if err != nil {
		return Change{}, err
	}
	w.Value, w.Rules = then.Value, then.Rules
	err = c.db.InTx(ctx, func(tx *db.Tx) (err error) {
		change, err = c.writeTx(ctx, tx, by, key, w, &version)
		return err
	})
	return change, err
}

func (c *Changes) writeTx(ctx context.Context, tx *db.Tx, by audit.Actor, key string, w ChangeInput, revertOf *int) (change Change, err error) {
	all, err := lockTx(ctx, tx)
	if err != nil {
		return change, err
	}
	if change, err = c.compose(key, w, all); err != nil {
		return change, err
	}
	change.AuthorID, change.CreatedAt, change.RevertOf, change.Version = by.ID, c.clock.Now(), revertOf, 1
	if err := tx.Rows.Create(&change).Error; err != nil {
		return change, fmt.Errorf("write a change of %s: %w", key, err)
	}
	return change, c.recordTx(ctx, tx, by, "switch.draft", change)
}

// Ask drafts and submits a change, both or neither. Version is the version of the key that the author saw. Refusals: those of Draft and Submit.
func (c *Changes) Ask(ctx context.Context, by audit.Actor, key string, version int, w ChangeInput) (Change, error) {
	var id int64
	err := c.db.InTx(ctx, func(tx *db.Tx) error {
		change, err := c.draftTx(ctx, tx, by, key, version, w)
		if err != nil {
			return err
		}
		id = change.ID
		return c.actTx(ctx, tx, by, id, change.Version, approval.InEngine, c.submit(ctx, by))
	})
	return c.after(ctx, id, err)
}

// Amend edits a change; its approval becomes void. Refusals: those of Draft and Submit.
func (c *Changes) Amend(ctx context.Context, by audit.Actor, id int64, version int, w ChangeInput) (Change, error) {
	return c.act(ctx, by, id, version, "switch.amend", func(tx *db.Tx, change *Change, all map[string]Setting) error {
		next, err := c.compose(change.Key, w, all)
		switch {
		case err != nil:
			return err
		case !change.Open():
			return approval.ErrState
		}
		change.BaseVersion, change.Was, change.Becomes, change.Reason = next.BaseVersion, next.Was, next.Becomes, next.Reason
		change.ApplyAt, change.Zone, change.AuthorID, change.RevertOf = next.ApplyAt, next.Zone, by.ID, nil
		switch {
		case change.Approval == nil:
			return nil
		case change.ApplyAt == nil && change.People() == 1:
			return ErrPast // what is scheduled does not come at once
		}
		if err := c.approvals.LapseTx(ctx, tx, *change.Approval); err != nil {
			return err
		}
		return c.requestTx(ctx, tx, by, change)
	})
}

// Submit submits a draft: a sensitive change goes to its second person, any other is applied or scheduled. Refusals: ErrChange, ErrNotOwn, ErrOutdated,
// ErrOrder, ErrPast, approval.ErrState, approval.ErrChanged, approval.ErrOpen.
func (c *Changes) Submit(ctx context.Context, by audit.Actor, id int64, version int) (Change, error) {
	return c.act(ctx, by, id, version, approval.InEngine, c.submit(ctx, by))
}

func (c *Changes) submit(ctx context.Context, by audit.Actor) decision {
	return func(tx *db.Tx, change *Change, all map[string]Setting) error {
		switch {
		case change.State() != Drafted:
			return approval.ErrState
		case change.AuthorID != by.ID:
			return ErrNotOwn
		}
		if err := c.checkStillValid(*change, all); err != nil {
			return err
		}
		return c.requestTx(ctx, tx, by, change)
	}
}

// requestTx requests the approval of a change. One that takes one person is scheduled or takes effect.
func (c *Changes) requestTx(ctx context.Context, tx *db.Tx, by audit.Actor, change *Change) error {
	a, err := c.approvals.RequestTx(ctx, tx, by, approval.Request{
		Subject: change.Key, Proposal: change.fields(), Note: change.Reason, People: change.People(), EffectiveAt: change.ApplyAt,
	})
	change.Approval = &a.ID
	return err
}

// Approve is the second person's approval; they must type the key. Refusals: ErrChange, ErrKey, ErrOutdated, ErrOrder, ErrPast, and those of
// approval.Service.ApproveTx.
func (c *Changes) Approve(ctx context.Context, by audit.Actor, id int64, version int, typed string) (Change, error) {
	return c.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, change *Change, all map[string]Setting) error {
		if typed != change.Key {
			return ErrKey
		}
		a := change.Request
		if _, err := c.approvals.ApproveTx(ctx, tx, by, a.ID, a.Version, a.State, a.Facts); err != nil {
			return err
		}
		return c.checkStillValid(*change, all) // also when it is scheduled
	})
}

// Reject is the second person's rejection; the record stays, and the author is notified of the reason. Refusals: fields, ErrChange, and those of
// approval.Service.RefuseTx.
func (c *Changes) Reject(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Change, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Change{}, err
	}
	return c.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, change *Change, _ map[string]Setting) error {
		_, err := c.approvals.RefuseTx(ctx, tx, by, change.Request.ID, change.Request.Version, reason)
		return err
	})
}

// Withdraw withdraws a change before it comes into force. Only its author may, or, once it is scheduled, any member who may draft changes. The author and
// the approver are notified, except the actor. Refusals: ErrChange, ErrNotOwn, and those of approval.Service.WithdrawTx.
func (c *Changes) Withdraw(ctx context.Context, by audit.Actor, id int64, version int) (Change, error) {
	return c.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, change *Change, _ map[string]Setting) error {
		switch {
		case !change.Open():
			return approval.ErrState
		case change.Approval != nil:
			_, err := c.approvals.WithdrawTx(ctx, tx, by, change.Request.ID, change.Request.Version, "")
			return err
		case change.AuthorID != by.ID:
			return ErrNotOwn
		}
		if err := c.closeTx(tx, change.ID); err != nil {
			return err
		}
		return c.recordTx(ctx, tx, by, "switch.withdraw", *change)
	})
}

// Stop sets a key to its safe value at once. One person with a role in StopBy may do it; another one must review it within ReviewWithin. Refusals: fields,
// ErrUnknown, ErrNoStop, ErrNothing.
func (c *Changes) Stop(ctx context.Context, by audit.Actor, roles []string, key, reason string) (Change, error) {
	d, known := Define(key)
	if !known {
		return Change{}, ErrUnknown
	}
	if !d.MayStop(roles) {
		return Change{}, ErrNoStop
	}
	reason, err := readReason(reason)
	if err != nil {
		return Change{}, err
	}
	var id int64
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
		change := Change{
			Key: key, Kind: Stopped, BaseVersion: all[key].Version, Was: all[key].bytes(), Becomes: Setting{Value: d.Safe}.bytes(), Reason: reason, Zone: "UTC",
			AuthorID: by.ID, CreatedAt: now, ReviewDue: &due, Version: 1,
		}
		if err := tx.Rows.Create(&change).Error; err != nil {
			return fmt.Errorf("write the stop of %s: %w", key, err)
		}
		if err := c.recordTx(ctx, tx, by, "switch.stop", change); err != nil {
			return err
		}
		id = change.ID
		return c.requestTx(ctx, tx, by, &change)
	})
	return c.after(ctx, id, err)
}

// Review records another person's verdict on a stop. It does not restore the value, which needs a new change by two people. Refusals: fields, ErrChange,
// approval.ErrState, approval.ErrChanged, approval.ErrSamePerson.
func (c *Changes) Review(ctx context.Context, by audit.Actor, id int64, version int, verdict Verdict, note string) (Change, error) {
	note, err := readReason(note)
	if err != nil {
		return Change{}, errs.Field("note", "field.length")
	}
	if verdict != Right && verdict != Wrong {
		return Change{}, errs.Field("verdict", "field.choice")
	}
	return c.act(ctx, by, id, version, "switch.review", func(_ *db.Tx, change *Change, _ map[string]Setting) error {
		switch {
		case !change.Unreviewed():
			return approval.ErrState
		case change.AuthorID == by.ID:
			return approval.ErrSamePerson
		}
		now := c.clock.Now()
		change.ReviewerID, change.ReviewedAt, change.Verdict, change.ReviewNote = &by.ID, &now, &verdict, note
		return nil
	})
}

// decision updates a change.
type decision func(tx *db.Tx, change *Change, all map[string]Setting) error

// act locks the values and a change, applies decide, and stores the change with its audit entry in one transaction.
func (c *Changes) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide decision) (Change, error) {
	return c.after(ctx, id, c.db.InTx(ctx, func(tx *db.Tx) error { return c.actTx(ctx, tx, by, id, version, action, decide) }))
}

func (c *Changes) actTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, version int, action string, decide decision) error {
	all, err := lockTx(ctx, tx)
	if err != nil {
		return err
	}
	var change Change
	if err := tx.ForUpdate().Where("id = ?", id).Limit(1).Find(&change).Error; err != nil {
		return fmt.Errorf("read change %d: %w", id, err)
	}
	_, known := Define(change.Key)
	switch {
	case !known:
		return ErrChange
	case change.Version != version:
		return approval.ErrChanged
	}
	if change.Approval != nil {
		if change.Request, err = c.approvals.FindTx(tx, *change.Approval); err != nil {
			return err
		}
	}
	if err := decide(tx, &change, all); err != nil {
		return err
	}
	if err := saveTx(tx, &change); err != nil || action == approval.InEngine {
		return err
	}
	return c.recordTx(ctx, tx, by, action, change)
}

// after is a change after an act that did not fail.
func (c *Changes) after(ctx context.Context, id int64, err error) (Change, error) {
	if err != nil {
		return Change{}, err
	}
	return c.Get(ctx, id)
}

// checkStillValid refuses a change whose key has changed since it was drafted, whose value contradicts another key, or whose time is over.
// Refusals: ErrOutdated, ErrOrder, ErrPast.
func (c *Changes) checkStillValid(change Change, all map[string]Setting) error {
	if change.BaseVersion != all[change.Key].Version {
		return ErrOutdated
	}
	d, _ := Define(change.Key)
	if err := checkOrder(d, change.After(), all); err != nil {
		return err
	}
	if change.ApplyAt != nil && !change.ApplyAt.After(c.clock.Now()) {
		return ErrPast
	}
	return nil
}

// apply brings an approved change into force. Every server and every app is notified after the commit; the people that the approval names are when it comes
// at its time. Refusals: ErrOutdated, ErrOrder.
func (c *Changes) apply(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	change, err := requested(a)
	if err != nil {
		return err
	}
	all, err := lockTx(ctx, tx)
	if err != nil {
		return err
	}
	if err := c.checkStillValid(change, all); err != nil {
		return err
	}
	version, setting := change.BaseVersion+1, change.After()
	upsert := clause.OnConflict{Columns: []clause.Column{{Name: "key"}}, DoUpdates: clause.AssignmentColumns([]string{"value", "rules", "version", "changed_at"})}
	err = tx.Rows.Clauses(upsert).Create(&changedSwitch{Key: change.Key, Value: setting.Value, Rules: rulesBytes(setting.Rules), Version: version, ChangedAt: *a.AppliedAt}).Error
	if err != nil {
		return fmt.Errorf("set %s: %w", change.Key, err)
	}
	err = tx.Rows.Model(&Change{}).Where("id = ?", change.ID).Updates(map[string]any{"approval": a.ID, "applied_at": a.AppliedAt, "to_version": version}).Error
	if err != nil {
		return fmt.Errorf("apply change %d: %w", change.ID, err)
	}
	tx.AfterCommit(func() { c.announce(context.WithoutCancel(ctx)) })
	if by.Kind == audit.Staff {
		return nil // they saw it
	}
	return c.notify.notifyTx(ctx, tx, change, a, by, *a.AppliedAt, "")
}

// close ends a change whose request came to nothing, and notifies the people that it names. The request of an amended change is followed by another one.
func (c *Changes) close(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	if a.State == approval.Expired {
		return nil
	}
	change, err := requested(a)
	if err != nil {
		return err
	}
	if err := c.closeTx(tx, change.ID); err != nil {
		return err
	}
	why := a.Refusal
	if a.State == approval.Failed {
		all, err := lockTx(ctx, tx)
		if err != nil {
			return err
		}
		why = c.notify.why(errs.As(c.checkStillValid(change, all)))
	}
	return c.notify.notifyTx(ctx, tx, change, a, by, *a.ClosedAt, why)
}

func (c *Changes) closeTx(tx *db.Tx, id int64) error {
	return tx.Rows.Model(&Change{}).Where("id = ?", id).Update("closed_at", c.clock.Now()).Error
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

// Follow reloads the values after each change by any server, until ctx ends.
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
	often := time.NewTicker(reloadEvery)
	defer often.Stop()
	for {
		select {
		case <-often.C:
			reload()
		case <-ctx.Done():
			return nil
		}
	}
}

// recordTx writes the audit entry of an act on a change that the engine of approvals does not record.
func (c *Changes) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, change Change) error {
	e := audit.By(by, c.clock.Now(), action, "switch", change.Key)
	facts := change.fields()
	facts["at"], facts["note"], facts["verdict"], facts["review"] = change.ApplyAt, change.Reason, change.Verdict, change.ReviewNote
	after, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	e.Before, e.After = change.before(), string(after)
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
