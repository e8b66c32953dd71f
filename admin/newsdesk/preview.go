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

// draft is what the preview shows of an item, in the language that its readers get. The script of the preview (customer-web/src/preview) reads it.
type draft struct {
	ID        int64  `json:"id"`
	Revision  int    `json:"revision"`
	Kind      string `json:"kind"`
	Key       string `json:"key"`
	Locale    string `json:"locale"` // of the text
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	Body      string `json:"body"` // HTML cleaned by notice.Clean
	Image     string `json:"image"`
	Alt       string `json:"alt"`
	Category  string `json:"category"`
	Placement string `json:"placement"`
	Severity  string `json:"severity"`
	Link      string `json:"link"`
	Source    string `json:"source"`
	Frequency string `json:"frequency"`
	Sticky    bool   `json:"sticky"`
	MustAck   bool   `json:"mustAck"`
	Time      int64  `json:"time"` // ms
}

// previewed is the answer to the page of an item: the draft, and a note where readers of the language don't get its text.
type previewed struct {
	Language string `json:"language"` // of the reader
	Note     string `json:"note"`
	Draft    draft  `json:"draft"`
}

// preview answers with the form as its readers would get it. It stores nothing.
func (s Services) preview(r *desk.Request) error {
	whole, options, err := s.wanted(r)
	if err != nil {
		return err
	}
	f, out, shown := formOf(r, whole, options.locale), previewed{Language: options.locale}, options.locale
	switch {
	case r.PostFormValue("title")+r.PostFormValue("summary")+r.PostFormValue("body") != "":
		f = posted(r, f)
	case whole.Shown(options.locale) == "":
		f, out.Note = posted(r, f), word(r, "content.preview.empty")
	case whole.Shown(options.locale) != options.locale:
		shown = whole.Shown(options.locale)
		text := whole.Text(shown)
		f = posted(r, f)
		f.title, f.summary, f.body, f.alt = text.Title, text.Summary, text.Body, text.Alt
		out.Note = word(r, "content.preview.fallback", "language", names[options.locale], "other", names[shown])
	}
	out.Draft = draft{
		ID: whole.Item.ID, Revision: whole.Newest.Number, Kind: string(whole.Item.Kind), Locale: shown, Title: f.title, Summary: f.summary, Body: notice.Clean(f.body),
		Image: imagePath(whole.Newest.Image).String(), Alt: f.alt, Category: f.category, Placement: f.placement, Severity: f.severity, Link: f.link, Source: f.source,
		Frequency: f.frequency, Sticky: f.sticky, MustAck: f.mustAck, Time: r.Now().UnixMilli(),
	}
	if whole.Item.Key != nil {
		out.Draft.Key = *whole.Item.Key
	}
	return r.JSON(http.StatusOK, out)
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
