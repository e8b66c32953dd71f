// Package kyc finds out who a trader is: papers and a selfie are handed in and sealed, one member of staff compares them, a second one where it matters,
// and the trader's level follows.
package kyc

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"time"

	"candor/app/platform/errs"
	"candor/app/platform/vault"
	"candor/app/staff"
	"candor/app/trader"
)

// State is where an application stands.
type State string

// The states of an application.
const (
	None         State = "none" // nothing was begun
	Draft        State = "draft"
	Submitted    State = "submitted"
	InReview     State = "in_review" // claimed by a reviewer
	Escalated    State = "escalated" // by one person; the lead decides as the second
	Approved     State = "approved"
	Resubmission State = "resubmission_required" // parts of it are asked for again
	Rejected     State = "rejected_final"
	Expiring     State = "expiring"          // approved, and the document expires soon
	Reverify     State = "reverify_required" // the document has expired
	Revoked      State = "revoked"           // approved once, and no longer
)

// DocumentType is the kind of paper that somebody shows.
type DocumentType string

// The document types.
const (
	Passport       DocumentType = "passport"
	IDCard         DocumentType = "id_card"
	DrivingLicence DocumentType = "driving_licence"
)

// Part is what can be asked for again: a picture or the data.
type Part string

// The parts of an application; all but the data are sides of pictures.
const (
	Front  Part = "front"
	Back   Part = "back"
	Selfie Part = "selfie"
	Typed  Part = "data" // what the trader typed
)

// Sides lists the pictures that each document type needs.
var Sides = map[DocumentType][]Part{
	Passport: {Front, Selfie}, IDCard: {Front, Back, Selfie}, DrivingLicence: {Front, Back, Selfie},
}

func (p Part) isSide() bool { return p == Front || p == Back || p == Selfie }

// Limits.
const (
	MaxAttempts = 3                   // submissions of one application; then customer service helps
	maxUploads  = 30                  // pictures of one application
	adult       = 18                  // years
	level       = 1                   // what an approval gives
	higher      = 2                   // what two people may give after that
	renewBefore = 30 * 24 * time.Hour // how long before its document expires an approval counts as expiring
	keepLimits  = 30 * 24 * time.Hour // how long the limits stay after that
)

// Refusals that traders read.
var (
	ErrState    = errs.New(errs.Conflict, "kyc.state")       // no longer in a state that allows the act
	ErrChanged  = errs.New(errs.Conflict, "kyc.changed")     // another version than the one shown
	ErrPart     = errs.New(errs.Refused, "kyc.part")         // it was not asked for again
	ErrAsked    = errs.New(errs.Refused, "kyc.asked")        // something that was asked for is still missing
	ErrAge      = errs.New(errs.Refused, "kyc.age")          // not grown up
	ErrAttempts = errs.New(errs.Refused, "kyc.attempts")     // all attempts are used
	ErrTooMany  = errs.New(errs.TooMany, "kyc.too_many")     // pictures
	ErrNoImage  = errs.New(errs.NotFound, "kyc.no_image")    // none of that side, or no longer to be seen
	ErrDocument = errs.Field("documentType", "field.choice") // not one that the country offers
)

// Decision is what staff say of one picture.
type Decision string

// The decisions.
const (
	Pending  Decision = "pending"
	Accepted Decision = "accepted"
	Refused  Decision = "refused"
)

// Document is one picture of an application.
type Document struct {
	ID            int64
	ApplicationID int64
	Side          Part
	Attempt       int
	SealedKey     []byte
	FileName      string
	Width         int
	Height        int
	PictureHash   []byte
	Decision      Decision
	Reason        *string
	DecidedBy     *int64
	DecidedAt     *time.Time
	Current       bool
	ReplacedBy    *int64
	CreatedAt     time.Time
}

// TableName is GORM's name of the table.
func (Document) TableName() string { return "kyc_documents" }

// Shredded tells that nobody can open the picture any more.
func (d Document) Shredded() bool { return d.SealedKey == nil }

func (d Document) associated(traderID int64) string {
	return fmt.Sprintf("trader:%d|document:%d|%s", traderID, d.ID, d.Side)
}

// Risk is a hint that asks for a second person.
type Risk string

// The hints.
const (
	NumberSeen      Risk = "number_seen"      // the same document number, handed in by another trader
	PictureSeen     Risk = "picture_seen"     // the very same picture, handed in by another trader
	DeviceShared    Risk = "device_shared"    // another trader has logged in from the same device
	PayeeShared     Risk = "payee_shared"     // another trader has saved the same bank account or address, if only for a while
	CountryDiffers  Risk = "country_differs"  // the document is not of the country of registration
	PhoneDiffers    Risk = "phone_differs"    // nor of the country of the telephone number
	DocumentExpired Risk = "document_expired" // since it was handed in
	UnderAge        Risk = "under_age"
)

// Risks are kept as codes with commas between them.
type Risks []Risk

// Value is the text that the database keeps.
func (r Risks) Value() (driver.Value, error) {
	out := make([]string, len(r))
	for i, one := range r {
		out[i] = string(one)
	}
	return strings.Join(out, ","), nil
}

// Scan reads the text of the database.
func (r *Risks) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("kyc: risks are %T", value)
	}
	*r = nil
	for one := range strings.SplitSeq(text, ",") {
		if one != "" {
			*r = append(*r, Risk(one))
		}
	}
	return nil
}

// Application is what one trader hands in, with everything that was decided about it.
type Application struct {
	ID           int64
	TraderID     int64
	Attempt      int
	State        State
	Country      string       `gorm:"default:null"`
	DocumentType DocumentType `gorm:"default:null"`
	NameKey      []byte
	NameSealed   []byte
	NumberKey    []byte
	NumberSealed []byte
	BirthKey     []byte
	BirthSealed  []byte
	ExpiryKey    []byte
	ExpirySealed []byte
	NumberHash   []byte
	DataAttempt  int
	DataReason   *string
	Level        int
	Risks        Risks
	Marks        Marks // what the desk says of each of the data
	staff.Claim
	MakerID        *int64
	LeadID         *int64
	Proposal       *string
	PublicReason   *string
	InternalReason *string
	LevelAskedBy   *int64 // of the higher level: who has asked for it, when and why, and who has granted it
	LevelAskedAt   *time.Time
	LevelReason    *string
	LevelGrantedBy *int64
	Note           string
	Version        int
	CreatedAt      time.Time
	SubmittedAt    *time.Time
	DecidedAt      *time.Time
	RenewOn        *time.Time
	KeptUntil      *time.Time
	ShreddedAt     *time.Time // what was handed in is gone
}

// TableName is GORM's name of the table.
func (Application) TableName() string { return "kyc_applications" }

// Number is what people call the application.
func (a Application) Number() string { return fmt.Sprintf("ID-%d", a.ID) }

// Where is the state, None when there is no application at all.
func (a Application) Where() State {
	if a.ID == 0 {
		return None
	}
	return a.State
}

// Promised is when the desk means to have decided.
func (a Application) Promised() *time.Time {
	if a.SubmittedAt == nil || !a.Undecided() {
		return nil
	}
	at := a.SubmittedAt.Add(Target)
	return &at
}

// AttemptsLeft is how often the application may still be submitted.
func (a Application) AttemptsLeft() int { return MaxAttempts - a.Attempt }

// Undecided tells whether staff still have to act.
func (a Application) Undecided() bool {
	return a.State == Submitted || a.State == InReview || a.State == Escalated
}

// WaitsSince is since when staff have to act, nil where they have not.
func (a Application) WaitsSince() *time.Time {
	switch {
	case a.Undecided():
		return a.SubmittedAt
	case a.LevelAsked():
		return a.LevelAskedAt
	}
	return nil
}

// Verified tells whether the trader counts as verified by this application.
func (a Application) Verified() bool { return a.State == Approved || a.State == Expiring }

// Editable tells whether the trader may change it.
func (a Application) Editable() bool { return a.State == Draft || a.State == Resubmission }

// over tells whether a new application may be begun beside this one.
func (a Application) over() bool {
	return a.State == Expiring || a.State == Reverify || a.forgotten()
}

// forgotten tells whether it ended because it was shredded: nobody has decided against the trader.
func (a Application) forgotten() bool {
	return a.ShreddedAt != nil && a.State == Revoked && a.PublicReason == nil
}

// next is the attempt that what is handed in now belongs to.
func (a Application) next() int { return a.Attempt + 1 }

// mayType tells whether the data may be changed: in a draft, and later only what was asked for again.
func (a Application) mayType() error {
	switch {
	case !a.Editable():
		return ErrState
	case a.AttemptsLeft() <= 0:
		return ErrAttempts.With("limit", MaxAttempts)
	case a.State == Resubmission && a.DataReason == nil && a.DataAttempt != a.next():
		return ErrPart
	}
	return nil
}

// mayAttach refuses another picture, whatever its side.
func (a Application) mayAttach(documents int) error {
	switch {
	case !a.Editable():
		return ErrState
	case a.AttemptsLeft() <= 0:
		return ErrAttempts.With("limit", MaxAttempts)
	case documents >= maxUploads:
		return ErrTooMany.With("limit", maxUploads)
	}
	return nil
}

// mayReplace tells whether the picture of a side may be handed in.
func (a Application) mayReplace(before *Document) error {
	if err := a.mayAttach(0); err != nil {
		return err
	}
	if a.State == Resubmission && (before == nil || (before.Decision != Refused && before.Attempt != a.next())) {
		return ErrPart
	}
	return nil
}

// Sides are the pictures that the application needs.
func (a Application) Sides() []Part { return Sides[a.DocumentType] }

// sealedField is one of the data as it is stored.
type sealedField struct {
	name        string // also the name in refusals
	column      string
	key, sealed []byte
}

func (a Application) fields() []sealedField {
	return []sealedField{
		{"fullName", "name", a.NameKey, a.NameSealed}, {"number", "number", a.NumberKey, a.NumberSealed},
		{"birthDate", "birth", a.BirthKey, a.BirthSealed}, {"expiryDate", "expiry", a.ExpiryKey, a.ExpirySealed},
	}
}

func (f sealedField) secret() vault.Sealed {
	return vault.Sealed{WrappedKey: f.key, Ciphertext: f.sealed}
}

func (a Application) associated(f sealedField) string {
	return fmt.Sprintf("trader:%d|application:%d|%s", a.TraderID, a.ID, f.column)
}

// authStatus is what the trader's applications, the newest first, come to: the status that the app shows, and the level that limits go by.
func authStatus(newest []Application) (status, standing int) {
	if len(newest) == 0 {
		return trader.AuthNone, 0
	}
	a := newest[0]
	if open := a.Editable() || a.Undecided(); open && len(newest) > 1 { // a new one beside one that was approved
		before, kept := authStatus(newest[1:])
		if before == trader.AuthPassed {
			return before, kept
		}
		return a.shown(), kept
	}
	switch {
	case a.Verified():
		standing = a.Level
	case a.State == Reverify && a.KeptUntil != nil:
		standing = a.Level
	}
	return a.shown(), standing
}

func (a Application) shown() int {
	switch {
	case a.Undecided():
		return trader.AuthReview
	case a.Verified():
		return trader.AuthPassed
	case a.forgotten():
		return trader.AuthNone
	case a.State == Resubmission || a.State == Rejected || a.State == Revoked:
		return trader.AuthFailed
	}
	return trader.AuthNone
}

// current is the picture of a side that counts.
func current(documents []Document, side Part) *Document {
	i := slices.IndexFunc(documents, func(d Document) bool { return d.Current && d.Side == side })
	if i < 0 {
		return nil
	}
	return &documents[i]
}
