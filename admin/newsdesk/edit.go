package newsdesk

import (
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/app/platform/upload"
	"candor/templates/newsview"
	"candor/templates/ui"
)

const momentLayout = "2006-01-02T15:04" // of the browser's datetime field

// form is an item as typed: its text in one language, and its settings.
type form struct {
	title, summary, body, alt               string
	category, placement, severity, audience string
	countries, languages, platforms         string
	starts, ends                            string
	link, source, frequency                 string
	sticky, mustAck                         bool
}

// formOf is the stored item in a language.
func formOf(r *desk.Request, w notice.ItemDetails, locale string) form {
	text, n := w.Text(locale), w.Newest
	return form{
		title: text.Title, summary: text.Summary, body: notice.ToTyped(text.Body), alt: text.Alt,
		category: n.Category, placement: n.Placement, severity: n.Severity, audience: n.Audience, countries: strings.Join(n.Countries, ","),
		languages: strings.Join(n.Languages, ","), platforms: strings.Join(n.Platforms, ", "), starts: typed(r, n.StartsAt), ends: typed(r, n.EndsAt), link: n.Link, source: n.Source, frequency: n.Frequency,
		sticky: n.Sticky, mustAck: n.MustAck,
	}
}

func typed(r *desk.Request, moment *time.Time) string {
	if moment == nil {
		return ""
	}
	return moment.In(r.Zone()).Format(momentLayout)
}

// posted is the posted form. Fields that the item's kind lacks keep their values.
func posted(r *desk.Request, before form) form {
	f := form{
		title: r.PostFormValue("title"), summary: r.PostFormValue("summary"), body: unix(r.PostFormValue("body")), alt: r.PostFormValue("alt"),
		category: r.PostFormValue("category"), placement: r.PostFormValue("placement"), severity: r.PostFormValue("severity"), audience: r.PostFormValue("audience"), countries: r.PostFormValue("countries"),
		languages: r.PostFormValue("languages"), platforms: r.PostFormValue("platforms"), starts: r.PostFormValue("starts"), ends: r.PostFormValue("ends"), link: r.PostFormValue("link"), source: r.PostFormValue("source"), frequency: r.PostFormValue("frequency"),
		sticky: r.PostFormValue("sticky") != "", mustAck: r.PostFormValue("must_ack") != "",
	}
	for _, one := range []struct{ now, was *string }{{&f.frequency, &before.frequency}, {&f.category, &before.category}, {&f.placement, &before.placement}, {&f.severity, &before.severity}} {
		if *one.now == "" {
			*one.now = *one.was
		}
	}
	return f
}

// unix converts the line ends of browser forms.
func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func (f form) text(locale string) notice.Text {
	return notice.Text{Locale: locale, Title: f.title, Summary: f.summary, Body: f.body, Alt: f.alt}
}

func (f form) textChanged(before form) bool {
	return f.title != before.title || f.summary != before.summary || f.body != before.body || f.alt != before.alt
}

func (f form) settingsChanged(before form) bool {
	f.title, f.summary, f.body, f.alt = before.title, before.summary, before.body, before.alt
	return f != before
}

// settings are those of the form; a time that was not changed keeps its full precision. Refusals: fields starts and ends.
func (f form) settings(r *desk.Request, before notice.Settings) (set notice.Settings, err error) {
	set = notice.Settings{
		Category: f.category, Placement: f.placement, Severity: f.severity, Audience: f.audience, Countries: strings.Split(f.countries, ","), Languages: strings.Split(f.languages, ","),
		Platforms: strings.Split(f.platforms, ","), StartsAt: before.StartsAt, EndsAt: before.EndsAt, Zone: before.Zone, Sticky: f.sticky, Link: f.link, Source: f.source,
		Frequency: f.frequency, MustAck: f.mustAck,
	}
	for _, one := range []struct {
		field, text string
		at          **time.Time
	}{{"starts", f.starts, &set.StartsAt}, {"ends", f.ends, &set.EndsAt}} {
		if one.text == typed(r, *one.at) {
			continue
		}
		set.Zone = r.Zone().String()
		if *one.at, err = moment(r, one.field, one.text); err != nil {
			return set, err
		}
	}
	return set, nil
}

func moment(r *desk.Request, field, text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	at, err := time.ParseInLocation(momentLayout, text, r.Zone())
	if err != nil {
		return nil, errs.Field(field, "field.choice")
	}
	return &at, nil
}

// fill fills the fields with the form; they are read-only for members who may not write.
func (f form) fill(r *desk.Request, kind notice.Kind, v *newsview.Item, problems map[string]string) {
	may := r.May(access.ContentEdit)
	field := func(name, value string, most int) ui.FieldView {
		return ui.FieldView{Name: name, Label: word(r, "content."+name), Value: value, Error: problems[name], MaxLength: most, ReadOnly: !may}
	}
	choice := func(name, value string, of []string) ui.FieldView {
		view := ui.FieldView{Name: name, Label: word(r, "content."+name), Error: problems[name], Disabled: !may}
		for _, one := range of {
			view.Options = append(view.Options, ui.Option{Value: one, Label: word(r, "content."+name+"."+one), Selected: one == value})
		}
		return view
	}
	v.Head, v.Summary, v.Body, v.Alt = field("title", f.title, notice.MaxTitle), field("summary", f.summary, notice.MaxSummary), field("body", f.body, notice.MaxBody), field("alt", f.alt, notice.MaxAlt)
	v.Summary.Rows, v.Body.Hint = 2, word(r, "content.body.hint")
	v.Category, v.Placement = choice("category", f.category, notice.Categories[kind]), choice("placement", f.placement, notice.Placements[kind])
	v.Severity, v.Audience, v.Frequency = choice("severity", f.severity, notice.Severities), choice("audience", f.audience, notice.Audiences), choice("frequency", f.frequency, notice.Frequencies)
	v.Countries, v.Languages = ui.PickerView{FieldView: field("countries", f.countries, 0)}, ui.PickerView{FieldView: field("languages", f.languages, 0)}
	for _, country := range caseengine.Countries(ctxOf(r)) {
		v.Countries.Options = append(v.Countries.Options, ui.Option{Value: country.Value, Label: country.Label})
	}
	for _, code := range notice.Locales {
		v.Languages.Options = append(v.Languages.Options, ui.Option{Value: code, Label: names[code]})
	}
	v.Countries.Placeholder, v.Languages.Placeholder = word(r, "content.every_country"), word(r, "content.every_language")
	v.Languages.Label = word(r, "content.only_languages")
	v.Platforms = choice("platforms", f.platforms, notice.Platforms)
	v.Platforms.Options = append([]ui.Option{{Label: word(r, "content.every_platform"), Selected: f.platforms == ""}}, v.Platforms.Options...)
	v.Starts, v.Ends = field("starts", f.starts, 0), field("ends", f.ends, 0)
	v.Starts.Type, v.Ends.Type = "datetime-local", "datetime-local"
	v.Link, v.From = field("link", f.link, 0), field("source", f.source, 0)
	v.Link.Hint = word(r, "content.link.hint")
	v.Sticky = ui.CheckView{Name: "sticky", Label: word(r, "content.sticky"), Checked: f.sticky, Disabled: !may}
	v.MustAck = ui.CheckView{Name: "must_ack", Label: word(r, "content.must_ack"), Hint: word(r, "content.must_ack.hint"), Checked: f.mustAck, Disabled: !may}
}

// save stores the changed parts of the text and of the settings.
func (s Services) save(r *desk.Request) error {
	whole, options, err := s.wanted(r)
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	before := formOf(r, whole, options.locale)
	f := posted(r, before)
	set, err := f.settings(r, whole.Newest.Settings)
	var newText *notice.Text
	if f.textChanged(before) {
		newText = new(f.text(options.locale))
	}
	var newSettings *notice.Settings
	if f.settingsChanged(before) {
		newSettings = &set
	}
	flash := ""
	if err == nil && (newText != nil || newSettings != nil) {
		flash = word(r, "content.saved.flash")
		_, err = s.Notices.Edit(ctxOf(r), r.Actor(), whole.Item.ID, version, newText, newSettings)
	}
	if problems := r.FieldTexts(err); problems != nil {
		if whole, err = s.Notices.Get(ctxOf(r), whole.Item.ID); err != nil {
			return err
		}
		return r.ShowStatus(http.StatusUnprocessableEntity, newsview.ItemParts(s.view(r, whole, options, f, problems)))
	}
	if err != nil {
		return err
	}
	if next := r.PostFormValue("next"); slices.Contains(notice.Locales, next) { // the text is kept, and the page goes on in another language
		options.locale = next
		r.Response().Header().Set("HX-Push-Url", options.path(whole.Item.ID).String())
	} else if flash == "" {
		flash = word(r, "content.saved.flash")
	}
	return s.doneIn(r, whole.Item.ID, options, flash)
}

// wanted reads the item in the address, and the language of the form.
func (s Services) wanted(r *desk.Request) (whole notice.ItemDetails, options viewOptions, err error) {
	id, err := r.ID("id")
	if err != nil {
		return whole, options, err
	}
	options = asked(r)
	if locale := r.PostFormValue("locale"); slices.Contains(notice.Locales, locale) {
		options.locale = locale
	}
	whole, err = s.Notices.Get(ctxOf(r), id)
	return whole, options, err
}

// uploadPicture uploads a picture for an item.
func (s Services) uploadPicture(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	form, err := s.Uploads.Form(r.Response(), r.Request(), r.Sender(), upload.Use{Longest: notice.LongestImage})
	if err != nil {
		return err
	}
	version, err := desk.ParseCount(form.Values["version"])
	if err != nil {
		return errs.Field("version", "field.required")
	}
	if _, err := s.Notices.SetImage(ctxOf(r), r.Actor(), id, version, form.Picture); err != nil {
		return err
	}
	return s.done(r, id, word(r, "content.picture.done"))
}

func (s Services) removePicture(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	if _, err := s.Notices.RemoveImage(ctxOf(r), r.Actor(), id, version); err != nil {
		return err
	}
	return s.done(r, id, word(r, "content.picture.removed"))
}

// picture answers staff with a picture, published or not.
func (s Services) picture(r *desk.Request) error {
	hash, err := hex.DecodeString(r.Context.Param("name"))
	if err != nil || len(hash) != 32 {
		return desk.ErrNotFound
	}
	bytes, err := s.Notices.Image(ctxOf(r), hash)
	if errors.Is(err, notice.ErrUnknown) {
		return desk.ErrNotFound
	}
	if err != nil {
		return err
	}
	return r.Blob(http.StatusOK, "image/jpeg", bytes)
}
