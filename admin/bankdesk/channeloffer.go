package bankdesk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/deposit"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/money"
	"candor/templates/ui"
)

// How a channel is offered: in which countries, for which fee, and with which instructions.

const (
	instructionField = "instructions." // before the language
	newLanguage      = "language"      // the language of another text
	newText          = "text"
)

// offerNames are the form's fields of the offer.
func offerNames() []string {
	names := []string{"countries", "fee", newLanguage, newText}
	for _, locale := range notice.Locales {
		names = append(names, instructionField+locale)
	}
	return names
}

// offerValues are the offer in words.
func offerValues(ctx context.Context, c deposit.Channel) []value {
	var countries, texts []string
	for code := range strings.SplitSeq(c.Countries, ",") {
		if code != "" {
			countries = append(countries, caseengine.Country(ctx, code))
		}
	}
	for _, locale := range slices.Sorted(maps.Keys(c.Instructions)) {
		texts = append(texts, ui.LanguageName(locale)+": "+c.Instructions[locale])
	}
	offered, fee := i18n.T(ctx, "channel.countries.every"), i18n.T(ctx, "channel.fee.platform")
	if len(countries) > 0 {
		offered = strings.Join(countries, ", ")
	}
	if c.OwnFee != nil {
		fee = ui.Percent(money.Trim(*c.OwnFee, money.Scale))
	}
	return []value{{key: "countries", text: offered}, {key: "fee", text: fee}, {key: "instructions", text: strings.Join(texts, "\n")}}
}

// typedOffer reads the offer of the form over a channel. Refusals: fields.
func typedOffer(c deposit.Channel, values map[string]string) (deposit.Channel, error) {
	c.Countries, c.OwnFee, c.Instructions = values["countries"], nil, deposit.Texts{}
	if typed := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(values["fee"]), "%")); typed != "" {
		fee, err := money.Parse(desk.Decimal(typed), money.Scale)
		if err != nil {
			return c, errs.Field("fee", "field.number")
		}
		c.OwnFee = &fee
	}
	for _, locale := range notice.Locales {
		c.Instructions[locale] = values[instructionField+locale]
	}
	switch language, text := values[newLanguage], values[newText]; {
	case language == "" && strings.TrimSpace(text) != "":
		return c, errs.Field(newLanguage, "field.choice")
	case language != "" && slices.Contains(notice.Locales, language):
		c.Instructions[language] = text
	}
	return c, nil
}

// fillOffer fills in the form with the offer of a channel.
func fillOffer(values map[string]string, c deposit.Channel) {
	values["countries"] = c.Countries
	if c.OwnFee != nil {
		values["fee"] = money.Trim(*c.OwnFee, money.Scale)
	}
	for locale, text := range c.Instructions {
		values[instructionField+locale] = text
	}
}

// offerFields are the form's fields of the offer: a text in English, those in other languages that there are, and one more.
func offerFields(r *desk.Request, in caseengine.Typed) (out []ui.FieldView) {
	add := func(f ui.FieldView) { out = append(out, in.Field(f)) }
	countries := ui.FieldView{Name: "countries", Label: r.Word("channel.field.countries"), Hint: r.Word("channel.countries.hint"), Several: true, Placeholder: r.Word("channel.countries.every")}
	for _, c := range caseengine.Countries(ctxOf(r)) {
		countries.Options = append(countries.Options, ui.Option{Value: c.Value, Label: c.Label})
	}
	add(countries)
	add(ui.FieldView{Name: "fee", Label: r.Word("channel.field.fee"), Hint: r.Word("channel.fee.hint"), InputMode: "decimal", MaxLength: 8, Suffix: "%"})
	more := ui.FieldView{Name: newLanguage, Label: r.Word("channel.field.language"), Options: []ui.Option{{Label: r.Word("channel.language.none")}}}
	for n, locale := range notice.Locales {
		field := ui.FieldView{Name: instructionField + locale, Label: r.Word("channel.instructions.in", "language", ui.LanguageName(locale)), Rows: 3, MaxLength: deposit.InstructionsLength}
		if n == 0 {
			field.Hint = r.Word("channel.instructions.hint")
		}
		if n == 0 || in.Values[field.Name] != "" {
			add(field)
			continue
		}
		more.Options = append(more.Options, ui.Option{Value: locale, Label: ui.LanguageName(locale), Selected: in.Values[newLanguage] == locale})
	}
	add(more)
	add(ui.FieldView{Name: newText, Label: r.Word("channel.field.text"), Rows: 3, MaxLength: deposit.InstructionsLength})
	return out
}
