package notice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"candor/app/audit"
	"candor/app/platform/errs"
)

// Refusals of a translation.
var (
	ErrSource      = errs.New(errs.Refused, "content.translation.source")      // the source changed after it was exported
	ErrMarkup      = errs.New(errs.Refused, "content.translation.markup")      // other elements or links than in the source
	ErrPlaceholder = errs.New(errs.Refused, "content.translation.placeholder") // other {placeholders} than in the source
)

// Fingerprint identifies a text by all its parts, so that a translation of an older one is recognised.
func (t Text) Fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{t.Locale, t.Title, t.Summary, t.Body, t.Alt}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

var placeholder = regexp.MustCompile(`\{+[A-Za-z0-9_:.]+\}+`)

// CheckTranslation checks that a translation may replace a text of a kind, and normalises it: its parts, and that it has the source's elements, links and
// placeholders. Refusals: fields, ErrMarkup, ErrPlaceholder.
func (k Kind) CheckTranslation(source, text Text) (Text, error) {
	text, err := k.readText(text)
	if err != nil || text.empty() {
		return text, err
	}
	if !slices.Equal(elements(source.Body), elements(text.Body)) {
		return text, ErrMarkup
	}
	for _, part := range [][2]string{{source.Title, text.Title}, {source.Summary, text.Summary}, {source.Body, text.Body}, {source.Alt, text.Alt}} {
		if part[1] != "" && !slices.Equal(placeholders(part[0]), placeholders(part[1])) {
			return text, ErrPlaceholder
		}
	}
	return text, nil
}

func placeholders(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

// elements are the elements of a body and the targets of its links, sorted: a translation may have them in another order.
func elements(body string) (out []string) {
	for tokens := html.NewTokenizer(strings.NewReader(body)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		word := token.Data
		for _, a := range token.Attr {
			if a.Key == "href" {
				word += " " + a.Val
			}
		}
		out = append(out, word)
	}
	slices.Sort(out)
	return out
}

// Translate writes texts of several languages into the current revision, as Edit does, all or none. It publishes nothing.
// Refusals: fields, ErrItem, approval.ErrChanged.
func (s *Service) Translate(ctx context.Context, by audit.Actor, id int64, version int, texts []Text) (Item, error) {
	changes := make([]change, len(texts))
	for i, text := range texts {
		changes[i] = s.changeText(text)
	}
	return s.edit(ctx, by, id, version, changes...)
}
