package support

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/trader"
)

// MacroRun is a macro to be run on a conversation, both as the agent saw them.
type MacroRun struct {
	Macro          Macro
	ConversationID int64
	Version        int    // of the conversation
	Seen           int64  // the newest message on the agent's page
	Text           string // the prepared answer, filled in for the customer
	Now            time.Time
	Lead           bool // may transfer the conversations of others
}

// macroEvent is the event of a macro, followed by its name; customers don't see it.
const macroEvent = "chat.macro "

// RunMacro runs all steps of a macro, or none, with one audit entry. Each step needs what it needs alone. Now, in the agent's zone, decides when a snooze ends.
// Refusals: ErrUnknown, ErrNoMacro, ErrChanged, and those of Answer, Label, Transfer, Snooze and Resolve.
func (s *Service) RunMacro(ctx context.Context, by audit.Actor, run MacroRun) (c Conversation, err error) {
	if left := Variables(run.Text); len(left) > 0 {
		return c, ErrVariable.With("name", left[0])
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if c, err = lockTx(tx, run.ConversationID); err != nil {
			return err
		}
		stored, err := macroOf(ctx, tx.Conn, `id = $1`, run.Macro.ID)
		switch {
		case err != nil:
			return err
		case c.Version != run.Version || stored.Version != run.Macro.Version:
			return ErrChanged
		}
		if c.TraderID != nil {
			if err := trader.CheckConflict(ctx, tx.Conn, by.ID, *c.TraderID); err != nil {
				return err
			}
		}
		before := c.State
		for _, step := range []func(context.Context, *db.Tx, audit.Actor, *Conversation, MacroRun) error{s.macroAnswerTx, s.macroLabelTx, s.macroEndTx} {
			if err := step(ctx, tx, by, &c, run); err != nil {
				return err
			}
		}
		facts := stored.facts()
		facts["state"] = string(c.State)
		was, _ := json.Marshal(map[string]string{"state": string(before)})
		became, _ := json.Marshal(facts)
		entry := audit.By(by, s.clock.Now(), "chat.run_macro", "conversation", c.ID)
		entry.Before, entry.After = string(was), string(became)
		return audit.RecordTx(ctx, tx, entry)
	})
	return c, err
}

// macroAnswerTx sends the prepared answer.
func (s *Service) macroAnswerTx(ctx context.Context, tx *db.Tx, by audit.Actor, c *Conversation, run MacroRun) error {
	if run.Macro.Reply == "" {
		return nil
	}
	d := Draft{ID: uuid.NewString(), Text: run.Text}
	if err := d.read(); err != nil {
		return err
	}
	m := d.message(*c, ByAgent, s.clock.Now())
	m.StaffID = &by.ID
	changes, err := s.answerTx(ctx, tx, by, *c, m.At, run.Seen)
	if err != nil {
		return err
	}
	if _, err := s.writeTx(ctx, tx, &m); err != nil {
		return err
	}
	return s.saidTx(tx, c, changes, m)
}

// macroLabelTx sets the priority and adds the labels; its event names the macro.
func (s *Service) macroLabelTx(ctx context.Context, tx *db.Tx, by audit.Actor, c *Conversation, run MacroRun) error {
	changes := map[string]any{}
	if run.Macro.Priority != nil {
		changes["priority"] = *run.Macro.Priority
	}
	if added := run.Macro.About(); len(added) > 0 {
		var labels []string
		for _, label := range Labels {
			if slices.Contains(added, label) || slices.Contains(c.About(), label) {
				labels = append(labels, label)
			}
		}
		changes["labels"] = strings.Join(labels, ",")
	}
	return s.stepTx(ctx, tx, by, c, macroEvent+run.Macro.Name, changes)
}

// macroEndTx resolves, snoozes or transfers the conversation.
func (s *Service) macroEndTx(ctx context.Context, tx *db.Tx, by audit.Actor, c *Conversation, run MacroRun) (err error) {
	var action string
	var changes map[string]any
	switch run.Macro.Ending {
	case EndResolve:
		action = "chat.resolve"
		changes, err = s.resolveTx(ctx, tx, by, *c, run.Seen)
	case EndSnooze:
		action = "chat.snooze"
		until, _ := SnoozeUntil(run.Macro.Snooze, run.Now)
		changes, err = s.snoozeChanges(by, *c, until)
	case EndTransfer:
		if action = "chat.transfer"; run.Macro.TransferTo == nil {
			action = "chat.release"
		}
		changes, err = s.transferTx(ctx, tx, by, run.Lead, *c, given(run.Macro.TransferTo))
	case NoEnding:
		return nil
	}
	if err != nil {
		return err
	}
	return s.stepTx(ctx, tx, by, c, action, changes)
}
