package chatdesk

import (
	"strings"
	"unicode"

	"candor/templates/ui"
)

// before is how many characters a row shows before the first match.
const before = 24

// mark splits a row's text into matches and the text between them. The message is a part of the text; its line with the first match is shown.
func mark(text, message, words string) []ui.Piece {
	head, tail := text+" · ", "" // the text below a picture
	if at := strings.LastIndex(text, message); at >= 0 {
		head, tail = text[:at], text[at+len(message):]
	}
	line := []rune(message)
	hit := matches(line, words)
	if first := firstOf(hit); first >= 0 {
		line, hit = lineAt(line, hit, first)
	}
	out := []ui.Piece{{Text: head}}
	for i, sign := range line {
		if last := &out[len(out)-1]; i > 0 && last.Marked == hit[i] {
			last.Text += string(sign)
		} else {
			out = append(out, ui.Piece{Text: string(sign), Marked: hit[i]})
		}
	}
	return append(out, ui.Piece{Text: tail})
}

// matches reports for each character whether it belongs to one of the words, ignoring case.
func matches(line []rune, words string) []bool {
	hit, small := make([]bool, len(line)), make([]rune, len(line))
	for i, sign := range line {
		small[i] = unicode.ToLower(sign)
	}
	for _, word := range strings.Fields(words) {
		wanted := []rune(strings.ToLower(word))
		for at := 0; at+len(wanted) <= len(small); at++ {
			if string(small[at:at+len(wanted)]) == string(wanted) {
				for i := range wanted {
					hit[at+i] = true
				}
			}
		}
	}
	return hit
}

func firstOf(hit []bool) int {
	for i, is := range hit {
		if is {
			return i
		}
	}
	return -1
}

// lineAt is the line of a match, from shortly before the match.
func lineAt(text []rune, hit []bool, at int) (line []rune, marks []bool) {
	from, to := at, at
	for from > 0 && text[from-1] != '\n' {
		from--
	}
	for to < len(text) && text[to] != '\n' {
		to++
	}
	if at-from <= before {
		return text[from:to], hit[from:to]
	}
	from = at - before
	return append([]rune{'…'}, text[from:to]...), append([]bool{false}, hit[from:to]...)
}
