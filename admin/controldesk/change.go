package controldesk

import (
	"context"
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/market"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// changeDecision is a decision on a change of a product.
type changeDecision struct {
	name string // in the keys of its texts
	path string
	kind ui.ButtonKind
	do   func(c *market.Changes, ctx context.Context, actor audit.Actor, id int64) error
}

// The decisions.
var (
	approveChange  = changeDecision{"approve", "approval", ui.Primary, (*market.Changes).Approve}
	refuseChange   = changeDecision{"refuse", "refusal", ui.Danger, (*market.Changes).Refuse}
	withdrawChange = changeDecision{"withdraw", "withdrawal", ui.Danger, (*market.Changes).Withdraw}
)

func (o changeDecision) address(id int64) ui.Path {
	return ui.To("/admin/product-changes/{}/"+o.path, id)
}

// readChange reads the change in the address with its product.
func (s Services) readChange(r *desk.Request) (market.Change, market.Product, error) {
	id, err := r.ID("id")
	if err != nil {
		return market.Change{}, market.Product{}, err
	}
	change, err := s.Changes.Find(ctxOf(r), id)
	if err != nil {
		return change, market.Product{}, err
	}
	p, err := s.Market.Product(change.ProductID)
	return change, p, err
}

// askChangeDecision opens the dialog of a decision: the values before and after, the effective time, the reason and the requester.
func (s Services) askChangeDecision(o changeDecision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		change, p, err := s.readChange(r)
		if err != nil {
			return err
		}
		if !r.Partial() {
			return r.RedirectTo(productPath(p.ID).String())
		}
		if change.State != approval.Requested {
			return approval.ErrState
		}
		versions, err := s.Market.Terms(p.ID)
		if err != nil {
			return err
		}
		changes := changesOf(r, change, p, versions)
		if len(changes) == 0 {
			return market.ErrChangeOld
		}
		key := "product.change." + o.name
		return r.Dialog(http.StatusOK, controlview.ConfirmDialog(controlview.Confirm{
			Dialog: ui.DialogView{
				Title: word(r, key+".title", "symbol", p.Symbol),
				Form:  ui.FormView{Post: o.address(change.ID), Target: ui.At("product"), Swap: ui.SwapInside},
				Act:   ui.ButtonView{Label: word(r, key+".act"), Kind: o.kind, Submit: true, Money: true, Busy: word(r, "act.busy")},
			},
			Facts: append(changeFacts(r, change), ui.Fact{Label: word(r, "staff.then"), Value: word(r, key+".then")}),
			Diff:  &ui.DiffView{Changes: changes},
		}))
	}
}

func changeFacts(r *desk.Request, change market.Change) []ui.Fact {
	return []ui.Fact{
		{Label: word(r, "product.change.from."+string(change.Kind)), Value: utc(r, change.EffectiveAt), Strong: true},
		{Label: word(r, "product.change.reason"), Value: change.Note},
		{Label: word(r, "staff.asked"), Value: change.Requester, Note: at(r, change.RequestedAt)},
	}
}

// decideChange runs the decision that the dialog posted.
func (s Services) decideChange(o changeDecision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		change, p, err := s.readChange(r)
		if err != nil {
			return err
		}
		if err := o.do(s.Changes, ctxOf(r), r.Actor(), change.ID); err != nil {
			return err
		}
		return s.productDone(r, p.ID, word(r, "product.change."+o.name+".done", "symbol", p.Symbol, "at", utc(r, change.EffectiveAt)))
	}
}

// productDone answers an act on a product with its current page.
func (s Services) productDone(r *desk.Request, id int, flash string) error {
	p, err := s.Market.Product(id)
	if err != nil {
		return err
	}
	view, err := s.productPage(r, p)
	if err != nil {
		return err
	}
	return r.Show(controlview.ProductDone(view, r.Count("products"), flash))
}

// openChange shows an open change, with buttons for the members who may use them.
func (s Services) openChange(r *desk.Request, p market.Product, change market.Change, versions market.Versions) controlview.OpenChange {
	view := controlview.OpenChange{
		Request: changeRequest(r, change), Facts: changeFacts(r, change)[:2], Diff: ui.DiffView{Changes: changesOf(r, change, p, versions)},
	}
	view.Request.Title = word(r, "product.change.kind."+string(change.Kind))
	button := func(o changeDecision) ui.ButtonView {
		return ui.ButtonView{Label: word(r, "product.change."+o.name), Size: ui.Small, Kind: o.kind, HX: ui.OpenDialog(o.address(change.ID))}
	}
	if view.Request.Locked == "" {
		view.Request.Buttons = []ui.ButtonView{button(refuseChange), button(approveChange)}
	}
	if change.RequestedBy == r.Member.ID && r.May(access.ProductChange) {
		view.Request.Buttons = []ui.ButtonView{button(withdrawChange)}
	}
	return view
}

// changeRequest shows who requested a change, who is still needed, and why the member may not decide.
func changeRequest(r *desk.Request, change market.Change) controlview.Request {
	locked := ""
	switch {
	case change.RequestedBy == r.Member.ID:
		locked = r.Text(approval.ErrSamePerson)
	case !r.May(access.ProductApprove):
		locked = word(r, "product.change.no_approver")
	}
	return approvalRequest(r, change.Requester, change.RequestedAt, locked)
}

// waitingChanges are the open changes of products, for the start page.
func (s Services) waitingChanges(r *desk.Request) ([]controlview.Request, error) {
	list, err := s.Changes.List(ctxOf(r), 0, true, homeRequests)
	var out []controlview.Request
	for _, change := range list {
		p, err := s.Market.Product(change.ProductID)
		if err != nil {
			continue // the feed of this server does not price the product
		}
		view := changeRequest(r, change)
		view.Title = word(r, "product.change.for."+string(change.Kind), "symbol", p.Symbol, "at", utc(r, change.EffectiveAt))
		view.Href = productPath(p.ID)
		out = append(out, view)
	}
	return out, err
}
