package newsdesk

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"candor/admin/desk"
	"candor/app/notice"
	"candor/templates/newsview"
	"candor/templates/ui"
)

// App is the trader app, which the preview shows in frames.
type App struct {
	Calls   http.Handler              // answers the app's calls
	Policy  func(nonce string) string // the content security policy of its pages, in a frame of ours
	SignKey string                    // the app signs its calls with it
}

// framePath is the address of the trader app in a frame of the preview, and the beginning of the addresses of its calls.
var framePath = ui.To("/admin/content-preview")

// preview answers with the form as its readers would get it, and with a note where that is not the text of their language. It stores nothing.
func (s Services) preview(r *desk.Request) error {
	whole, options, err := s.wanted(r)
	if err != nil {
		return err
	}
	f, shown, note := posted(r, formOf(r, whole, options.locale)), whole.Shown(options.locale), ""
	switch {
	case f.title+f.summary+f.body != "":
		shown = options.locale
	case shown == "":
		shown, note = options.locale, word(r, "content.preview.empty")
	case shown != options.locale:
		note = word(r, "content.preview.fallback", "language", names[options.locale], "other", names[shown])
		fallthrough
	default:
		text := whole.Text(shown)
		f.title, f.summary, f.body, f.alt = text.Title, text.Summary, text.Body, text.Alt
	}
	return r.JSON(http.StatusOK, map[string]any{"language": options.locale, "note": note, "draft": draft(r, whole, f, shown)})
}

// draft is what the preview shows of an item, with the text of a language. The script of the preview (customer-web/src/preview/draft.ts) has its type.
func draft(r *desk.Request, w notice.ItemDetails, f form, locale string) map[string]any {
	key := ""
	if w.Item.Key != nil {
		key = *w.Item.Key
	}
	return map[string]any{
		"id": w.Item.ID, "revision": w.Newest.Number, "kind": w.Item.Kind, "key": key, "locale": locale, "title": f.title, "summary": f.summary, "body": notice.Clean(f.body),
		"image": imagePath(w.Newest.Image).String(), "alt": f.alt, "category": f.category, "placement": f.placement, "severity": f.severity, "link": f.link, "source": f.source,
		"frequency": f.frequency, "sticky": f.sticky, "mustAck": f.mustAck, "time": r.Now().UnixMilli(),
	}
}

// frame answers with the trader app in the mode of the preview. It contains no draft: the page around it sends what it shows.
func (s Services) frame(r *desk.Request) error {
	r.Framed(s.App.Policy(templ.GetNonce(ctxOf(r))))
	return r.Show(newsview.Frame(s.App.SignKey, viewOptions{theme: r.QueryParam("theme")}.tidy().theme))
}

// call answers a call of the trader app in the preview: what any visitor may read, and nothing else.
func (s Services) call(r *desk.Request) error {
	request := r.Request().Clone(ctxOf(r))
	request.URL.Path = strings.TrimPrefix(request.URL.Path, framePath.String())
	request.URL.RawPath, request.RequestURI = "", request.URL.RequestURI()
	for _, name := range []string{echo.HeaderCookie, echo.HeaderAuthorization, "apptoken"} {
		request.Header.Del(name)
	}
	s.App.Calls.ServeHTTP(r.Response(), request)
	return nil
}
