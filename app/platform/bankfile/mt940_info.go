package bankfile

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Field 86 of MT940, information to the account owner, is free text of up to six lines of 65 characters by the SWIFT standard. Banks of Germany, Austria and
// Eastern Europe structure it by codes (Deutsche Kreditwirtschaft, DFÜ-Abkommen annex 3, "Geschäftsvorfallcodes" and field 86), others by words between slashes.

const (
	infoWidth = 65 // characters of a line of field 86
	partWidth = 27 // characters of a subfield of the German structure
)

var (
	// codedInfo begins with a three-digit transaction code and the separator of the subfields.
	codedInfo = regexp.MustCompile(`^[0-9]{3}([?@~<>^|$%])[0-9]{2}`)
	// sepaTag begins a part of the remittance information in the German structure.
	sepaTag = regexp.MustCompile(`(?:^|[\s])(EREF|KREF|MREF|BREF|RREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\+`)
	// slashWord begins a part in the style with slashes.
	slashWord = regexp.MustCompile(`/(ACCW|ADDR|BENM|BIC|CNTP|CSID|EREF|IBAN|ISDT|KREF|MARF|NAME|ORDP|PREF|PURP|REMI|RTRN|SVCL|TRCD|TRTP|ULTC|ULTD)/`)
)

// describe fills in what a field 86 says of its line. Payers can write codes and words of these styles into their text, so that name and account of an MT940 line
// help to find the payer and prove nothing; the first of equal codes counts, which is the bank's.
func describe(line *Line, lines []string) {
	joined := strings.Join(lines, "")
	switch {
	case codedInfo.MatchString(joined):
		describeCoded(line, joined)
	case slashWord.MatchString(joined) && strings.HasPrefix(joined, "/"):
		describeSlashes(line, joined)
	default:
		line.Text = firstOf(squeeze(joinWrapped(lines, infoWidth)), line.Text)
	}
}

// describeCoded reads subfields: 20 to 29 and 60 to 63 are the text, 31 the account, 32 and 33 the name.
func describeCoded(line *Line, info string) {
	var texts, names []string
	bookingText, account := "", ""
	for _, part := range strings.Split(info[3:], info[3:4]) {
		if len(part) < 2 {
			continue
		}
		switch code, value := part[:2], part[2:]; {
		case code >= "20" && code <= "29" || code >= "60" && code <= "63":
			texts = append(texts, value)
		case code == "00":
			bookingText = squeeze(value)
		case code == "31":
			account = compact(value)
		case code == "32" || code == "33":
			names = append(names, value)
		}
	}
	parts := sepaParts(joinWrapped(texts, partWidth))
	line.Text = firstOf(parts["SVWZ"], parts[""], line.Text, bookingText)
	line.Reference = firstOf(reference(parts["EREF"]), line.Reference, reference(parts["KREF"]))
	line.Counterparty = squeeze(joinWrapped(names, partWidth))
	line.CounterpartyAccount = firstOf(account, compact(parts["IBAN"]))
}

// joinWrapped joins lines that were cut at a width: a full one goes on without a space, unless the next begins a part of its own.
func joinWrapped(lines []string, width int) string {
	var out strings.Builder
	for i, line := range lines {
		if i > 0 && (utf8.RuneCountInString(lines[i-1]) < width || sepaTag.MatchString(line)) {
			out.WriteByte(' ')
		}
		out.WriteString(line)
	}
	return out.String()
}

// sepaParts splits a text by its tags; what stands before the first one is under "".
func sepaParts(text string) map[string]string {
	parts := map[string]string{}
	at, tag := 0, ""
	for _, m := range sepaTag.FindAllStringSubmatchIndex(text, -1) {
		parts[tag] = firstOf(parts[tag], squeeze(text[at:m[0]]))
		at, tag = m[1], text[m[2]:m[3]]
	}
	parts[tag] = firstOf(parts[tag], squeeze(text[at:]))
	return parts
}

// describeSlashes reads words between slashes. CNTP holds account, BIC, name and city; REMI may name its kind before the text.
func describeSlashes(line *Line, info string) {
	words := map[string]string{}
	found := slashWord.FindAllStringSubmatchIndex(info, -1)
	for i, m := range found {
		end := len(info)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		word := info[m[2]:m[3]]
		words[word] = firstOf(words[word], info[m[1]:end])
	}
	counterparty := append(strings.Split(words["CNTP"], "/"), "", "", "")
	line.CounterpartyAccount = compact(firstOf(plain(words["IBAN"]), plain(counterparty[0])))
	line.Counterparty = firstOf(plain(words["NAME"]), plain(counterparty[2]))
	line.Reference = firstOf(reference(plain(words["EREF"])), line.Reference, reference(plain(words["KREF"])))
	line.Text = firstOf(remittance(words["REMI"]), line.Text)
}

// plain is a value without the slashes around it.
func plain(value string) string { return squeeze(strings.Trim(strings.TrimSpace(value), "/")) }

// remittance is the text of REMI without the word for its kind and, if structured, the issuer of the reference.
func remittance(value string) string {
	if text, ok := strings.CutPrefix(value, "USTD//"); ok {
		return plain(text)
	}
	if text, ok := strings.CutPrefix(value, "STRD/"); ok {
		if _, after, issued := strings.Cut(text, "/"); issued {
			text = after
		}
		return plain(text)
	}
	return plain(value)
}
