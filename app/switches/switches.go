// Package switches names every configuration key and feature switch once, with its type, bounds, default, owner and risk, says which value is in force for
// whom, and lets people change values: what is sensitive by two, what reduces risk at once.
package switches

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// Type is what a value must look like.
type Type string

// The types. No key needs structured data: what has structure has a table of its own.
const (
	Bool    Type = "bool"
	Int     Type = "int"
	Decimal Type = "decimal"
	Text    Type = "text"
	Enum    Type = "enum"
)

// Area is the part of the product that a key steers.
type Area string

// The areas, in the order to show.
const (
	Money   Area = "money"
	Trading Area = "trading"
	App     Area = "app"
	Desk    Area = "desk"
)

// Areas lists them in the order to show.
var Areas = []Area{Money, Trading, App, Desk}

// Risk says how a key is changed.
type Risk string

// The risk classes.
const (
	Ordinary  Risk = "ordinary"  // by one person, after a look at the difference
	Sensitive Risk = "sensitive" // by two
	Locked    Risk = "locked"    // by nobody here: nothing is behind it, or it is told from elsewhere
)

// Units of values, as locale keys of the back office.
const (
	Percent   = "percent"
	USDT      = "usdt"
	USDTALot  = "usdt_a_lot"
	noUnit    = ""
	unlimited = ""
)

// Definition is one key, named once.
type Definition struct {
	Key      string
	Type     Type
	Area     Area
	Risk     Risk
	Owner    string // the role that answers for it
	Unit     string
	Min, Max string   // the bounds of a number; empty for none
	Choices  []string // of an enum
	Default  string
	Unset    string   // what holds while the value in force is an empty text; empty where that is not foreseen
	Public   bool     // the app may read it
	Targeted bool     // its value may differ by country, language and platform; never one that moves money
	Safe     string   // the value that reduces risk; empty for none
	StopBy   []string // the roles of which one person sets it to Safe at once
}

// longestText is how many characters a text value may have.
const longestText = 500

// Read brings a typed value into its one form. Refusals: field value.
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
		return d.within(money.Trim(n*money.Unit, money.Scale))
	case Decimal:
		amount, err := money.Parse(value, money.Scale)
		if err != nil {
			return "", errs.Field("value", "field.number")
		}
		return d.within(money.Trim(amount, money.Scale))
	case Text:
		if utf8.RuneCountInString(value) > longestText || !db.IsText(value) {
			return "", errs.Field("value", "field.length")
		}
	}
	return value, nil
}

func (d Definition) within(value string) (string, error) {
	if d.Min != unlimited && amount(value) < amount(d.Min) || d.Max != unlimited && amount(value) > amount(d.Max) {
		return "", errs.Field("value", "field.range")
	}
	return value, nil
}

// amount is a decimal text in units of 10^-6; what is none counts as 0, so that limits close.
func amount(text string) int64 {
	v, err := money.Parse(text, money.Scale)
	if err != nil {
		return 0
	}
	return v
}

// MayStop tells whether somebody with these roles sets the key to its safe value alone.
func (d Definition) MayStop(roles []string) bool {
	return d.Safe != "" && slices.ContainsFunc(d.StopBy, func(role string) bool { return slices.Contains(roles, role) })
}

// Viewer is who a value is for. What is not known stays empty, and fits no rule that asks for it.
type Viewer struct{ Country, Language, Platform string }

// Rule gives a key another value for some viewers. Each list that is not empty must name the viewer's.
type Rule struct {
	Countries, Languages, Platforms []string
	Value                           string
}

// Fits tells whether the rule is about a viewer.
func (r Rule) Fits(v Viewer) bool {
	return fits(r.Countries, v.Country) && fits(r.Languages, v.Language) && fits(r.Platforms, v.Platform)
}

func fits(list []string, one string) bool { return len(list) == 0 || slices.Contains(list, one) }

// Setting is what is in force of a key: the first rule that fits a viewer gives its value, else Value holds.
type Setting struct {
	Value   string
	Rules   []Rule
	Version int // 0 while nobody has changed the default
}

// For is the value for a viewer, and the rule that gave it, counted from 1; 0 for none.
func (s Setting) For(v Viewer) (value string, rule int) {
	for i, r := range s.Rules {
		if r.Fits(v) {
			return r.Value, i + 1
		}
	}
	return s.Value, 0
}

// mostRules is how many rules one key may have.
const mostRules = 20

// ReadRules brings typed rules into their one form. Refusals: field rules, and those of Read.
func (d Definition) ReadRules(rules []Rule) ([]Rule, error) {
	if len(rules) > 0 && !d.Targeted || len(rules) > mostRules {
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

// name tells whether a text can be a country, a language or a platform.
func name(text string) bool {
	return len(text) <= 16 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}
