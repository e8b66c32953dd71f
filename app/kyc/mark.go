package kyc

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"

	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
)

// Field is one field of the data that a trader entered or chose.
type Field string

// The fields.
const (
	FieldName    Field = "name"
	FieldBirth   Field = "birth"
	FieldNumber  Field = "number"
	FieldExpiry  Field = "expiry"
	FieldCountry Field = "country"
	FieldType    Field = "type"
)

// Fields lists all fields, in the order of comparison.
var Fields = []Field{FieldName, FieldBirth, FieldNumber, FieldExpiry, FieldCountry, FieldType}

// Mark is the desk's comparison of a field with the documents. An approval needs every field to fit.
type Mark string

// The marks.
const (
	Fits    Mark = "fits"
	Differs Mark = "differs" // blocks an approval
)

// Refusals of marks; only staff read them.
var (
	ErrMark     = errs.Field("mark", "field.choice")
	ErrMarks    = errs.New(errs.Refused, "kyc.marks")    // a field differs
	ErrUnmarked = errs.New(errs.Refused, "kyc.unmarked") // a field has no mark yet
	ErrMarked   = errs.New(errs.Refused, "kyc.marked")   // every field has a mark already
)

// Marks are stored as field and mark pairs separated by commas.
type Marks map[Field]Mark

// Value is the stored text.
func (m Marks) Value() (driver.Value, error) {
	var out []string
	for _, f := range slices.Sorted(maps.Keys(m)) {
		out = append(out, string(f)+":"+string(m[f]))
	}
	return strings.Join(out, ","), nil
}

// Scan reads the stored text.
func (m *Marks) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("kyc: marks are %T", value)
	}
	*m = nil
	for one := range strings.SplitSeq(text, ",") {
		if field, mark, ok := strings.Cut(one, ":"); ok {
			*m = m.with(Field(field), Mark(mark))
		}
	}
	return nil
}

// with returns the marks with one more, or without the field when the mark is empty.
func (m Marks) with(f Field, mark Mark) Marks {
	out := maps.Clone(m)
	if out == nil {
		out = Marks{}
	}
	if out[f] = mark; mark == "" {
		delete(out, f)
	}
	return out
}

// Differing lists the fields that differ.
func (m Marks) Differing() []Field { return m.marked(Differs) }

// Unmarked lists the fields without a mark.
func (m Marks) Unmarked() []Field { return m.marked("") }

func (m Marks) marked(mark Mark) (list []Field) {
	for _, f := range Fields {
		if m[f] == mark {
			list = append(list, f)
		}
	}
	return list
}

// Refusal is why the marks allow no approval: ErrMarks, ErrUnmarked, or nil when every field fits.
func (m Marks) Refusal() error {
	switch {
	case len(m.Differing()) > 0:
		return ErrMarks
	case len(m.Unmarked()) > 0:
		return ErrUnmarked
	}
	return nil
}

// MarkField marks a field as fitting or differing, or clears the mark when it is empty; it renews the claim. The mark stays until the trader enters the data
// again.
// Refusals: ErrMark, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) MarkField(ctx context.Context, by audit.Actor, id int64, version int, f Field, mark Mark) (Application, error) {
	if !slices.Contains(Fields, f) || !slices.Contains([]Mark{Fits, Differs, ""}, mark) {
		return Application{}, ErrMark
	}
	return s.act(ctx, by, id, version, "kyc.mark", func(t deskAct) (map[string]any, error) {
		if err := t.mayDecide(ctx, InReview, Escalated); err != nil {
			return nil, err
		}
		return staff.Claimed(map[string]any{"marks": t.Marks.with(f, mark)}, by.ID, t.now), nil
	})
}

// MatchRest marks every field without a mark as fitting, in one act; it renews the claim.
// Refusals: ErrMarked, ErrUnknown, ErrState, ErrRole, ErrSelf, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) MatchRest(ctx context.Context, by audit.Actor, id int64, version int) (Application, error) {
	return s.act(ctx, by, id, version, "kyc.match_rest", func(t deskAct) (map[string]any, error) {
		if err := t.mayDecide(ctx, InReview, Escalated); err != nil {
			return nil, err
		}
		rest, marks := t.Marks.Unmarked(), t.Marks
		if len(rest) == 0 {
			return nil, ErrMarked
		}
		for _, f := range rest {
			marks = marks.with(f, Fits)
		}
		return staff.Claimed(map[string]any{"marks": marks}, by.ID, t.now), nil
	})
}
