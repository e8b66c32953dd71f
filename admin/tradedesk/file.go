package tradedesk

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/sheet"
	"candor/app/trader"
)

// A file has at most fileRows rows, read filePage at a time.
const (
	fileRows = 10_000
	filePage = 500
)

// fileColumns are the column names; they never change.
var fileColumns = []string{"trader", "contact", "country", "type", "level", "verified", "accounts", "guest", "example", "registered_at"}

// file answers with the filtered list as a file, masked as the list is. The audit log records the export first: the filters, and whether it was a search, but
// not the searched words.
func (s Services) file(r *desk.Request) error {
	pc, lf := newPageContext(r), readListFilter(r.QueryParams())
	list, next, err := s.found(pc.ctx, lf, 0, filePage)
	if err != nil {
		return err
	}
	how, err := json.Marshal(map[string]any{"searched": lf.words != "", "verified": lf.verified, "restriction": lf.restriction})
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), "trader.export", "traders", "list")
	entry.After = string(how)
	if err := s.Audit.Record(pc.ctx, entry); err != nil {
		return err
	}
	return r.File("traders", func() error { return s.write(r, pc, lf, list, next) })
}

// write writes the first page's rows, and those of the following pages.
func (s Services) write(r *desk.Request, pc pageContext, lf listFilter, list []trader.Listed, next int64) (err error) {
	w := sheet.New(r.Response())
	if err := w.Row(fileColumns...); err != nil {
		return err
	}
	for written := 0; ; {
		for _, l := range list {
			if err := w.Row(cells(l)...); err != nil {
				return err
			}
		}
		if written += len(list); next == 0 || written >= fileRows {
			break
		}
		if list, next, err = s.found(pc.ctx, lf, next, filePage); err != nil {
			return err
		}
	}
	return w.Flush()
}

// cells is a trader as a row of a file: what the list shows, with the middle of each contact hidden.
func cells(l trader.Listed) []string {
	var books []string
	for _, b := range l.Books {
		books = append(books, string(b))
	}
	verified := ""
	if at := slices.Index(statuses, l.AuthStatus); at >= 0 {
		verified = verdicts[at]
	}
	return []string{
		strconv.FormatInt(l.ID, 10), contacts(l.Trader), l.Country, strconv.Itoa(l.Type), strconv.Itoa(l.Level), verified, strings.Join(books, " "),
		strconv.FormatBool(l.Guest()), strconv.FormatBool(l.Example()), l.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z07:00"),
	}
}
