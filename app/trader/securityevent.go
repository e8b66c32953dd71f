package trader

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"candor/app/audit"
	"candor/app/platform/geo"
	"candor/app/session"
)

// SecurityEventKinds are the kinds of security events: the actions of the audit log that a trader sees, without "trader.".
var SecurityEventKinds = []string{
	"register", "login", "refuse_login", "refuse_code", "refuse_factor", "end_moved_session", "end_session", "end_sessions", "remove_device", "remove_other_devices",
	"change_password", "reset_password", "send_password_reset", "set_payment_password", "change_payment_password", "reset_payment_password", "lock_payment_password",
	"set_authenticator", "remove_authenticator", "add_passkey", "rename_passkey", "remove_passkey", "new_recovery_codes", "use_recovery_code",
	"change_contact", "grant_contact", "reset_factor", "link_wallet", "unlink_wallet", "set_phrase", "remove_phrase", "hold", "freeze", "restrict", "lift",
	"change_profile", "request_export", "download_export", "close", "reopen", "keep_open",
}

// SecurityEvent is something that happened to what guards a trader's account.
type SecurityEvent struct {
	ID     int64
	Kind   string // one of SecurityEventKinds, or NewDevice
	At     time.Time
	By     string // trader, visitor, staff or system
	IP     string // empty for acts of staff and of the system
	Device string
	geo.Place
	About string // the device that was signed out, or the new contact with its middle hidden
}

// NewDevice is the kind of a log-in from a new device.
const NewDevice = "new_device"

// SecurityEvents lists the trader's security events, newest first, after an event (0 begins at the newest), with the event after which the next page begins, 0
// after the last. Refusal: ErrGuest.
func (s *Service) SecurityEvents(ctx context.Context, p session.Principal, before int64, limit int) (list []SecurityEvent, next int64, err error) {
	if p.Guest() {
		return nil, 0, ErrGuest
	}
	actions := make([]string, len(SecurityEventKinds))
	for i, kind := range SecurityEventKinds {
		actions[i] = "trader." + kind
	}
	entries, err := audit.AboutTrader(ctx, s.db.Pool, p.TraderID, actions, before, limit+1)
	if len(entries) > limit {
		entries = entries[:limit]
		next = entries[limit-1].ID
	}
	for _, e := range entries {
		list = append(list, securityEvent(e))
	}
	return list, next, err
}

// securityEvent is an entry as the trader reads it: not who of the staff acted, and from where.
func securityEvent(e audit.Entry) SecurityEvent {
	out := SecurityEvent{ID: e.ID, Kind: strings.TrimPrefix(e.Action, "trader."), At: e.At, By: string(e.ActorKind)}
	if e.ByVisitor() {
		out.By = "visitor"
	}
	if e.ActorKind != audit.Staff && e.IP != "" {
		out.IP, out.Device = e.IP, session.Device{UserAgent: e.Agent}.Name()
	}
	var told map[string]any
	if json.Unmarshal([]byte(e.After), &told) != nil {
		return out
	}
	word := func(name string) string {
		text, _ := told[name].(string)
		return text
	}
	switch out.Place = (geo.Place{Country: word("country"), City: word("city")}); {
	case out.Kind == "login" && told["new_device"] == true:
		out.Kind = NewDevice
	case out.Kind == "remove_device":
		out.About = word("device")
	case out.Kind == "change_contact", out.Kind == "grant_contact":
		out.About = word("contact")
	}
	return out
}
