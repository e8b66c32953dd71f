// Package newsdesk edits the texts that traders read, in every language: editors write, a second person approves, publishers take down.
package newsdesk

import (
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/notice"
	"candor/app/platform/i18n"
	"candor/app/platform/upload"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Notices *notice.Service
	Uploads *upload.Intake
	Audit   *audit.Log
	App     App
}

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	routes := append(s.list().Routes(), []desk.Route{
		{Method: http.MethodGet, Path: "/content-order/:kind", Permission: access.ContentPublish, Handle: s.ordering},
		{Method: http.MethodGet, Path: "/content-translations/new", Permission: access.ContentView, Handle: s.askExport},
		{Method: http.MethodGet, Path: "/content-translations", Permission: access.ContentView, Handle: s.export},
		{Method: http.MethodGet, Path: "/content-translations/import", Permission: access.ContentEdit, Handle: s.askImport},
		{Method: http.MethodPost, Path: "/content-translations/check", Permission: access.ContentEdit, Uploads: true, Handle: s.checkImport},
		{Method: http.MethodPost, Path: "/content-translations", Permission: access.ContentEdit, Uploads: true, Handle: s.importTexts},
		{Method: http.MethodGet, Path: "/new-content", Permission: access.ContentEdit, Handle: s.askNew},
		{Method: http.MethodPost, Path: "/content", Permission: access.ContentEdit, Handle: s.create},
		{Method: http.MethodGet, Path: "/content/:id", Permission: access.ContentView, Handle: s.item},
		{Method: http.MethodPost, Path: "/content/:id/text", Permission: access.ContentEdit, Handle: s.save},
		{Method: http.MethodGet, Path: "/content/:id/source", Permission: access.ContentView, Handle: s.otherSource},
		{Method: http.MethodPost, Path: "/content/:id/preview", Permission: access.ContentView, Handle: s.preview},
		{Method: http.MethodPost, Path: "/content/:id/picture", Permission: access.ContentEdit, Uploads: true, Handle: s.uploadPicture},
		{Method: http.MethodPost, Path: "/content/:id/picture/removal", Permission: access.ContentEdit, Handle: s.removePicture},
		{Method: http.MethodGet, Path: "/content/:id/revisions/:number", Permission: access.ContentView, Handle: s.compare},
		{Method: http.MethodPost, Path: "/content/:id/revisions/:number/restoration", Permission: access.ContentEdit, Handle: s.restore},
		{Method: http.MethodPost, Path: "/content/:id/place", Permission: access.ContentPublish, Handle: s.moveTo},
		{Method: http.MethodGet, Path: "/content-preview", Permission: access.ContentView, Quiet: true, Handle: s.frame},
		{Method: http.MethodGet, Path: "/content-preview/client/:area/:call", Permission: access.ContentView, Quiet: true, Handle: s.call},
		{Method: http.MethodGet, Path: "/content-images/:name", Permission: access.ContentView, Handle: s.picture},
	}...)
	for _, o := range decisions {
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: "/content/:id/" + o.path, Permission: o.permission, Handle: s.askDecision(o)},
			desk.Route{Method: http.MethodPost, Path: "/content/:id/" + o.path, Permission: o.permission, Handle: s.decide(o)},
		)
	}
	return routes
}

// home is the address of the list.
var home = ui.To("/admin/content")

// Target is how long an item may wait for its second person.
const Target = 24 * time.Hour

// Waiting reads the queue of the navigation item; desk.Config.Counts takes it.
func Waiting(s *notice.Service) func(context.Context) (desk.Waiting, error) {
	return func(ctx context.Context) (desk.Waiting, error) {
		n, oldest, err := s.CountWaiting(ctx)
		return desk.Waiting{Count: n, Oldest: oldest, Target: Target}, err
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

func word(r *desk.Request, key string, pairs ...any) string { return i18n.T(ctxOf(r), key, pairs...) }

func at(r *desk.Request, moment time.Time) string { return r.Moment(moment) }

func path(id int64) ui.Path { return ui.To("/admin/content/{}", id) }

// imagePath is the desk's address of a picture; empty without one.
func imagePath(hash []byte) ui.Path {
	if len(hash) == 0 {
		return ui.Path{}
	}
	return ui.To("/admin/content-images/{}", hex.EncodeToString(hash))
}

// names are the names of the languages, each in its own language.
var names = map[string]string{
	"en": "English", "zh_CN": "简体中文", "zh_tw": "繁體中文", "ko": "한국어", "ja": "日本語", "de": "Deutsch", "ru": "Русский", "th": "ไทย", "ar": "العربية", "pt": "Português",
	"fr": "Français", "es": "Español", "tr": "Türkçe", "hi": "हिन्दी", "kk": "Қазақша", "ms": "Melayu", "id": "Indonesia", "ur": "اردو", "vn": "Tiếng Việt", "mn": "Монгол",
	"uz": "Oʻzbekcha", "cs": "Čeština", "nl": "Nederlands", "it": "Italiano", "pl": "Polski", "ka": "ქართული",
}

// tags are the languages' HTML tags, where they differ from our codes.
var tags = map[string]string{"zh_CN": "zh-Hans", "zh_tw": "zh-Hant", "vn": "vi"}

func tag(locale string) string {
	if word, other := tags[locale]; other {
		return word
	}
	return locale
}

func direction(locale string) string {
	if notice.RightToLeft(locale) {
		return "rtl"
	}
	return "ltr"
}

var looks = map[notice.State]ui.ChipView{
	notice.Drafted:     {Icon: ui.IconEdit},
	notice.InReview:    {Tone: ui.ToneAccent, Icon: ui.IconPeople},
	notice.Scheduled:   {Tone: ui.ToneInfo, Icon: ui.IconCalendar},
	notice.Live:        {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	notice.Expired:     {Icon: ui.IconClock},
	notice.Unpublished: {Tone: ui.ToneWarning, Icon: ui.IconPause},
	notice.Replaced:    {Icon: ui.IconUndo},
	notice.Archived:    {Icon: ui.IconClose},
}

func stateChip(r *desk.Request, state notice.State) ui.ChipView {
	chip := looks[state]
	chip.Label = word(r, "content.state."+string(state))
	return chip
}

// window says when an item is shown.
func window(r *desk.Request, set notice.Settings) string {
	if set.StartsAt == nil && set.EndsAt == nil {
		return word(r, "content.always")
	}
	from, until := word(r, "content.from_now"), word(r, "content.until_taken")
	if set.StartsAt != nil {
		from = at(r, *set.StartsAt)
	}
	if set.EndsAt != nil {
		until = at(r, *set.EndsAt)
	}
	return word(r, "content.window", "from", from, "until", until)
}
