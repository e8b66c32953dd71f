package notice

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// inlineElements are the elements inside a paragraph; all others are blocks.
var inlineElements = []string{"a", "strong", "em", "code", "br"}

var (
	blankLine = regexp.MustCompile(`[ \t]*\n[ \t]*\n\s*`)
	lineEnd   = regexp.MustCompile(`[ \t]*\n\s*`)
	breakEnd  = regexp.MustCompile(`<br/?>\s*\n[ \t]*`)
)

// paragraphs wraps the text outside blocks of cleaned HTML in paragraphs. An element's whole content stays in one paragraph.
func paragraphs(text string) string {
	var out []string
	var words strings.Builder // the paragraphs before the next block
	var block strings.Builder
	depth, spans := 0, 0 // open blocks, and open elements within a paragraph
	made := 0
	end := func() {
		list := split(words.String())
		made, out = made+len(list), append(out, list...)
		words.Reset()
	}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := string(tokens.Raw())
		name, _ := tokens.TagName()
		inside := slices.Contains(inlineElements, string(name))
		switch {
		case kind == html.TextToken && depth > 0, kind != html.TextToken && (inside && depth > 0):
			block.WriteString(raw)
		case kind == html.TextToken && spans > 0:
			words.WriteString(lineEnd.ReplaceAllString(raw, "<br>"))
		case kind == html.TextToken:
			words.WriteString(raw)
		case inside:
			words.WriteString(raw)
			spans += step(kind, string(name))
		default:
			end()
			block.WriteString(raw)
			if depth += step(kind, string(name)); depth <= 0 {
				depth = 0
				out = append(out, block.String())
				block.Reset()
			}
		}
	}
	end()
	if block.Len() > 0 {
		out = append(out, block.String())
	}
	if made == 0 {
		return text
	}
	return strings.Join(out, "\n")
}

// step is the difference in depth that a token makes.
func step(kind html.TokenType, name string) int {
	switch {
	case name == "br" || kind == html.SelfClosingTagToken:
		return 0
	case kind == html.EndTagToken:
		return -1
	}
	return 1
}

// split makes paragraphs of text with line ends.
func split(words string) (out []string) {
	for _, one := range blankLine.Split(breakEnd.ReplaceAllString(words, "\n"), -1) {
		if one = strings.TrimSpace(one); one != "" {
			out = append(out, "<p>"+lineEnd.ReplaceAllString(one, "<br>")+"</p>")
		}
	}
	return out
}

var typedText = strings.NewReplacer("<p>", "", "</p>\n", "\n\n", "</p>", "\n\n", "<br>", "\n", "<br/>", "\n")

// ToTyped converts a body back to typed text, with blank lines between paragraphs, when that loses nothing; otherwise it returns the HTML.
func ToTyped(body string) string {
	typed := strings.TrimSpace(typedText.Replace(body))
	if bare(Clean(typed)) != bare(body) {
		return body
	}
	return typed
}

var between = strings.NewReplacer(">\n", ">", "<br/>", "<br>")

// bare is HTML without the line ends between its elements.
func bare(body string) string { return between.Replace(body) }
