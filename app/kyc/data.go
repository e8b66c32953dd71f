package kyc

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Data is the data of a document that a trader enters. Dates look like 1990-05-17; missing fields are empty.
type Data struct {
	FullName   string
	Number     string
	BirthDate  string
	ExpiryDate string
}

// Filled is a partial update of the data; nil keeps a field, an empty text clears it.
type Filled struct {
	Country      *string
	DocumentType *string
	FullName     *string
	Number       *string
	BirthDate    *string
	ExpiryDate   *string
}

const (
	maxName   = 120
	firstYear = 1900
	lastYear  = 2200
)

var numberForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z ./-]{2,38}[0-9A-Za-z]$`)

// sentFields are the sent fields, by their names in refusals.
func (f Filled) sentFields() map[string]string {
	out := map[string]string{}
	for name, text := range map[string]*string{"fullName": f.FullName, "number": f.Number, "birthDate": f.BirthDate, "expiryDate": f.ExpiryDate} {
		if text != nil {
			out[name] = strings.TrimSpace(*text)
		}
	}
	return out
}

// check refuses invalid fields; missing ones are allowed.
func (f Filled) check() error {
	if f.Country != nil && *f.Country != "" && !isCountry(*f.Country) {
		return errs.Field("country", "field.choice")
	}
	if f.DocumentType != nil && *f.DocumentType != "" && Sides[DocumentType(*f.DocumentType)] == nil {
		return ErrDocument
	}
	for name, text := range f.sentFields() {
		if text == "" {
			continue
		}
		if err := checkField(name, text); err != nil {
			return err
		}
	}
	return nil
}

func checkField(name, text string) error {
	switch name {
	case "fullName":
		if n := utf8.RuneCountInString(text); n < 2 || n > maxName {
			return errs.Field(name, "field.length")
		}
		if !db.IsText(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return errs.Field(name, "field.type")
		}
	case "number":
		if len(text) < 4 || len(text) > 40 {
			return errs.Field(name, "field.length")
		}
		if !numberForm.MatchString(text) {
			return errs.Field(name, "field.latin")
		}
	default:
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return errs.Field(name, "field.date")
		}
		if at.Year() < firstYear || at.Year() > lastYear {
			return errs.Field(name, "field.range")
		}
	}
	return nil
}

// missing is the first empty field.
func (d Data) missing() string {
	for _, one := range []struct{ name, text string }{{"fullName", d.FullName}, {"number", d.Number}, {"birthDate", d.BirthDate}, {"expiryDate", d.ExpiryDate}} {
		if one.text == "" {
			return one.name
		}
	}
	return ""
}

// plainNumber is a document number for comparison: letters and digits only.
func (d Data) plainNumber() string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, d.Number)
}

// today is the start of a moment's day in UTC.
func today(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// ofAge reports whether the holder is of age. A birthday on 29 February falls on 1 March in other years.
func (d Data) ofAge(now time.Time) bool {
	born, err := time.Parse(time.DateOnly, d.BirthDate)
	return err == nil && !born.AddDate(adult, 0, 0).After(today(now))
}

// expired reports whether the document's last day has passed.
func (d Data) expired(now time.Time) bool {
	last, err := time.Parse(time.DateOnly, d.ExpiryDate)
	return err != nil || last.Before(today(now))
}

// renewOn is the first day of the month after the document's last day: the month reveals less than the day.
func (d Data) renewOn() (time.Time, error) {
	last, err := time.Parse(time.DateOnly, d.ExpiryDate)
	return time.Date(last.Year(), last.Month()+1, 1, 0, 0, 0, 0, time.UTC), err
}

// BornOn is the trader's date of birth from the newest verified document; the zero time without one, or after shredding.
func (s *Service) BornOn(ctx context.Context, traderID int64) (born time.Time, err error) {
	var a Application
	err = s.db.Rows(ctx).Where("trader_id = ? AND state IN ? AND birth_key IS NOT NULL", traderID, []State{Approved, Expiring, Reverify}).Order("id DESC").Limit(1).Find(&a).Error
	if err != nil {
		return born, fmt.Errorf("read the verified application of trader %d: %w", traderID, err)
	}
	if a.ID == 0 {
		return born, nil
	}
	data, err := s.open(ctx, s.db.Pool, a)
	if err != nil {
		return born, err
	}
	return time.Parse(time.DateOnly, data.BirthDate)
}
