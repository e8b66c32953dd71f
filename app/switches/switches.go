// Package switches defines every configuration key and feature switch: type, limits, default, owner and risk. It resolves values for viewers, and staff
// change them: sensitive values by two people, risk-reducing ones at once.
package switches

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// Type is the type of a value.
type Type string

// The types. No key has structured data; that needs a table of its own.
const (
	Bool      Type = "bool"
	Int       Type = "int"
	Decimal   Type = "decimal"
	Text      Type = "text"
	Enum      Type = "enum"
	Moment    Type = "moment"    // RFC 3339 in UTC; empty for none
	Countries Type = "countries" // ISO 3166-1 alpha-2 codes separated by commas; empty for none
)

// Area is the part of the product that a key controls.
type Area string

// The areas in display order.
const (
	Money      Area = "money"
	Trading    Area = "trading"
	App        Area = "app"
	BackOffice Area = "desk"
)

// Areas lists them in display order.
var Areas = []Area{Money, Trading, App, BackOffice}

// Risk is the procedure of a key's changes.
type Risk string

// The risk classes.
const (
	Ordinary  Risk = "ordinary"  // by one person, after reviewing the difference
	Sensitive Risk = "sensitive" // by two people
	Locked    Risk = "locked"    // can't be changed here: not implemented yet, or derived
)

// Units of values, as locale keys of the back office.
const (
	Percent   = "percent"
	USDT      = "usdt"
	USDTALot  = "usdt_a_lot"
	noUnit    = ""
	unlimited = ""
)

// Definition is the definition of a key.
type Definition struct {
	Key      string
	Type     Type
	Area     Area
	Risk     Risk
	Owner    string // the role that owns it
	Unit     string
	Min, Max string   // limits of a number; empty for none
	Choices  []string // of an enum
	Default  string
	Unset    string   // the effective value of an empty text; empty for none
	Public   bool     // the app may read it
	Targeted bool     // its value may differ by country, language and platform; never for a key that moves money
	Safe     string   // the value that reduces risk; empty for none
	StopBy   []string // roles that may set it to Safe at once, alone
}

// maxText is the longest text value in characters.
const maxText = 500

// Read normalises and checks a typed value. Refusals: field value.
func (d Definition) Read(value string) (string, error) {
	value = strings.TrimSpace(value)
	switch d.Type {
	case Bool:
		if value != "true" && value != "false" {
			return "", errs.Field("value", "field.choice")
		}
	case Enum:
		if !slices.Contains(d.Choices, value) {
			return "", errs.Field("value", "field.choice")
		}
	case Int:
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return "", errs.Field("value", "field.number")
		}
		return d.checkRange(money.Trim(n*money.Unit, money.Scale))
	case Decimal:
		amount, err := money.Parse(value, money.Scale)
		if err != nil {
			return "", errs.Field("value", "field.number")
		}
		return d.checkRange(money.Trim(amount, money.Scale))
	case Moment:
		at, err := time.Parse(time.RFC3339, value)
		if value != "" && err != nil {
			return "", errs.Field("value", "field.choice")
		}
		if value != "" {
			value = at.UTC().Format(time.RFC3339)
		}
	case Countries:
		return readCountries(value)
	case Text:
		if utf8.RuneCountInString(value) > maxText || !db.IsText(value) {
			return "", errs.Field("value", "field.length")
		}
	}
	return value, nil
}

// CountryList lists the codes of a value of the type Countries.
func CountryList(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// readCountries sorts the codes, and refuses one that is no country.
func readCountries(value string) (string, error) {
	list := CountryList(strings.ToUpper(value))
	for _, iso := range list {
		region, err := language.ParseRegion(iso)
		if err != nil || len(iso) != 2 || !region.IsCountry() || region.String() != iso {
			return "", errs.Field("value", "field.country")
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ","), nil
}

func (d Definition) checkRange(value string) (string, error) {
	if d.Min != unlimited && amount(value) < amount(d.Min) || d.Max != unlimited && amount(value) > amount(d.Max) {
		return "", errs.Field("value", "field.range")
	}
	return value, nil
}

// amount parses a decimal text in units of 10^-6; an invalid text is 0, so that limits close.
func amount(text string) int64 {
	v, err := money.Parse(text, money.Scale)
	if err != nil {
		return 0
	}
	return v
}

// MayStop reports whether a person with these roles may set the key to its safe value alone.
func (d Definition) MayStop(roles []string) bool {
	return d.Safe != "" && slices.ContainsFunc(d.StopBy, func(role string) bool { return slices.Contains(roles, role) })
}

// Viewer is the reader of a value. An unknown field is empty and fits no rule that requires it.
type Viewer struct{ Country, Language, Platform string }

// Rule gives a key another value for some viewers. Each non-empty list must contain the viewer's.
type Rule struct {
	Countries, Languages, Platforms []string
	Value                           string
}

// Fits reports whether the rule applies to a viewer.
func (r Rule) Fits(v Viewer) bool {
	return fits(r.Countries, v.Country) && fits(r.Languages, v.Language) && fits(r.Platforms, v.Platform)
}

func fits(list []string, one string) bool { return len(list) == 0 || slices.Contains(list, one) }

// Setting is a key's value with its rules: the first rule that fits a viewer gives the value, otherwise Value does.
type Setting struct {
	Value   string
	Rules   []Rule
	Version int // 0 for the unchanged default
}

// For returns the value for a viewer and the number of the rule that gave it, counted from 1; 0 for none.
func (s Setting) For(v Viewer) (value string, rule int) {
	for i, r := range s.Rules {
		if r.Fits(v) {
			return r.Value, i + 1
		}
	}
	return s.Value, 0
}

// maxRules is the highest number of rules of a key.
const maxRules = 20

// ReadRules normalises and checks typed rules. Refusals: field rules, and those of Read.
func (d Definition) ReadRules(rules []Rule) ([]Rule, error) {
	if len(rules) > 0 && !d.Targeted || len(rules) > maxRules {
		return nil, errs.Field("rules", "field.choice")
	}
	out := make([]Rule, len(rules))
	for i, r := range rules {
		value, err := d.Read(r.Value)
		if err != nil {
			return nil, err
		}
		out[i] = Rule{tidy(r.Countries, strings.ToUpper), tidy(r.Languages, strings.TrimSpace), tidy(r.Platforms, strings.TrimSpace), value}
		if len(out[i].Countries)+len(out[i].Languages)+len(out[i].Platforms) == 0 {
			return nil, errs.Field("rules", "field.required")
		}
		for _, text := range slices.Concat(out[i].Countries, out[i].Languages, out[i].Platforms) {
			if !name(text) {
				return nil, errs.Field("rules", "field.choice")
			}
		}
	}
	return out, nil
}

func tidy(list []string, form func(string) string) []string {
	out := []string{}
	for _, text := range list {
		if text = form(strings.TrimSpace(text)); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// name reports whether a text can be a country, a language or a platform.
func name(text string) bool {
	return len(text) <= 16 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}
