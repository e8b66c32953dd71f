package desk

import (
	"net/http"
	"slices"

	"golang.org/x/text/language"

	"candor/admin/access"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/templates/layout"
	"candor/templates/ui"
)

// languageRoute sets the language of the member's own pages.
func (f *Frame) languageRoute() Route {
	return Route{Method: http.MethodPost, Path: "/language", Permission: access.Home, Handle: f.setLanguage}
}

// languageOf is the language of a person's pages: English when the catalogue no longer has theirs.
func (f *Frame) languageOf(p staff.Person) string {
	if slices.Contains(f.Texts.Languages(), p.Language) {
		return p.Language
	}
	return i18n.Reference
}

func (f *Frame) setLanguage(r *Request) error {
	chosen := r.PostFormValue("language")
	if !slices.Contains(f.Texts.Languages(), chosen) {
		return errs.Field("language", "field.choice")
	}
	if err := f.Staff.SetLanguage(r.Context.Request().Context(), r.Actor(), chosen); err != nil {
		return err
	}
	return r.RedirectTo(Root)
}

// otherLanguages are the languages that a member may change to.
func (f *Frame) otherLanguages(current string) (out []layout.Language) {
	for _, code := range f.Texts.Languages() {
		if code != current {
			out = append(out, layout.Language{Code: code, Tag: language.Make(code).String(), Name: ui.LanguageName(code)})
		}
	}
	return out
}
