package tradedesk

import (
	"context"
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// tagChips are tags as chips.
func tagChips(tags []trader.Tag) (chips []ui.ChipView) {
	for _, t := range tags {
		chips = append(chips, ui.Tag(t.Name, string(t.Colour)))
	}
	return chips
}

// tagNames are the names of tags.
func tagNames(tags []trader.Tag) (names []string) {
	for _, t := range tags {
		names = append(names, t.Name)
	}
	return names
}

// showTags puts a trader's tags into the frame of a tab, and the button that changes them.
func (s Services) showTags(sub subject, v *tradeview.Trader) error {
	if sub.trader.Guest() {
		return nil
	}
	tags, err := s.Traders.TagsOf(sub.ctx, sub.trader.ID)
	v.Tags = tagChips(tags[sub.trader.ID])
	if sub.may(access.TraderTag) {
		v.TagAct = &ui.ButtonView{Label: sub.t("trader.tags.open"), Size: ui.Tiny, Kind: ui.Ghost, Icon: ui.IconTag, HX: ui.OpenDialog(sub.path("tags"))}
	}
	return err
}

// tagsOf are the tags of the traders of a page.
func (s Services) tagsOf(ctx context.Context, found []trader.Listed) (map[int64][]trader.Tag, error) {
	ids := make([]int64, len(found))
	for i, l := range found {
		ids[i] = l.ID
	}
	return s.Traders.TagsOf(ctx, ids...)
}

// tagFilter is the list's filter by a tag, a retired one too.
func (s Services) tagFilter() caseengine.Filter {
	f := caseengine.Number("tag", caseengine.LastID)
	f.Choices = func(r *desk.Request) (out []caseengine.Choice) {
		tags, err := s.Traders.Tags(r.Context.Request().Context())
		if err != nil {
			return nil // the page itself reads the traders and says what is wrong
		}
		for _, t := range tags {
			out = append(out, caseengine.Choice{Value: number(t.ID), Label: t.Name})
		}
		return out
	}
	return f
}

// askTags opens the form of a trader's tags: those that may be put on, and those that the trader has.
func (s Services) askTags(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(sub.path().String())
	}
	if sub.trader.Guest() {
		return trader.ErrGuest
	}
	all, err := s.Traders.Tags(sub.ctx)
	if err != nil {
		return err
	}
	has, err := s.Traders.TagsOf(sub.ctx, sub.trader.ID)
	if err != nil {
		return err
	}
	v := tradeview.TagForm{
		None: sub.t("trader.tags.none"),
		Frame: ui.DialogView{
			ID: "tags", Title: sub.t("trader.tags.title", "id", sub.trader.ID), Note: sub.t("trader.tags.note"), Form: ui.FormView{Post: sub.path("tags"), Swap: ui.SwapNone},
			Act: ui.ButtonView{Label: sub.t("trader.tags.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: sub.t("act.busy")},
		},
	}
	for _, t := range all {
		on := slices.ContainsFunc(has[sub.trader.ID], func(one trader.Tag) bool { return one.ID == t.ID })
		if t.RetiredAt != nil && !on {
			continue
		}
		id := number(t.ID)
		if on { // what the form showed is compared with what it sends, so that tags put on meanwhile stay
			v.Frame.Form.Hidden = append(v.Frame.Form.Hidden, ui.Hidden{Name: "was", Value: id})
		}
		v.Tags = append(v.Tags, ui.CheckView{Name: "tag", ID: "tag-" + id, Value: id, Label: t.Name, Checked: on})
	}
	if len(v.Tags) == 0 {
		v.Frame.Act = ui.ButtonView{}
	}
	return r.Show(tradeview.TagDialog(v))
}

// setTags puts on the tags that were ticked, and takes off those that no longer are.
func (s Services) setTags(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	ticked, was := tagIDs(r.PostFormValues("tag")), tagIDs(r.PostFormValues("was"))
	if err := s.Traders.SetTags(sub.ctx, r.Actor(), sub.trader.ID, without(ticked, was), without(was, ticked)); err != nil {
		return err
	}
	return r.RedirectTo(sub.path().String())
}

// tagIDs reads the ids of tags; other text is left out.
func tagIDs(texts []string) (ids []int64) {
	for _, text := range texts[:min(len(texts), trader.MaxTags)] {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// without are the ids that are not among others.
func without(ids, others []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(others, id) })
}
