package kycdesk

import (
	"encoding/json"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/platform/sheet"
)

// A file has at most fileRows rows, read filePage at a time.
const (
	fileRows = 10_000
	filePage = 1_000
)

// fileColumns are the column names; they never change. None of them has a text that a trader typed.
var fileColumns = []string{
	"case", "state", "trader", "country", "document", "attempt", "hints", "level_asked", "claimed_by", "first_person", "submitted_at", "waits_since",
}

// file answers with the filtered queue as a file. The audit log records the export first.
func (s Services) file(r *desk.Request) error {
	ctx := r.Context.Request().Context()
	lf := readListFilter(r)
	list, err := s.Identities.Queue(ctx, lf.filter(filePage))
	if err != nil {
		return err
	}
	how, err := json.Marshal(map[string]any{"state": lf.state, "age": lf.age, "country": lf.country, "type": lf.kind, "risk": lf.risk, "attempt": lf.attempt})
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), "kyc.export", "identities", "queue")
	entry.After = string(how)
	if err := s.Audit.Record(ctx, entry); err != nil {
		return err
	}
	return r.File("identities", func() error { return s.write(r, lf.filter(filePage), list) })
}

// write writes the first page's rows, and those of the following pages.
func (s Services) write(r *desk.Request, f kyc.Filter, list []kyc.Application) error {
	w := sheet.New(r.Response())
	if err := w.Row(fileColumns...); err != nil {
		return err
	}
	for written := 0; ; {
		pc, err := s.pageContext(r, nil, list...)
		if err != nil {
			return err
		}
		for _, a := range list {
			if err := w.Row(pc.cells(a)...); err != nil {
				return err
			}
		}
		if written += len(list); len(list) < filePage || written >= fileRows {
			break
		}
		last := list[len(list)-1]
		f.After, f.AfterID = *last.WaitingSince(), last.ID
		if list, err = s.Identities.Queue(pc.Ctx, f); err != nil {
			return err
		}
	}
	return w.Flush()
}

// cells is a case as a row of a file, with what the queue shows.
func (pc pageContext) cells(a kyc.Application) []string {
	risks := make([]string, len(a.Risks))
	for i, risk := range a.Risks {
		risks[i] = string(risk)
	}
	claimed := ""
	if a.ClaimActive(pc.Now) {
		claimed = pc.Name(a.ClaimedBy)
	}
	return []string{
		a.Number(), string(a.State), strconv.FormatInt(a.TraderID, 10), a.Country, string(a.DocumentType), strconv.Itoa(a.Attempt), strings.Join(risks, " "),
		strconv.FormatBool(a.LevelAsked()), claimed, pc.Name(a.MakerID), sheet.Moment(a.SubmittedAt), sheet.Moment(a.WaitingSince()),
	}
}
