package reportdesk

import (
	"context"
	"time"

	"candor/admin/access"
	"candor/app/report"
	"candor/app/support"
)

// The groups of reports.
const (
	ofMoney    = "money"
	ofTrading  = "trading"
	ofIdentity = "identity"
	ofChat     = "chat"
)

// timed is a report on service times against the target for a first answer.
func timed(read func(*report.Service, context.Context, report.Span, time.Duration) (report.Table, error)) func(*report.Service, context.Context, report.Span) (report.Table, error) {
	return func(s *report.Service, ctx context.Context, span report.Span) (report.Table, error) {
		return read(s, ctx, span, support.Target)
	}
}

// kinds are all reports, in the order of the list.
var kinds = []kind{
	{name: "deposits", group: ofMoney, permission: access.ReportFinance, place: "channel", daily: true, read: (*report.Service).Deposits},
	{name: "withdrawals", group: ofMoney, permission: access.ReportFinance, place: "channel", daily: true, keys: "report.withdrawal.", read: (*report.Service).Withdrawals},
	{name: "first-deposits", group: ofMoney, permission: access.ReportFinance, daily: true, read: (*report.Service).FirstDeposits},
	{name: "registrations", group: ofMoney, permission: access.ReportFinance, daily: true, read: (*report.Service).Registered},
	{name: "funnel", group: ofMoney, permission: access.ReportFinance, place: "stage", keys: "report.stage.", read: (*report.Service).Funnel},
	{name: "volume", group: ofTrading, permission: access.ReportTrading, place: "class", daily: true, keys: "product.class.", read: (*report.Service).Volume},
	{name: "house-result", group: ofTrading, permission: access.ReportTrading, daily: true, read: (*report.Service).HouseResult},
	{name: "identity", group: ofIdentity, permission: access.ReportIdentity, daily: true, read: (*report.Service).Identities},
	{name: "reviewers", group: ofIdentity, permission: access.ReportReviewers, place: "colleague", keys: "report.colleague.", read: (*report.Service).Reviewers},
	{name: "service", group: ofChat, permission: access.ReportSupport, daily: true, read: timed((*report.Service).Service)},
	{name: "service-languages", group: ofChat, permission: access.ReportSupport, place: "language", read: timed((*report.Service).ServiceByLanguage)},
	{name: "service-agents", group: ofChat, permission: access.ReportAgents, place: "colleague", keys: "report.colleague.", read: timed((*report.Service).ServiceByAgent)},
	{name: "satisfaction", group: ofChat, permission: access.ReportSupport, daily: true, read: (*report.Service).Satisfaction},
	{name: "satisfaction-agents", group: ofChat, permission: access.ReportAgents, place: "colleague", keys: "report.colleague.", read: (*report.Service).SatisfactionByAgent},
}
