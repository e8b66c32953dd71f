// Package desk is the frame of the back office: routes that name their permission, the request with its member of staff, and how a page is answered.
package desk

import (
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"candor/admin/access"
	"candor/app/audit"
)

// Route is one power of the back office. The routing table reads as the list of powers; there is no route without a permission.
type Route struct {
	Method     string
	Path       string // below /admin, for example "/deposits/:id/approval"
	Permission access.Permission
	Handle     func(*Request) error
}

// Member is the member of staff behind a request.
type Member struct {
	ID    int64
	Name  string
	Email string
	Roles []access.Role
}

// Request is a request of a member of staff who may make it.
type Request struct {
	*echo.Context
	Member  Member
	TraceID string
	frame   *Frame
}

// Actor is the member of staff as the audit log knows one.
func (r *Request) Actor() audit.Actor {
	return audit.Actor{Kind: audit.Staff, ID: r.Member.ID, Name: r.Member.Name, IP: r.RealIP(), TraceID: r.TraceID}
}

// May tells whether the member holds a permission, to show or lock what it opens.
func (r *Request) May(p access.Permission) bool { return r.frame.allowed(r.Member.ID, p) }

// Partial tells whether htmx asks for a part of a page.
func (r *Request) Partial() bool { return r.Context.Request().Header.Get("HX-Request") == "true" }

// Show answers with a component.
func (r *Request) Show(c templ.Component) error { return r.ShowStatus(http.StatusOK, c) }

// ShowStatus answers with a component and a status.
func (r *Request) ShowStatus(status int, c templ.Component) error {
	response := r.Response()
	response.Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	response.WriteHeader(status)
	return c.Render(r.Context.Request().Context(), response)
}
