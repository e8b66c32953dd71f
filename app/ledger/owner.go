package ledger

import "candor/app/audit"

// Owner is a trader who acts, with the account of the session.
type Owner struct {
	TraderID  int64
	AccountID int64
	Country   string // of residence; it may cap the leverage
	Name      string // masked, for the audit log
	IP        string
	Agent     string // the browser's user agent
	TraceID   string
}

// Actor is the owner as the audit log names them.
func (o Owner) Actor() audit.Actor {
	return audit.Actor{Kind: audit.Trader, ID: o.TraderID, Name: o.Name, IP: o.IP, Agent: o.Agent, TraceID: o.TraceID}
}
