// Package preference keeps how a trader wants the app to look and work, the same on all of their devices: one field per choice, and the newest change of each field wins.
//
// The fields are the trader's own data and have no other use. Closing an account removes the trader's rows of trader_preferences.
package preference

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"candor/app/platform/errs"
)

// Field is one preference and the time at which the trader last changed it.
type Field struct {
	Name      string
	Value     json.RawMessage
	ChangedAt time.Time
}

// Refusals of a preference. That of a value names the preference as its field.
var (
	ErrName     = errs.Field("name", "field.choice")
	ErrRepeated = errs.Field("name", "field.repeated")
	ErrTime     = errs.Field("changedAt", "field.range")
)

// errSize refuses a value with more bytes than its preference may have.
func errSize(name string) *errs.Error { return errs.Field(name, "field.length") }

// errValue refuses a value that its preference does not allow.
func errValue(name string) *errs.Error { return errs.Field(name, "field.choice") }

// rule is what a preference allows.
type rule struct {
	maxBytes int
	allows   func(value json.RawMessage) bool
}

// Sizes in bytes of JSON.
const (
	shortValue = 80
	longValue  = 8 << 10
)

// zoneForm is the form of a time zone: the device's, UTC, or an IANA name. The app ignores a zone that its browser does not know.
var zoneForm = regexp.MustCompile(`^(local|utc|[A-Za-z_]{2,20}(/[A-Za-z0-9_+-]{1,30}){1,2})$`)

// Forms of a product's id and of its default volume in lots.
var (
	productForm = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	lotsForm    = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,6})?$`)
)

// rulesFor lists every preference. languages are the codes of the app's languages.
func rulesFor(languages []string) map[string]rule {
	return map[string]rule{
		"theme":           oneOf("light", "dark", "system"),
		"language":        oneOf(languages...),
		"direction":       oneOf("green-up", "red-up", "red-up-blue-down", "blue-orange"),
		"hourCycle":       oneOf("12", "24"),
		"timeZone":        text(zoneForm.MatchString),
		"reduceMotion":    yesOrNo,
		"displayCurrency": oneOf("USD", "BTC", "ETH"),
		"hideSmall":       yesOrNo,
		"orderSounds":     yesOrNo,
		"compactRows":     yesOrNo,
		"shortcuts":       yesOrNo,
		"chartPeriod":     oneOf("1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"),
		"chartAverages":   yesOrNo,
		"orderEntry":      oneOf("one-click", "two-step", "review"),
		"protectionUnit":  oneOf("price", "distance", "percent", "amount"),
		"defaultLots":     {longValue, lotsByProduct},
	}
}

var yesOrNo = rule{shortValue, func(value json.RawMessage) bool { return string(value) == "true" || string(value) == "false" }}

func text(allows func(string) bool) rule {
	return rule{shortValue, func(value json.RawMessage) bool {
		var decoded *string
		return json.Unmarshal(value, &decoded) == nil && decoded != nil && allows(*decoded)
	}}
}

func oneOf(values ...string) rule {
	return text(func(value string) bool { return slices.Contains(values, value) })
}

func lotsByProduct(value json.RawMessage) bool {
	var lots map[string]*string
	if json.Unmarshal(value, &lots) != nil || lots == nil {
		return false
	}
	for product, volume := range lots {
		if volume == nil || !productForm.MatchString(product) || !lotsForm.MatchString(*volume) {
			return false
		}
	}
	return true
}
