package kyc

import "slices"

// Reason is a coded reason of a decision. What asks again names the parts it can be about; a final one has none.
type Reason struct {
	Code   string
	Parts  []Part
	Public string // the code that the trader reads the translation of
}

// generic is what a trader reads of a final decision that is about fraud or sanctions: nothing that would help to get past it.
const generic = "not_accepted"

var (
	pictures = []Part{Front, Back, Selfie}
	papers   = []Part{Front, Back}
)

// Reasons lists every reason, those that ask again first.
var Reasons = []Reason{
	again("unreadable", pictures...),
	again("glare", pictures...),
	again("cropped", pictures...),
	again("covered", pictures...),
	again("copy", pictures...),
	again("colourless", pictures...),
	again("wrong_side", papers...),
	again("wrong_document", papers...),
	again("expired_document", papers...),
	again("damaged_document", papers...),
	again("face_hidden", Selfie),
	again("face_differs", Selfie),
	again("not_live", Selfie),
	again("data_differs", Typed),
	again("name_incomplete", Typed),
	{Code: "under_age", Public: "under_age"},
	{Code: "country_unsupported", Public: "country_unsupported"},
	{Code: "duplicate_person", Public: generic},
	{Code: "document_forged", Public: generic},
	{Code: "document_stolen", Public: generic},
	{Code: "identity_stolen", Public: generic},
	{Code: "false_statements", Public: generic},
	{Code: "sanctions", Public: generic},
	{Code: "approved_in_error", Public: generic},
}

func again(code string, parts ...Part) Reason { return Reason{code, parts, code} }

// Final tells that the reason ends an application.
func (r Reason) Final() bool { return len(r.Parts) == 0 }

func findReason(code string) (Reason, bool) {
	i := slices.IndexFunc(Reasons, func(r Reason) bool { return r.Code == code })
	if i < 0 {
		return Reason{}, false
	}
	return Reasons[i], true
}

// asksAgain tells whether the reason is one for asking for a part again.
func asksAgain(code string, part Part) bool {
	r, ok := findReason(code)
	return ok && slices.Contains(r.Parts, part)
}

// finalReason finds a reason that ends an application.
func finalReason(code string) (Reason, error) {
	r, ok := findReason(code)
	if !ok || !r.Final() {
		return Reason{}, ErrReason
	}
	return r, nil
}
