package kyc

import "slices"

// Reason is a coded reason of a decision. A reason to ask again names its parts; a final one has none.
type Reason struct {
	Code   string
	Parts  []Part
	Public string // the code that is translated for the trader
}

// generic is the public reason of a decision about fraud or sanctions: it reveals nothing that helps to circumvent it.
const generic = "not_accepted"

var (
	pictures = []Part{Front, Back, Selfie}
	papers   = []Part{Front, Back}
)

// Reasons lists every reason, those to ask again first.
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
	again("data_differs", DataPart),
	again("name_incomplete", DataPart),
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

// Final reports whether the reason ends an application.
func (r Reason) Final() bool { return len(r.Parts) == 0 }

func findReason(code string) (Reason, bool) {
	i := slices.IndexFunc(Reasons, func(r Reason) bool { return r.Code == code })
	if i < 0 {
		return Reason{}, false
	}
	return Reasons[i], true
}

// asksAgain reports whether the code is a reason to ask again for the part.
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
