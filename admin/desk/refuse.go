package desk

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/templates/layout"
	"candor/templates/ui"
)

// refusalHeader marks an answer as a refusal: the script shows it where errors go, not at the target of the answer.
const refusalHeader = "Desk-Refusal"

var (
	errDenied   = errs.New(errs.Forbidden, "denied")   // none of the member's roles has the permission
	errCrossing = errs.New(errs.Forbidden, "crossing") // a write from another site
)

// statuses maps the kinds of refusals to answers, once.
var statuses = map[errs.Kind]int{
	errs.Invalid: http.StatusUnprocessableEntity, errs.Refused: http.StatusUnprocessableEntity, errs.NotFound: http.StatusNotFound,
	errs.Forbidden: http.StatusForbidden, errs.Unauthenticated: http.StatusUnauthorized, errs.Conflict: http.StatusConflict,
	errs.TooMany: http.StatusTooManyRequests, errs.Unavailable: http.StatusServiceUnavailable,
}

// Fail answers every error: refusals in words, everything else as a general message with the trace id, logged once.
func (f *Frame) Fail(v *Visitor, err error) error {
	refusal := errs.As(err)
	ctx := v.Request().Context()
	var tooLarge *http.MaxBytesError
	switch {
	case ctx.Err() != nil && (errors.Is(err, context.Canceled) || db.IsDown(err)):
		return nil //nolint:nilerr // the client has gone
	case errors.As(err, &tooLarge):
		return f.say(v, http.StatusRequestEntityTooLarge, errs.New(errs.Invalid, "too_large"))
	case errors.Is(err, staff.ErrWrongCodes):
		return redirectSignedOut(v, WrongCodesPath)
	case errors.Is(err, staff.ErrMoved):
		return redirectSignedOut(v, MovedPath)
	case errors.Is(err, staff.ErrSignedOut):
		return f.toSignIn(v)
	case refusal == nil && db.IsMalformed(err):
		slog.WarnContext(ctx, "a request of the back office brought what no column holds", "trace", v.TraceID, "route", v.Path(), "error", err)
		return f.say(v, http.StatusBadRequest, errs.New(errs.Invalid, "invalid_input"))
	case refusal == nil && db.IsBusy(err):
		slog.WarnContext(ctx, "a request of the back office waited too long", "trace", v.TraceID, "route", v.Path(), "error", err)
		return f.say(v, http.StatusServiceUnavailable, db.ErrBusy)
	case refusal == nil && db.IsDown(err):
		slog.ErrorContext(ctx, "the database can't be reached", "trace", v.TraceID, "error", err)
		return f.say(v, http.StatusServiceUnavailable, errs.New(errs.Unavailable, "unavailable"))
	case refusal == nil:
		slog.ErrorContext(ctx, "a request of the back office failed", "trace", v.TraceID, "method", v.Request().Method, "route", v.Path(), "error", err)
		return f.say(v, http.StatusInternalServerError, errs.New(0, "internal").With("trace", v.TraceID))
	case refusal.Kind == errs.Forbidden:
		f.recordDenial(v, refusal)
	}
	return f.say(v, statuses[refusal.Kind], refusal)
}

// toSignIn sends a visitor to the sign-in page; after the request of a page, it leads back there.
func (f *Frame) toSignIn(v *Visitor) error {
	if partial(v.Context) || v.Request().Method != http.MethodGet {
		return redirectSignedOut(v, SignInPath(""))
	}
	return v.Redirect(http.StatusSeeOther, SignInPath(v.Request().URL.RequestURI()))
}

func redirectSignedOut(v *Visitor, path string) error {
	if partial(v.Context) {
		v.Response().Header().Set("HX-Redirect", path)
		return v.NoContent(http.StatusUnauthorized)
	}
	return v.Redirect(http.StatusSeeOther, path)
}

// say answers a refusal: a fragment for htmx, otherwise a page.
func (f *Frame) say(v *Visitor, status int, refusal *errs.Error) error {
	ctx := v.Request().Context()
	problem := layout.ProblemView{
		Title: i18n.T(ctx, problemKey(status)), Text: refusalText(ctx, refusal), Trace: v.TraceID, Locked: status == http.StatusForbidden,
		Home: ui.To(Root), HomeText: i18n.T(ctx, "problem.home"),
	}
	if partial(v.Context) {
		if status == http.StatusConflict {
			problem.Again = currentPage(v)
		}
		v.Response().Header().Set(refusalHeader, "true")
		return show(v.Context, status, layout.Refusal(problem))
	}
	if v.member == nil || status >= http.StatusInternalServerError {
		return show(v.Context, status, layout.BareProblem(v.Bare(problem.Title), problem))
	}
	return show(v.Context, status, layout.Problem(f.Page(v.member, problem.Title, ""), problem))
}

// currentPage is the requesting page, without its list filters; empty when it is not ours.
func currentPage(v *Visitor) ui.Path {
	page, err := url.Parse(v.Request().Header.Get("HX-Current-URL"))
	if err != nil || !strings.HasPrefix(page.Path, Root) || !clean(page.Path) {
		return ui.Path{}
	}
	return ui.To(page.Path)
}

func problemKey(status int) string {
	switch status {
	case http.StatusNotFound:
		return "problem.not_found"
	case http.StatusForbidden:
		return "problem.forbidden"
	case http.StatusConflict:
		return "problem.changed"
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return "problem.later"
	case http.StatusInternalServerError:
		return "problem.internal"
	default:
		return "problem.refused"
	}
}

// refusalText is the text of a refusal: that of its key, with those of its fields.
func refusalText(ctx context.Context, err error) string {
	refusal := errs.As(err)
	if refusal == nil {
		return i18n.T(ctx, "error.internal")
	}
	pairs := make([]any, 0, 2*len(refusal.Args))
	for name, value := range refusal.Args {
		pairs = append(pairs, name, argument(ctx, name, value))
	}
	text := i18n.T(ctx, "error."+refusal.Key, pairs...)
	if text == "error."+refusal.Key {
		text = i18n.T(ctx, "error.internal")
	}
	fields := make([]string, 0, len(refusal.Fields))
	for _, key := range refusal.Fields {
		fields = append(fields, key)
	}
	slices.Sort(fields)
	for _, key := range slices.Compact(fields) {
		text += " " + i18n.T(ctx, key)
	}
	return text
}

// FieldTexts are the texts of a refusal beside its fields, by field; nil for any other error.
func (r *Request) FieldTexts(err error) map[string]string {
	refusal := errs.As(err)
	if refusal == nil || len(refusal.Fields) == 0 {
		return nil
	}
	texts := map[string]string{}
	for field, key := range refusal.Fields {
		texts[field] = r.Word(key)
	}
	return texts
}

// argument translates the codes in a refusal's arguments.
func argument(ctx context.Context, name, value string) string {
	if name == "other" || name == "role" {
		return i18n.T(ctx, "role."+value)
	}
	return value
}

// denial is a refusal as JSON for the audit log: its key and arguments.
func denial(reason error) string {
	refusal := errs.As(reason)
	if refusal == nil {
		return ""
	}
	facts := map[string]string{"reason": refusal.Key}
	for name, value := range refusal.Args {
		facts[name] = value
	}
	raw, _ := json.Marshal(facts)
	return string(raw)
}

// sessionBroken answers when a session could not be read or stored.
func sessionBroken(w http.ResponseWriter, r *http.Request, err error) {
	slog.ErrorContext(r.Context(), "the session store failed", "error", err)
	http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
}
