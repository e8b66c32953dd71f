package kycdesk

import (
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/kyc"
	"candor/app/platform/sheet"
)

// fileColumns are the column names; they never change. None of them has a text that a trader typed.
var fileColumns = []string{
	"case", "state", "trader", "country", "document", "attempt", "hints", "level_asked", "claimed_by", "first_person", "submitted_at", "waits_since", "second_person", "decided_at", "reason",
}

// cells are cases as rows of a file.
func (s Services) cells(r *desk.Request, list []kyc.Application) ([][]string, error) {
	pc, err := s.pageContext(r, nil, list...)
	rows := make([][]string, len(list))
	for i, a := range list {
		rows[i] = pc.line(a)
	}
	return rows, err
}

// line is a case as a row of a file, with what the queue shows.
func (pc pageContext) line(a kyc.Application) []string {
	risks := make([]string, len(a.Risks))
	for i, risk := range a.Risks {
		risks[i] = string(risk)
	}
	claimed := ""
	if a.ClaimActive(pc.Now) {
		claimed = pc.Name(a.ClaimedBy)
	}
	reason := ""
	if a.InternalReason != nil {
		reason = *a.InternalReason
	}
	return []string{
		a.Number(), string(a.State), strconv.FormatInt(a.TraderID, 10), a.Country, string(a.DocumentType), strconv.Itoa(a.Attempt), strings.Join(risks, " "),
		strconv.FormatBool(a.LevelAsked()), claimed, pc.Name(a.MakerID), sheet.Moment(a.SubmittedAt), sheet.Moment(a.WaitingSince()),
		pc.Name(a.LeadID), sheet.Moment(a.DecidedAt), reason,
	}
}
