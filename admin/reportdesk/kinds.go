package reportdesk

import (
	"candor/admin/access"
	"candor/app/report"
)

// The groups of reports.
const (
	ofMoney    = "money"
	ofTrading  = "trading"
	ofIdentity = "identity"
	ofChat     = "chat"
)

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
	{name: "service", group: ofChat, permission: access.ReportSupport, daily: true, read: (*report.Service).Service},
	{name: "service-languages", group: ofChat, permission: access.ReportSupport, place: "language", read: (*report.Service).ServiceByLanguage},
	{name: "service-agents", group: ofChat, permission: access.ReportAgents, place: "colleague", keys: "report.colleague.", read: (*report.Service).ServiceByAgent},
	{name: "satisfaction", group: ofChat, permission: access.ReportSupport, daily: true, read: (*report.Service).Satisfaction},
	{name: "satisfaction-weeks", group: ofChat, permission: access.ReportSupport, weekly: true, read: (*report.Service).SatisfactionByWeek},
	{name: "satisfaction-agents", group: ofChat, permission: access.ReportAgents, place: "colleague", keys: "report.colleague.", read: (*report.Service).SatisfactionByAgent},
	{name: "satisfaction-weeks-agents", group: ofChat, permission: access.ReportAgents, place: "colleague", weekly: true, keys: "report.colleague.", read: (*report.Service).SatisfactionByWeekAndAgent},
}
