package tradedesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/trader"
)

// fileColumns are the column names; they never change.
var fileColumns = []string{"trader", "contact", "country", "type", "level", "verified", "accounts", "guest", "example", "registered_at", "tags"}

// lines are traders as rows of a file.
func (s Services) lines(r *desk.Request, list []trader.Listed) ([][]string, error) {
	asked, err := s.askedAgain(r, list)
	if err != nil {
		return nil, err
	}
	tags, err := s.tagsOf(r.Context.Request().Context(), list)
	withhold(r, list, tags)
	rows := make([][]string, len(list))
	for i, l := range list {
		rows[i] = cells(l, asked[l.ID], tags[l.ID])
	}
	return rows, err
}

// cells is a trader as a row of a file: what the list shows, with the middle of each contact hidden.
func cells(l trader.Listed, askedAgain bool, tags []trader.Tag) []string {
	var books []string
	for _, b := range l.Books {
		books = append(books, string(b))
	}
	verified := ""
	if at := slices.Index(statuses, l.AuthStatus); at >= 0 {
		verified = verdicts[at]
	}
	if askedAgain && l.AuthStatus == trader.AuthFailed {
		verified = "asked"
	}
	return []string{
		strconv.FormatInt(l.ID, 10), contacts(l.Trader), l.Country, strconv.Itoa(l.Type), strconv.Itoa(l.Level), verified, strings.Join(books, " "),
		strconv.FormatBool(l.Guest()), strconv.FormatBool(l.Example()), l.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z07:00"), strings.Join(tagNames(tags), ", "),
	}
}
