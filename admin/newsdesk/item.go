package newsdesk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/notice"
	"candor/templates/newsview"
	"candor/templates/ui"
)

// viewOptions is the view of an item: the language, the theme of the preview, and the language beside it that is translated from.
type viewOptions struct{ locale, theme, source string }

func (s Services) item(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	whole, err := s.Notices.Get(ctxOf(r), id)
	if err != nil {
		return err
	}
	query := r.Context.QueryParams()
	options := viewOptions{locale: query.Get("locale"), theme: query.Get("theme")}
	view := s.view(r, whole, options.tidy(), formOf(r, whole, options.tidy().locale), nil)
	r.Frames() // of the preview
	return r.Show(newsview.ItemPage(r.Page(view.Title, "content"), view))
}

// tidy falls back to the default language and the light theme.
func (options viewOptions) tidy() viewOptions {
	if !slices.Contains(notice.Locales, options.locale) {
		options.locale = notice.Default
	}
	if options.theme != "dark" {
		options.theme = "light"
	}
	return options
}

func (options viewOptions) path(id int64) ui.Path {
	return path(id).With("locale", options.locale).With("theme", options.theme)
}

// asked is the view of the requesting page.
func asked(r *desk.Request) viewOptions {
	query := r.CurrentPage().Query()
	return viewOptions{query.Get("locale"), query.Get("theme"), r.PostFormValue("source")}.tidy()
}

// done answers an act on an item with its current page.
func (s Services) done(r *desk.Request, id int64, flash string) error {
	return s.doneIn(r, id, asked(r), flash)
}

func (s Services) doneIn(r *desk.Request, id int64, options viewOptions, flash string) error {
	whole, err := s.Notices.Get(ctxOf(r), id)
	if err != nil {
		return err
	}
	return r.Show(newsview.Done(s.view(r, whole, options, formOf(r, whole, options.locale), nil), r.Count("content"), flash))
}

// view shows an item with the values of its form, and their errors.
func (s Services) view(r *desk.Request, w notice.ItemDetails, options viewOptions, f form, problems map[string]string) newsview.Item {
	kind, n := w.Item.Kind, w.Newest
	v := newsview.Item{
		Title: w.Text(notice.Default).Title, Number: notice.Number(w.Item.ID), Revision: word(r, "content.revision_n", "n", n.Number), Saved: word(r, "content.saved", "at", at(r, n.ChangedAt)),
		Chips: []ui.ChipView{{Outline: true, Label: word(r, "content.kind."+string(kind))}, stateChip(r, n.Stage())}, Buttons: s.buttons(r, w),
		HasBody: kind != notice.Banner, HasPicture: kind.HasImage(), HasSource: kind == notice.News, IsPopup: kind == notice.Popup, HasSticky: kind.NewestFirst(),
		Source: source(r, w, options), Translating: options.locale != notice.Default,
		Language: names[options.locale], Tag: tag(options.locale), Direction: direction(options.locale), Zone: r.ZoneNote(),
		Picture: picture(r, w, options), Locales: locales(r, w, options), Covered: word(r, "content.coverage", "n", len(w.Texts), "of", len(notice.Locales)),
		Preview: preview(r, w, options), Steps: steps(r, n), Figures: figures(r, w), Revisions: revisions(r, w), Alerts: alerts(r, w),
	}
	if v.Title == "" {
		v.Title = word(r, "content.untitled")
	}
	if live := w.Live(); live != nil && live.Number != n.Number {
		chip := stateChip(r, notice.Live)
		chip.Label = word(r, "content.live_n", "n", live.Number)
		v.Chips = append(v.Chips, chip)
	}
	v.People, v.Who = people(r, n)
	f.fill(r, kind, &v, problems)
	if r.May(access.ContentEdit) {
		v.Save = &ui.ButtonView{Label: word(r, "content.save"), Kind: ui.Primary, Submit: true}
		if n.State != notice.Drafted {
			v.Save.Label = word(r, "content.save."+saveWord(n.State))
		}
	}
	v.Form = ui.FormView{
		ID: "content-form", Post: ui.To("/admin/content/{}/text", w.Item.ID), Target: ui.At("content"), Swap: ui.SwapInside,
		Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(w.Item.Version)}, {Name: "locale", Value: options.locale}, {Name: "next"}},
	}
	if n.State != notice.Drafted {
		v.Leaving = word(r, "content.leaving."+saveWord(n.State))
	}
	return v
}

// source is the text beside the form that is translated from; nil where the default language is written.
func source(r *desk.Request, w notice.ItemDetails, options viewOptions) *newsview.Source {
	from := options.source
	if from == options.locale || w.Text(from).Title == "" {
		from = ""
	}
	view := newsview.Source{Path: ui.To("/admin/content/{}/source", w.Item.ID).With("locale", options.locale)}
	for _, code := range notice.Locales {
		if code == options.locale || w.Text(code).Title == "" {
			continue
		}
		if from == "" {
			from = code
		}
		view.Choices = append(view.Choices, ui.Option{Value: code, Label: names[code], Selected: code == from})
	}
	if from == "" || options.locale == notice.Default && w.Text(notice.Default).Title != "" {
		return nil
	}
	text := w.Text(from)
	view.Tag, view.Direction = tag(from), direction(from)
	for _, part := range []struct{ key, text string }{{"title", text.Title}, {"summary", text.Summary}, {"body", notice.ToTyped(text.Body)}, {"alt", text.Alt}} {
		if part.text != "" {
			view.Parts = append(view.Parts, ui.Fact{Label: word(r, "content."+part.key), Value: part.text})
		}
	}
	return &view
}

// otherSource answers with the text in another language to translate from.
func (s Services) otherSource(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(path(id).String())
	}
	whole, err := s.Notices.Get(ctxOf(r), id)
	if err != nil {
		return err
	}
	view := source(r, whole, viewOptions{locale: r.QueryParam("locale"), source: r.QueryParam("source")}.tidy())
	if view == nil {
		return desk.ErrNotFound
	}
	return r.Show(newsview.SourcePart(*view))
}

// saveWord is the text key for the effect of saving a revision that is no draft.
func saveWord(state notice.State) string {
	if state.UnderWay() {
		return "again" // it goes back to a draft
	}
	return "next" // a new revision
}

func alerts(r *desk.Request, w notice.ItemDetails) (out []ui.AlertView) {
	if title, why := setback(r, w.Newest); why != "" {
		out = append(out, ui.AlertView{Tone: ui.ToneWarning, Title: title, Text: why})
	}
	if w.Text(notice.Default).Title == "" {
		out = append(out, ui.AlertView{Tone: ui.ToneWarning, Text: word(r, "error.content.no_default")})
	}
	if missing := len(notice.Locales) - len(w.Texts); missing > 0 {
		out = append(out, ui.AlertView{Tone: ui.ToneInfo, Text: word(r, "content.fallback", "count", missing)})
	}
	return out
}

// setback is why a submitted revision is a draft again; empty when nobody sent it back and it did not fail at its start.
func setback(r *desk.Request, n notice.Revision) (title, why string) {
	switch {
	case n.State != notice.Drafted || n.Approval == nil:
		return "", ""
	case n.Approval.State == approval.Refused:
		return word(r, "content.sent_back", "name", n.DeciderName), n.Approval.Refusal
	case n.Approval.State == approval.Failed:
		return word(r, "content.failed"), word(r, "error."+n.Approval.Refusal)
	}
	return "", ""
}

// shortCode is a language code in two letters.
func shortCode(locale string) string {
	if locale == "zh_tw" {
		return "tw"
	}
	return locale[:2]
}

// locales is the matrix of languages: which texts exist, and which are older than the default's.
func locales(r *desk.Request, w notice.ItemDetails, options viewOptions) (out []newsview.Locale) {
	for _, code := range notice.Locales {
		text := w.Text(code)
		line := newsview.Locale{
			Code: shortCode(code), Tag: tag(code), Name: names[code], Href: viewOptions{locale: code, theme: options.theme}.path(w.Item.ID), Next: code, Current: code == options.locale,
			Title: newsview.Missing, Text: newsview.Missing, Alt: newsview.Missing, HasAlt: len(w.Newest.Image) > 0,
		}
		present := newsview.Present
		if text.Title != "" && w.Outdated(code) {
			present = newsview.Outdated
		}
		if text.Title != "" {
			line.Title = present
		}
		if text.Body+text.Summary != "" {
			line.Text = present
		}
		if text.Alt != "" {
			line.Alt = present
		}
		switch {
		case code == notice.Default:
			line.Note = word(r, "content.default")
		case text.Title == "" && w.Shown(code) != "":
			line.Note = word(r, "content.falls_back", "language", shortCode(w.Shown(code)))
			line.Meanwhile = word(r, "content.preview.fallback", "language", names[code], "other", names[w.Shown(code)])
		}
		out = append(out, line)
	}
	return out
}

// preview shows an item in the trader app: in which widths, themes and places.
func preview(r *desk.Request, w notice.ItemDetails, options viewOptions) newsview.Preview {
	v := newsview.Preview{
		Path: ui.To("/admin/content/{}/preview", w.Item.ID), Frame: framePath, Theme: options.theme, Directions: names[options.locale] + ", " + strings.ToUpper(direction(options.locale)),
	}
	for _, theme := range []string{"light", "dark"} {
		v.Themes = append(v.Themes, ui.ButtonView{Label: word(r, "content.theme."+theme), Size: ui.Small, Href: viewOptions{locale: options.locale, theme: theme}.path(w.Item.ID).String(), Current: theme == options.theme})
	}
	if w.Item.Kind == notice.Notice || w.Item.Kind == notice.News { // they are listed, and open as articles
		v.Places = []ui.ButtonView{
			{Label: word(r, "content.preview.listed"), Size: ui.Small, Name: "place", Current: true}, {Label: word(r, "content.preview.opened"), Size: ui.Small, Name: "place", Value: "opened"},
		}
	}
	return v
}

func picture(r *desk.Request, w notice.ItemDetails, options viewOptions) newsview.Picture {
	v := newsview.Picture{
		Image: imagePath(w.Newest.Image), Alt: w.Text(options.locale).Alt, Note: word(r, "content.picture.note", "shape", w.Item.Kind.Shape()), May: r.May(access.ContentEdit),
		Field: ui.FieldView{Name: "file", ID: "picture-file", Label: word(r, "content.picture"), HideLabel: true, Accept: "image/jpeg,image/png"},
	}
	form := ui.FormView{
		Post: ui.To("/admin/content/{}/picture", w.Item.ID), Target: ui.At("content"), Swap: ui.SwapInside, Files: true,
		Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(w.Item.Version)}},
	}
	v.Form = form
	if len(w.Newest.Image) > 0 {
		removal := form
		removal.Post, removal.Files = ui.To("/admin/content/{}/picture/removal", w.Item.ID), false
		v.Removal = &removal
	}
	return v
}

// people are the two people of a revision, and a note about the second.
func people(r *desk.Request, n notice.Revision) ([]ui.Person, string) {
	wrote := author(r, n.AuthorName)
	first := ui.Person{State: ui.PersonApproved, Initials: desk.Initials(wrote), Words: word(r, "content.wrote", "name", wrote)}
	second := ui.Person{State: ui.PersonOpen, Words: word(r, "content.second")}
	switch {
	case n.State != notice.Drafted && n.Approval != nil && n.Approval.SecondBy != nil:
		second = ui.Person{State: ui.PersonApproved, Initials: desk.Initials(n.DeciderName), Words: word(r, "content.agreed", "name", n.DeciderName)}
	case n.TookPart(r.Member.ID):
		second = ui.Person{State: ui.PersonLocked, Words: word(r, "content.second.mine")}
	case n.Stage() == notice.InReview && r.May(access.ContentPublish):
		second = ui.Person{State: ui.PersonYou, Words: word(r, "content.second.you")}
	}
	return []ui.Person{first, second}, second.Words
}

// steps are the states of a revision so far, and the next ones.
func steps(r *desk.Request, n notice.Revision) (out []ui.StepView) {
	when := func(moment *time.Time) string {
		if moment == nil {
			return ""
		}
		return at(r, *moment)
	}
	order := []notice.State{notice.Drafted, notice.InReview, notice.Scheduled, notice.Live}
	times := map[notice.State]string{notice.Drafted: at(r, n.CreatedAt), notice.Scheduled: when(n.StartsAt), notice.Live: when(n.LiveAt)}
	if n.Approval != nil && n.State != notice.Drafted {
		times[notice.InReview] = at(r, n.Approval.RequestedAt)
	}
	stage := n.Stage()
	if !slices.Contains(order, stage) {
		order = append(order, stage)
		times[stage] = when(n.EndedAt)
	}
	reached := slices.Index(order, stage)
	for i, state := range order {
		step := ui.StepView{State: ui.StepTodo, Text: word(r, "content.step."+string(state)), Time: times[state]}
		switch {
		case i == reached:
			step.State = ui.StepNow
		case i < reached:
			step.State = ui.StepDone
		}
		out = append(out, step)
	}
	return out
}

func figures(r *desk.Request, w notice.ItemDetails) []ui.StatView {
	figure := func(key string, n int64) ui.StatView {
		return ui.StatView{Label: word(r, key), Value: ui.Decimal(strconv.FormatInt(n, 10))}
	}
	out := []ui.StatView{figure("content.seen", w.Seen), figure("content.clicks", w.Clicks)}
	if w.Item.Kind == notice.Popup {
		acked := figure("content.acked", w.Acked)
		if w.Item.ToldFrom > 1 {
			acked.Label = word(r, "content.acked_since", "n", w.Item.ToldFrom)
		}
		out = append(out, acked)
	}
	if w.Item.Kind == notice.FAQ {
		out = append(out, figure("content.helped", w.Helped), figure("content.not_helped", w.NotHelped))
	}
	return out
}

func revisions(r *desk.Request, w notice.ItemDetails) (out []newsview.Revision) {
	for _, one := range w.Revisions {
		line := newsview.Revision{
			Number: strconv.Itoa(one.Number), When: at(r, one.ChangedAt), People: author(r, one.AuthorName), Reason: one.Reason, Chip: stateChip(r, one.Stage()),
			Compare: ui.ButtonView{Label: word(r, "content.compare"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To("/admin/content/{}/revisions/{}", w.Item.ID, one.Number))},
		}
		if _, why := setback(r, one); why != "" {
			line.Reason = why
		}
		if one.DeciderName != "" {
			line.People = word(r, "content.people.two", "author", line.People, "decider", one.DeciderName)
		}
		if one.Number != w.Newest.Number && !w.Newest.State.UnderWay() && r.May(access.ContentEdit) {
			line.Restore = &ui.FormView{
				Post: ui.To("/admin/content/{}/revisions/{}/restoration", w.Item.ID, one.Number), Target: ui.At("content"), Swap: ui.SwapInside,
				Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(w.Item.Version)}},
			}
		}
		out = append(out, line)
	}
	return out
}

// buttons are the acts that the member may do.
func (s Services) buttons(r *desk.Request, w notice.ItemDetails) (out []ui.ButtonView) {
	if len(w.Texts) > 0 {
		out = append(out, ui.ButtonView{Label: word(r, "content.export"), Size: ui.Small, HX: ui.OpenDialog(ui.To("/admin/content-translations/new").With("item", w.Item.ID))})
	}
	for _, o := range decisions {
		if !o.offered(r, w) {
			continue
		}
		b := ui.ButtonView{Label: word(r, "content."+o.name), Kind: o.kind, Size: ui.Small, HX: ui.OpenDialog(o.address(w.Item.ID))}
		if err := w.Ready(r.Now()); err != nil && o.publishes() {
			b.HX, b.Kind, b.Locked, b.Why = ui.HX{}, ui.Plain, true, r.Text(err)
		}
		out = append(out, b)
	}
	return out
}

// compare shows the differences of a revision from the one before.
func (s Services) compare(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	n, err := r.ID("number")
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(path(id).String())
	}
	parts, err := s.difference(r, id, int(n), int(n)-1)
	if err != nil {
		return err
	}
	return r.Dialog(200, newsview.CompareDialog(ui.DialogView{
		Title: word(r, "content.compare.title", "number", notice.Number(id), "n", n), Note: word(r, "content.compare.note"), Cancel: word(r, "ui.close"),
	}, newsview.Compare{Parts: parts}))
}

// restore copies a revision into the next draft.
func (s Services) restore(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	n, err := r.ID("number")
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	if _, err := s.Notices.Restore(ctxOf(r), r.Actor(), id, version, int(n)); err != nil {
		return err
	}
	return s.done(r, id, word(r, "content.restore.done", "n", n))
}

// difference lists the differences between two revisions; before the first, all is empty.
func (s Services) difference(r *desk.Request, id int64, number, before int) (parts []newsview.Part, err error) {
	now, texts, err := s.Notices.Revision(ctxOf(r), id, number)
	if err != nil {
		return nil, err
	}
	var was notice.Revision
	var old []notice.Variant
	if before > 0 {
		if was, old, err = s.Notices.Revision(ctxOf(r), id, before); err != nil {
			return nil, err
		}
	}
	if changes := changed(settingLines(r, was), settingLines(r, now)); len(changes) > 0 {
		parts = append(parts, newsview.Part{Title: word(r, "content.settings"), Tag: "en", Diff: ui.DiffView{Changes: changes}})
	}
	for _, locale := range notice.Locales {
		if changes := changed(textLines(r, old, locale), textLines(r, texts, locale)); len(changes) > 0 {
			parts = append(parts, newsview.Part{Title: names[locale], Tag: tag(locale), Diff: ui.DiffView{Changes: changes}})
		}
	}
	return parts, nil
}

// line is a field with its text.
type line struct{ field, value string }

// changed lists the lines that differ.
func changed(before, after []line) (out []ui.FieldDiff) {
	for i, now := range after {
		if before[i].value != now.value {
			out = append(out, ui.FieldDiff{Field: now.field, Before: before[i].value, After: now.value})
		}
	}
	return out
}

func settingLines(r *desk.Request, n notice.Revision) []line {
	named := func(group, value string) string {
		if value == "" {
			return ""
		}
		return word(r, "content."+group+"."+value)
	}
	shown := ""
	if n.ID != 0 {
		shown = window(r, n.Settings)
	}
	return []line{
		{word(r, "content.category"), named("category", n.Category)}, {word(r, "content.placement"), named("placement", n.Placement)},
		{word(r, "content.severity"), named("severity", n.Severity)}, {word(r, "content.audience"), named("audience", n.Audience)},
		{word(r, "content.countries"), strings.Join(countryNames(r, n.Countries), ", ")}, {word(r, "content.only_languages"), strings.Join(languageNames(n.Languages), ", ")},
		{word(r, "content.platforms"), named("platforms", strings.Join(n.Platforms, ", "))}, {word(r, "content.shown"), shown},
		{word(r, "content.link"), n.Link}, {word(r, "content.source"), n.Source}, {word(r, "content.sticky"), yes(r, n.Sticky)},
		{word(r, "content.frequency"), named("frequency", n.Frequency)}, {word(r, "content.must_ack"), yes(r, n.MustAck)}, {word(r, "content.picture"), short(n.Image)},
	}
}

func yes(r *desk.Request, on bool) string {
	if !on {
		return ""
	}
	return word(r, "content.yes")
}

func short(hash []byte) string {
	if len(hash) == 0 {
		return ""
	}
	return fmt.Sprintf("%x", hash[:6])
}

func textLines(r *desk.Request, texts []notice.Variant, locale string) []line {
	text := notice.Variant{}
	for _, v := range texts {
		if v.Locale == locale {
			text = v
		}
	}
	return []line{{word(r, "content.title"), text.Title}, {word(r, "content.summary"), text.Summary}, {word(r, "content.body"), text.Body}, {word(r, "content.alt"), text.Alt}}
}
