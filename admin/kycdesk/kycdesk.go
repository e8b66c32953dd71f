// Package kycdesk is where staff compare papers with what a trader typed and with a face: a queue, one case in three panes, and decisions that take one
// person or two.
package kycdesk

import (
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/app/trader"
)

// Services are what the desk works with.
type Services struct {
	Identities *kyc.Service
	Traders    *trader.Service
	Staff      *staff.Service
	Audit      *audit.Log
	Texts      *i18n.Catalogue // of the trader app: what a trader will read
	// Tag makes keyed hashes that nobody else can make: of the rights to look at a picture.
	Tag func(purpose string, text []byte) ([]byte, error)
}

// Routes are the powers of the desk. Who may decide at which step is asked again with the case in hand.
func Routes(s Services) []desk.Route {
	cases := s.cases()
	list := []desk.Route{
		{Method: http.MethodGet, Path: "/identity", Permission: access.IdentityView, Handle: s.queue},
		{Method: http.MethodGet, Path: "/identity/file", Permission: access.IdentityExport, Handle: s.file},
		{Method: http.MethodGet, Path: "/identity/:id", Permission: access.IdentityView, Handle: s.detail},
		{Method: http.MethodGet, Path: "/identity/:id/window", Permission: access.IdentityDecide, Handle: s.window},
		{Method: http.MethodPost, Path: "/identity/:id/claim", Permission: access.IdentityDecide, Handle: cases.Take},
		{Method: http.MethodDelete, Path: "/identity/:id/claim", Permission: access.IdentityDecide, Handle: cases.Free},
		{Method: http.MethodGet, Path: "/identity/:id/reason-preview", Permission: access.IdentityDecide, Handle: s.reasonPreview},
		{Method: http.MethodPost, Path: "/identity/:id/marks/:field", Permission: access.IdentityDecide, Handle: s.mark},
		{Method: http.MethodPost, Path: "/identity/:id/pictures/:document", Permission: access.IdentityDecide, Handle: s.judge},
		{Method: http.MethodGet, Path: "/identity/:id/pictures/:document/refusal", Permission: access.IdentityDecide, Handle: s.openRefusal},
		{Method: http.MethodGet, Path: "/identity/:id/pictures/:document/:right", Permission: access.IdentityDecide, Handle: s.picture},
	}
	for _, one := range s.decisions() {
		path := "/identity/:id/" + one.Noun
		list = append(list,
			desk.Route{Method: http.MethodGet, Path: path, Permission: one.permission, Handle: cases.Open(one.Decision)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: one.permission, Handle: cases.Decide(one.Decision)},
		)
	}
	return list
}

// place is the desk's item of the navigation.
const place = "identity"

func by(r *desk.Request) kyc.Desk { return kyc.Desk{Actor: r.Actor()} }

// cases is how the desk reads, claims and answers.
func (s Services) cases() caseengine.Desk[caseContext] {
	return caseengine.Desk[caseContext]{
		Audit: s.Audit, Read: s.read, State: kyc.ErrState, Changed: kyc.ErrChanged, Looked: looked, Answers: pages{s},
		Claim: func(r *desk.Request, cc caseContext) error {
			_, err := s.Identities.Claim(cc.Ctx, by(r), cc.ID)
			return err
		},
		Release: func(r *desk.Request, cc caseContext) error {
			_, err := s.Identities.Release(cc.Ctx, by(r), cc.ID)
			return err
		},
	}
}
