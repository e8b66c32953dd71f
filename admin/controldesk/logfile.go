package controldesk

import (
	"encoding/json"
	"strconv"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/sheet"
)

// A file of the log has at most fileRows rows.
const (
	fileRows = 50_000
)

// logColumns are the column names; they never change.
var logColumns = []string{"entry", "at_utc", "actor_kind", "actor", "actor_name", "action", "target_kind", "target", "result", "ip", "trace", "before", "after", "roles", "agent"}

// logFile answers with the filtered log as a file. The log records the export first.
func (s Services) logFile(r *desk.Request) error {
	lf := readListFilter(r.QueryParams())
	f := lf.filter(r.Zone())
	f.Before, f.Limit, f.Whole = 0, audit.WholeLimit, true
	list, next, err := s.Audit.List(ctxOf(r), f)
	if err != nil {
		return err
	}
	if err := s.recordExport(r, lf); err != nil {
		return err
	}
	return r.File("audit", func() error { return s.writeLog(r, f, list, next) })
}

// recordExport records who exports the log, with which filter.
func (s Services) recordExport(r *desk.Request, lf listFilter) error {
	facts := map[string]string{}
	for _, pair := range lf.pairs() {
		if pair[1] != "" {
			facts[pair[0]] = pair[1]
		}
	}
	after, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), "audit.export", "audit", "log")
	entry.After = string(after)
	return s.Audit.Record(ctxOf(r), entry)
}

// writeLog writes the first page's entries, and those of the following pages.
func (s Services) writeLog(r *desk.Request, f audit.Filter, list []audit.Entry, next int64) error {
	w := sheet.New(r.Response())
	if err := w.Row(logColumns...); err != nil {
		return err
	}
	for written := 0; ; {
		for _, e := range list[:min(len(list), fileRows-written)] {
			if err := w.Row(logCells(e)...); err != nil {
				return err
			}
		}
		if written += len(list); next == 0 || written >= fileRows {
			return w.Flush()
		}
		f.Before = next
		var err error
		if list, next, err = s.Audit.List(ctxOf(r), f); err != nil {
			return err
		}
	}
}

func logCells(e audit.Entry) []string {
	return []string{
		strconv.FormatInt(e.ID, 10), e.At.UTC().Format("2006-01-02T15:04:05.000Z07:00"), string(e.ActorKind), strconv.FormatInt(e.ActorID, 10), e.ActorName, e.Action, e.TargetKind,
		e.TargetID, string(e.Result), e.IP, e.TraceID, e.Before, e.After, e.ActorRoles, e.Agent,
	}
}
