package switchdesk

import (
	"context"
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/switches"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// decision is a decision on a change.
type decision struct {
	name       string // in the keys of its texts
	path       string
	kind       ui.ButtonKind
	permission access.Permission
	typed      string // the field that the dialog requires: the key, or a reason; empty for none
	offered    func(r *desk.Request, c switches.Change) bool
	do         func(c *switches.Changes, ctx context.Context, by audit.Actor, id int64, version int, typed string) (switches.Change, error)
}

func mine(r *desk.Request, c switches.Change) bool { return c.AuthorID == r.Member.ID }

func second(r *desk.Request, c switches.Change) bool {
	return c.State() == approval.Requested && !mine(r, c) && r.May(access.SwitchApprove)
}

func unseen(r *desk.Request, c switches.Change) bool {
	return c.Unreviewed() && !mine(r, c) && r.May(access.SwitchApprove)
}

// The decisions, in the order of their buttons.
var decisions = []decision{
	{"approve", "approval", ui.Primary, access.SwitchApprove, "key", second, (*switches.Changes).Approve},
	{"reject", "rejection", ui.Danger, access.SwitchApprove, "reason", second, (*switches.Changes).Reject},
	{
		"right", "agreement", ui.Primary, access.SwitchApprove, "note", unseen,
		func(c *switches.Changes, ctx context.Context, by audit.Actor, id int64, version int, note string) (switches.Change, error) {
			return c.Review(ctx, by, id, version, switches.Right, note)
		},
	},
	{
		"wrong", "objection", ui.Danger, access.SwitchApprove, "note", unseen,
		func(c *switches.Changes, ctx context.Context, by audit.Actor, id int64, version int, note string) (switches.Change, error) {
			return c.Review(ctx, by, id, version, switches.Wrong, note)
		},
	},
	{
		"submit", "submission", ui.Primary, access.SwitchChange, "",
		func(r *desk.Request, c switches.Change) bool {
			return c.State() == switches.Drafted && mine(r, c) && r.May(access.SwitchChange)
		},
		func(c *switches.Changes, ctx context.Context, by audit.Actor, id int64, version int, _ string) (switches.Change, error) {
			return c.Submit(ctx, by, id, version)
		},
	},
	{
		"cancel", "cancellation", ui.Danger, access.SwitchChange, "",
		func(r *desk.Request, c switches.Change) bool {
			return c.Open() && (mine(r, c) || c.State() == approval.Scheduled) && r.May(access.SwitchChange)
		},
		func(c *switches.Changes, ctx context.Context, by audit.Actor, id int64, version int, _ string) (switches.Change, error) {
			return c.Withdraw(ctx, by, id, version)
		},
	},
}

func (o decision) address(id int64) ui.Path { return ui.To("/admin/switch-changes/{}/"+o.path, id) }

// read reads the change in the address with its key.
func (s Services) read(r *desk.Request) (change switches.Change, d switches.Definition, err error) {
	id, err := r.ID("id")
	if err != nil {
		return change, d, err
	}
	if change, err = s.Changes.Get(ctxOf(r), id); err != nil {
		return change, d, err
	}
	d, known := switches.Define(change.Key)
	if !known {
		return change, d, switches.ErrUnknown
	}
	return change, d, nil
}

// askDecision opens the dialog of a decision: the values before and after, the effective time, the reason and the author.
func (s Services) askDecision(o decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		change, d, err := s.read(r)
		if err != nil {
			return err
		}
		if !r.Partial() {
			return r.RedirectTo(path(change.Key).String())
		}
		if !o.offered(r, change) {
			return approval.ErrState
		}
		return s.showDecision(r, http.StatusOK, o, d, change, "", nil)
	}
}

func (s Services) showDecision(r *desk.Request, status int, o decision, d switches.Definition, change switches.Change, typed string, problems map[string]string) error {
	words := "switch." + o.name
	c := controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, words+".title", "name", name(r, d.Key), "number", change.Number()), Note: word(r, words+".note"),
			Form: ui.FormView{
				Post: o.address(change.ID), Target: ui.At("switch"), Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(change.Version)}},
			},
			Act: ui.ButtonView{Label: word(r, words+".act"), Kind: o.kind, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: append(changeFacts(r, change), ui.Fact{Label: word(r, "switch.author"), Value: change.AuthorName, Note: at(r, change.CreatedAt)}),
		Diff:  &ui.DiffView{Changes: difference(r, d, change.Before(), change.After())},
	}
	switch o.typed {
	case "key":
		c.Fields = []ui.FieldView{{Name: "key", Label: word(r, "switch.type_key"), Hint: word(r, "switch.type_key.hint", "key", d.Key), Value: typed, MaxLength: 64, Required: true, Error: problems["key"]}}
	case "reason", "note":
		field := reasonField(r, typed, problems[o.typed])
		field.Name, field.Label, field.Hint = o.typed, word(r, words+".why"), word(r, "switch.reason.hint")
		c.Text = &field
	}
	return r.Dialog(status, controlview.ConfirmDialog(c))
}

// decide runs the decision that the dialog posted.
func (s Services) decide(o decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		change, d, err := s.read(r)
		if err != nil {
			return err
		}
		version, err := r.Version()
		if err != nil {
			return err
		}
		typed := ""
		if o.typed != "" {
			typed = r.PostFormValue(o.typed)
		}
		after, err := o.do(s.Changes, ctxOf(r), r.Actor(), change.ID, version, typed)
		if problems := s.problems(r, d, err); problems != nil && o.typed != "" {
			return s.showDecision(r, http.StatusUnprocessableEntity, o, d, change, typed, problems)
		}
		if err != nil {
			return err
		}
		state := string(after.State())
		if after.Verdict != nil {
			state = "looked"
		}
		return s.done(r, change.Key, word(r, "switch.done."+state, "number", change.Number()))
	}
}

func (s Services) askStop(r *desk.Request) error {
	d, err := s.define(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(path(d.Key).String())
	}
	if !mayStop(r, d) {
		return switches.ErrNoStop
	}
	return s.showStop(r, http.StatusOK, d, "", nil)
}

func (s Services) showStop(r *desk.Request, status int, d switches.Definition, reason string, problems map[string]string) error {
	field := reasonField(r, reason, problems["reason"])
	return r.Dialog(status, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "switch.stop.title", "name", name(r, d.Key)), Note: word(r, "switch.stop.note"),
			Form: ui.FormView{Post: ui.To("/admin/switches/{}/stop", d.Key), Target: ui.At("switch"), Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "switch.stop.act"), Kind: ui.Danger, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Diff: &ui.DiffView{Changes: difference(r, d, s.Values.Setting(d.Key), switches.Setting{Value: d.Safe})},
		Text: &field,
	}))
}

func (s Services) stop(r *desk.Request) error {
	d, err := s.define(r)
	if err != nil {
		return err
	}
	reason := r.PostFormValue("reason")
	change, err := s.Changes.Stop(ctxOf(r), r.Actor(), roles(r), d.Key, reason)
	if problems := s.problems(r, d, err); problems != nil {
		return s.showStop(r, http.StatusUnprocessableEntity, d, reason, problems)
	}
	if err != nil {
		return err
	}
	return s.done(r, d.Key, word(r, "switch.stop.done", "number", change.Number()))
}

// version is the version of a key in the address; 0 is its default.
func version(r *desk.Request) (int, error) {
	n, err := desk.ParseCount(r.Context.Param("id"))
	if err != nil || n < 0 {
		return 0, switches.ErrChange
	}
	return n, nil
}

func (s Services) askReturn(r *desk.Request) error {
	d, err := s.define(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(path(d.Key).String())
	}
	return s.showReturn(r, http.StatusOK, d, "", nil)
}

func (s Services) showReturn(r *desk.Request, status int, d switches.Definition, reason string, problems map[string]string) error {
	n, err := version(r)
	if err != nil {
		return err
	}
	setting, err := s.Changes.Version(ctxOf(r), d.Key, n)
	if err != nil {
		return err
	}
	field := reasonField(r, reason, problems["reason"])
	words := "switch.return"
	if d.Risk == switches.Sensitive {
		words = "switch.return.two"
	}
	return r.Dialog(status, controlview.ConfirmDialog(controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "switch.return.title", "name", name(r, d.Key), "n", n), Note: word(r, words+".note"),
			Form: ui.FormView{Post: ui.To("/admin/switches/{}/versions/{}/return", d.Key, n), Target: ui.At("switch"), Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, words+".act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Diff: &ui.DiffView{Changes: difference(r, d, s.Values.Setting(d.Key), setting)},
		Text: &field,
	}))
}

func (s Services) goBack(r *desk.Request) error {
	d, err := s.define(r)
	if err != nil {
		return err
	}
	n, err := version(r)
	if err != nil {
		return err
	}
	reason := r.PostFormValue("reason")
	change, err := s.Changes.Revert(ctxOf(r), r.Actor(), d.Key, n, switches.ChangeInput{Reason: reason, Zone: r.Zone().String()})
	if err == nil {
		change, err = s.Changes.Submit(ctxOf(r), r.Actor(), change.ID, change.Version)
	}
	if problems := s.problems(r, d, err); problems["reason"] != "" {
		return s.showReturn(r, http.StatusUnprocessableEntity, d, reason, problems)
	}
	if err != nil {
		return err
	}
	return s.done(r, d.Key, word(r, "switch.done."+string(change.State()), "number", change.Number()))
}
