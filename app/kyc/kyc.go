// Package kyc verifies identities: a trader submits documents, staff decide, the trader's level follows. Data and pictures are stored sealed, and a second
// person decides where a hint asks for it.
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

// State is the state of an application.
type State string

// None is the state without an application; no row has it.
const None = State("none")

// SecondApproval is the stage of an escalated application that the first person approved; its row has the state Escalated.
const SecondApproval = State("second_approval")

// The states of an application.
const (
	Draft        State = "draft"
	Submitted    State = "submitted"
	InReview     State = "in_review" // claimed by a reviewer
	Escalated    State = "escalated" // by one person; the lead decides as the second
	Approved     State = "approved"
	Resubmission State = "resubmission_required" // parts must be submitted again
	Rejected     State = "rejected_final"
	Expiring     State = "expiring"          // approved, and the document expires soon
	Reverify     State = "reverify_required" // the document has expired
	Revoked      State = "revoked"           // approved earlier, no longer valid
)

// DocumentType is the type of an identity document.
type DocumentType string

// The document types.
const (
	Passport       DocumentType = "passport"
	IDCard         DocumentType = "id_card"
	DrivingLicence DocumentType = "driving_licence"
)

// Part is a picture or the data, which staff may ask for again.
type Part string

// The sides of pictures.
const (
	Front  Part = "front"
	Back   Part = "back"
	Selfie Part = "selfie"
)

// DataPart is the data that the trader entered; it is no side.
const DataPart = Part("data")

// Sides lists the pictures that each document type needs.
var Sides = map[DocumentType][]Part{
	Passport: {Front, Selfie}, IDCard: {Front, Back, Selfie}, DrivingLicence: {Front, Back, Selfie},
}

func (p Part) isSide() bool { return p == Front || p == Back || p == Selfie }

// Limits of applications.
const (
	MaxAttempts = 3                   // submissions of one application; after that, support helps
	maxUploads  = 30                  // pictures of one application
	adult       = 18                  // years
	level       = 1                   // given by an approval
	higher      = 2                   // given by two people after an approval
	renewBefore = 30 * 24 * time.Hour // time before the document's expiry in which an approval counts as expiring
	keepLimits  = 30 * 24 * time.Hour // time after the expiry for which the limits stay
)

// Refusals that traders read.
var (
	ErrState    = errs.New(errs.Conflict, "kyc.state")       // no longer in a state that allows the act
	ErrChanged  = errs.New(errs.Conflict, "kyc.changed")     // another version than the one shown
	ErrPart     = errs.New(errs.Refused, "kyc.part")         // staff did not ask for this part again
	ErrAsked    = errs.New(errs.Refused, "kyc.asked")        // a part that staff asked for is still missing
	ErrAge      = errs.New(errs.Refused, "kyc.age")          // under the age of adult
	ErrAttempts = errs.New(errs.Refused, "kyc.attempts")     // all attempts are used
	ErrTooMany  = errs.New(errs.TooMany, "kyc.too_many")     // pictures
	ErrNoImage  = errs.New(errs.NotFound, "kyc.no_image")    // no picture of that side, or not viewable any more
	ErrDocument = errs.Field("documentType", "field.choice") // not offered for the country
)

// Decision is the staff's decision about a picture.
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
	SealedKey     []byte `json:"-"`
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

// Shredded reports whether the picture can't be opened any more.
func (d Document) Shredded() bool { return d.SealedKey == nil }

func (d Document) associated(traderID int64) string {
	return fmt.Sprintf("trader:%d|document:%d|%s", traderID, d.ID, d.Side)
}

// Risk is a hint that requires a second person.
type Risk string

// The hints.
const (
	NumberSeen      Risk = "number_seen"      // another trader submitted the same document number
	PictureSeen     Risk = "picture_seen"     // another trader submitted exactly the same picture
	DeviceShared    Risk = "device_shared"    // another trader has logged in from the same device
	PayeeShared     Risk = "payee_shared"     // another trader has saved the same bank account or address, even if removed later
	CountryDiffers  Risk = "country_differs"  // the document is not from the country of registration
	PhoneDiffers    Risk = "phone_differs"    // the document is not from the country of the phone number
	DocumentExpired Risk = "document_expired" // since the submission
	UnderAge        Risk = "under_age"
	Prohibited      Risk = "country_prohibited" // of the document or of the registration; no approval
	HighRisk        Risk = "country_high_risk"
)

// severe are the hints of fraud, of an unusable document and of a country that the broker does not serve.
var severe = []Risk{NumberSeen, PictureSeen, DocumentExpired, UnderAge, Prohibited}

// Rank orders cases by their hints.
type Rank string

// The ranks.
const (
	NoRisk   Rank = "none"
	SomeRisk Rank = "some"
	MostRisk Rank = "high" // with a severe hint
)

// Ranks lists them, the highest first.
var Ranks = []Rank{MostRisk, SomeRisk, NoRisk}

// Rank is the rank of the gravest hint.
func (r Risks) Rank() Rank {
	switch {
	case len(r) == 0:
		return NoRisk
	case slices.ContainsFunc(r, func(one Risk) bool { return slices.Contains(severe, one) }):
		return MostRisk
	default:
		return SomeRisk
	}
}

// Risks are stored as codes separated by commas.
type Risks []Risk

// Value is the stored text.
func (r Risks) Value() (driver.Value, error) {
	out := make([]string, len(r))
	for i, one := range r {
		out[i] = string(one)
	}
	return strings.Join(out, ","), nil
}

// Scan reads the stored text.
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

// Application is one trader's application for verification, with all decisions about it.
type Application struct {
	ID           int64
	TraderID     int64
	Attempt      int
	State        State
	Country      string       `gorm:"default:null"`
	DocumentType DocumentType `gorm:"default:null"`
	NameKey      []byte       `json:"-"` // kept nowhere else, so that the data can be shredded
	NameSealed   []byte
	NumberKey    []byte `json:"-"`
	NumberSealed []byte
	BirthKey     []byte `json:"-"`
	BirthSealed  []byte
	ExpiryKey    []byte `json:"-"`
	ExpirySealed []byte
	NumberHash   []byte
	DataAttempt  int
	DataReason   *string
	Level        int
	Risks        Risks
	Marks        Marks // the desk's marks of the data
	staff.Claim
	MakerID        *int64
	LeadID         *int64
	AskedBy        *int64 // who asked the trader to submit something again the last time
	Proposal       *string
	PublicReason   *string
	InternalReason *string
	LevelApproval  *int64 // of the higher level, open or given
	LevelAskedAt   *time.Time
	Note           string
	Version        int
	CreatedAt      time.Time
	SubmittedAt    *time.Time
	DecidedAt      *time.Time
	RenewOn        *time.Time
	KeptUntil      *time.Time
	ShreddedAt     *time.Time // when the submitted data was shredded
}

// TableName is GORM's name of the table.
func (Application) TableName() string { return "kyc_applications" }

// Number is the display number of the application.
func (a Application) Number() string { return fmt.Sprintf("ID-%d", a.ID) }

// CurrentState is the state; None without an application.
func (a Application) CurrentState() State {
	if a.ID == 0 {
		return None
	}
	return a.State
}

// DueAt is the time by which staff aim to decide; nil without an open decision.
func (a Application) DueAt() *time.Time {
	if a.SubmittedAt == nil || !a.Undecided() {
		return nil
	}
	at := a.SubmittedAt.Add(Target)
	return &at
}

// Stage is the state as staff read it: an approval that waits for the second person is no escalation.
func (a Application) Stage() State {
	if a.State == Escalated && a.Proposal != nil && *a.Proposal == proposeApproval {
		return SecondApproval
	}
	return a.CurrentState()
}

// AttemptsLeft is the number of submissions left.
func (a Application) AttemptsLeft() int { return MaxAttempts - a.Attempt }

// Undecided reports whether staff must still decide.
func (a Application) Undecided() bool {
	return a.State == Submitted || a.State == InReview || a.State == Escalated
}

// WaitingSince is the time since when staff must act; nil when they need not.
func (a Application) WaitingSince() *time.Time {
	switch {
	case a.Undecided():
		return a.SubmittedAt
	case a.LevelAsked():
		return a.LevelAskedAt
	}
	return nil
}

// ListedAt is the moment that orders the application in its list: when it began to wait, else when it was decided.
func (a Application) ListedAt() time.Time {
	switch since := a.WaitingSince(); {
	case since != nil:
		return *since
	case a.DecidedAt != nil:
		return *a.DecidedAt
	default:
		return a.CreatedAt
	}
}

// Verified reports whether this application verifies the trader.
func (a Application) Verified() bool { return a.State == Approved || a.State == Expiring }

// Editable reports whether the trader may edit the application.
func (a Application) Editable() bool { return a.State == Draft || a.State == Resubmission }

// mayBeginAnother reports whether the trader may begin a new application beside this one.
func (a Application) mayBeginAnother() bool {
	return a.State == Expiring || a.State == Reverify || a.shreddedOnly()
}

// shreddedOnly reports whether the application ended by shredding, not by a decision against the trader.
func (a Application) shreddedOnly() bool {
	return a.ShreddedAt != nil && a.State == Revoked && a.PublicReason == nil
}

// next is the attempt of the parts that are submitted now.
func (a Application) next() int { return a.Attempt + 1 }

// mayEditData refuses changes of the data: a draft is editable, later only the parts that staff asked for. It returns ErrState, ErrAttempts or ErrPart.
func (a Application) mayEditData() error {
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

// mayAttach refuses a further picture of any side. It returns ErrState, ErrAttempts or ErrTooMany.
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

// mayReplace refuses a new picture of a side. It returns ErrPart, or the refusals of mayAttach.
func (a Application) mayReplace(before *Document) error {
	if err := a.mayAttach(0); err != nil {
		return err
	}
	if a.State == Resubmission && (before == nil || (before.Decision != Refused && before.Attempt != a.next())) {
		return ErrPart
	}
	return nil
}

// Sides are the pictures that the document type needs.
func (a Application) Sides() []Part { return Sides[a.DocumentType] }

// sealedField is one field of the data as stored.
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

// authStatus is the status that the app shows and the level that limits use, from the trader's applications, newest first.
func authStatus(newest []Application) (status, limitsLevel int) {
	if len(newest) == 0 {
		return trader.AuthNone, 0
	}
	a := newest[0]
	if open := a.Editable() || a.Undecided(); open && len(newest) > 1 { // a new application beside an approved one
		before, kept := authStatus(newest[1:])
		if before == trader.AuthPassed {
			return before, kept
		}
		return a.shown(), kept
	}
	switch {
	case a.Verified():
		limitsLevel = a.Level
	case a.State == Reverify && a.KeptUntil != nil:
		limitsLevel = a.Level
	}
	return a.shown(), limitsLevel
}

func (a Application) shown() int {
	switch {
	case a.Undecided():
		return trader.AuthReview
	case a.Verified():
		return trader.AuthPassed
	case a.shreddedOnly():
		return trader.AuthNone
	case a.State == Resubmission || a.State == Rejected || a.State == Revoked:
		return trader.AuthFailed
	}
	return trader.AuthNone
}

// current is the current picture of a side; nil when there is none.
func current(documents []Document, side Part) *Document {
	i := slices.IndexFunc(documents, func(d Document) bool { return d.Current && d.Side == side })
	if i < 0 {
		return nil
	}
	return &documents[i]
}
