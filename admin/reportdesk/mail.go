package reportdesk

import (
	"context"
	"slices"
	"strings"

	"candor/admin/access"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/mail"
	"candor/app/report"
	"candor/app/staff"
)

// Mailer sends the subscribed reports; a schedule runs it.
type Mailer struct {
	Reports *report.Service
	Staff   *staff.Service
	Access  *access.Enforcer
	Outbox  *mail.Outbox
	Texts   *i18n.Catalogue
	Address string // the back office's, from the configuration: the start of links
}

// SendDue sends the reports whose time has come.
func (m Mailer) SendDue(ctx context.Context) error {
	return m.Reports.SendDue(db.WithLane(ctx, db.House), m.Outbox, m.write)
}

// write writes a report for a member who may still read it. It holds sums, and nobody's data.
func (m Mailer) write(ctx context.Context, due report.Subscription) (out mail.Message, ok bool, err error) {
	person, err := m.Staff.Person(ctx, due.StaffID)
	if err != nil {
		return out, false, err
	}
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == due.Report })
	if at < 0 || person.State != staff.Active || !m.Access.Allowed(person.Roles, kinds[at].permission) {
		return out, false, nil
	}
	span, err := due.Span(due.NextAt)
	if err != nil {
		return out, false, err
	}
	table, err := kinds[at].read(m.Reports, ctx, span)
	refusal := errs.As(err)
	if err != nil && refusal == nil {
		return out, false, err
	}
	lang := person.Language
	if !slices.Contains(m.Texts.Languages(), lang) {
		lang = i18n.Reference
	}
	w := writer{i18n.WithLang(ctx, m.Texts, lang), kinds[at]}
	days := span.Days()
	from, to := days[0].Format("2006-01-02"), days[len(days)-1].Format("2006-01-02")
	args := []any{
		"name", person.Name, "report", w.title(), "from", from, "to", to, "zone", due.Zone,
		"link", m.Address + home + "/" + due.Report + "?from=" + from + "&to=" + to,
	}
	if refusal != nil { // the member is told why there are no figures: the same days would be refused again
		args = append(args, "figures", "", "summary", w.word("error."+refusal.Key))
	} else {
		args = append(args, "figures", w.text(table), "summary", w.summary(table))
	}
	return mail.Message{
		Kind: "report", Channel: mail.Mail, Recipient: person.Email, Subject: w.word("message.report.subject", args...), Body: w.word("message.report.body", args...), LowPriority: true,
	}, true, nil
}

// text is a table as lines of text: a line with the name of each row, and below it its figures.
func (w writer) text(t report.Table) string {
	var out strings.Builder
	line := func(words []string, row report.Row) {
		out.WriteString(strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), ", "))
		out.WriteString("\n")
		for i, f := range row.Figures {
			out.WriteString("  " + w.head(t.Columns[i]) + ": " + w.figure(t.Columns[i], row, f) + "\n")
		}
	}
	for _, row := range t.Rows {
		line(w.names(t, row), row)
	}
	for _, sum := range t.Totals {
		line(w.total(t, sum), sum)
	}
	return out.String()
}
