package kyc

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"

	"candor/app/platform/errs"
	"candor/app/staff"
)

// Field is one of the data that a trader typed or chose.
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

// Fields are all of them, in the order to compare.
var Fields = []Field{FieldName, FieldBirth, FieldNumber, FieldExpiry, FieldCountry, FieldType}

// Mark is what the desk says of a field beside the papers. A field without one is agreed to by the approval.
type Mark string

// The marks.
const (
	Fits    Mark = "fits"
	Differs Mark = "differs" // nothing is approved meanwhile
)

// Refusals of marks, which only staff read.
var (
	ErrMark  = errs.Field("mark", "field.choice")
	ErrMarks = errs.New(errs.Refused, "kyc.marks") // some of the data does not fit
)

// Marks are kept as fields with their marks, commas between them.
type Marks map[Field]Mark

// Value is the text that the database keeps.
func (m Marks) Value() (driver.Value, error) {
	var out []string
	for _, f := range slices.Sorted(maps.Keys(m)) {
		out = append(out, string(f)+":"+string(m[f]))
	}
	return strings.Join(out, ","), nil
}

// Scan reads the text of the database.
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

// with are the marks with one more, or without that field where the mark is empty.
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

// Differing are the fields that do not fit.
func (m Marks) Differing() (list []Field) {
	for _, f := range Fields {
		if m[f] == Differs {
			list = append(list, f)
		}
	}
	return list
}

// MarkField says of one of the data that it fits or differs, an empty mark neither; the claim begins anew. It stays until the trader types the data anew.
// Refusals: ErrMark, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) MarkField(ctx context.Context, by Desk, id int64, version int, f Field, mark Mark) (Application, error) {
	if !slices.Contains(Fields, f) || !slices.Contains([]Mark{Fits, Differs, ""}, mark) {
		return Application{}, ErrMark
	}
	return s.act(ctx, by, id, version, "kyc.mark", func(t turn) (map[string]any, error) {
		if err := t.mayDecide(ctx, InReview, Escalated); err != nil {
			return nil, err
		}
		return staff.Claimed(map[string]any{"marks": t.Marks.with(f, mark)}, by.ID, t.now), nil
	})
}
