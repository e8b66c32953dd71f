// Package kycdesk verifies identities: staff compare documents with the typed data and with a face, in a queue and three panes per case, and decide by one
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

// Services holds the dependencies of the desk.
type Services struct {
	Identities *kyc.Service
	Traders    *trader.Service
	Staff      *staff.Service
	Audit      *audit.Log
	Texts      *i18n.Catalogue // of the trader app, for text that a trader will read
	// Tag makes keyed hashes with a secret key, for the rights to fetch a picture.
	Tag func(purpose string, text []byte) ([]byte, error)
}

// Routes lists the desk's routes. The handlers check again who may decide in the case's current state.
func Routes(s Services) []desk.Route {
	cases := s.cases()
	list := append(append(s.list().Routes(), s.qualityRoutes()...), []desk.Route{
		{Method: http.MethodGet, Path: "/identity/:id", Permission: access.IdentityView, Handle: s.detail},
		{Method: http.MethodGet, Path: "/identity/:id/window", Permission: access.IdentityDecide, Handle: s.window},
		{Method: http.MethodPost, Path: "/identity/:id/claim", Permission: access.IdentityDecide, Handle: cases.ClaimCase},
		{Method: http.MethodDelete, Path: "/identity/:id/claim", Permission: access.IdentityDecide, Handle: cases.ReleaseCase},
		{Method: http.MethodGet, Path: "/identity/:id/reason-preview", Permission: access.IdentityDecide, Handle: s.reasonPreview},
		{Method: http.MethodPost, Path: "/identity/:id/marks", Permission: access.IdentityDecide, Handle: s.matchRest},
		{Method: http.MethodPost, Path: "/identity/:id/marks/:field", Permission: access.IdentityDecide, Handle: s.mark},
		{Method: http.MethodPost, Path: "/identity/:id/pictures/:document", Permission: access.IdentityDecide, Handle: s.judge},
		{Method: http.MethodGet, Path: "/identity/:id/pictures/:document/refusal", Permission: access.IdentityDecide, Handle: s.openRefusal},
		{Method: http.MethodGet, Path: "/identity/:id/pictures/:document/:right", Permission: access.IdentityDecide, Handle: s.picture},
	}...)
	for _, act := range s.actions() {
		path := "/identity/:id/" + act.Noun
		list = append(list,
			desk.Route{Method: http.MethodGet, Path: path, Permission: act.Permission, Handle: cases.Open(act)},
			desk.Route{Method: http.MethodPost, Path: path, Permission: act.Permission, Handle: cases.Decide(act)},
		)
	}
	return list
}

// navItem is the desk's item of the navigation.
const navItem = "identity"

// cases configures the case engine for applications.
func (s Services) cases() caseengine.Desk[caseContext, kyc.Application] {
	return caseengine.Desk[caseContext, kyc.Application]{
		List: s.list(), Read: s.read, State: kyc.ErrState, Changed: kyc.ErrChanged, ReadOnly: isReadOnly, Answers: pages{s},
		Claim: func(r *desk.Request, cc caseContext) error {
			_, err := s.Identities.Claim(cc.Ctx, r.Actor(), cc.ID)
			return err
		},
		Release: func(r *desk.Request, cc caseContext) error {
			_, err := s.Identities.Release(cc.Ctx, r.Actor(), cc.ID)
			return err
		},
	}
}
