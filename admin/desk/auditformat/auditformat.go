// Package auditformat describes entries of the audit log in sentences, for every desk that shows some.
package auditformat

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/market"
	"candor/templates/ui"
)

// Staff reads the names of people.
type Staff interface {
	Names(ctx context.Context, ids []int64) (map[int64]string, error)
}

// Products reads the traded products.
type Products interface {
	Product(id int) (market.Product, error)
}

// Formatter describes entries in sentences, with the names of the staff and products that they are about.
type Formatter struct {
	r        *desk.Request
	names    map[int64]string
	products Products
}

// New makes the formatter of some entries, for the member that reads them.
func New(r *desk.Request, people Staff, products Products, entries []audit.Entry) (f Formatter, err error) {
	var ids []int64
	for _, e := range entries {
		if id, err := strconv.ParseInt(e.TargetID, 10, 64); err == nil && e.TargetKind == "staff" {
			ids = append(ids, id)
		}
		for _, facts := range []map[string]any{decode(e.Before), decode(e.After)} {
			for name := range peopleFacts {
				if id, err := number(facts[name]); err == nil {
					ids = append(ids, id)
				}
			}
		}
	}
	f = Formatter{r: r, products: products}
	if len(ids) > 0 {
		f.names, err = people.Names(r.Context.Request().Context(), ids)
	}
	return f, err
}

// Facts that are the numbers of people, amounts, and texts that people type.
var (
	peopleFacts = map[string]bool{"maker": true, "checker": true, "lead": true, "claimedBy": true, "requester": true, "second": true, "third": true}
	amountFacts = map[string]bool{"amount": true, "received": true}
	typedFacts  = map[string]bool{"name": true, "passkey": true, "email": true, "recipient": true, "note": true, "reason": true} // as somebody typed them
)

func number(value any) (int64, error) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, strconv.ErrSyntax
	}
	return n.Int64()
}

// numeral writes a number: of a person, of an amount, or as it is.
func (f Formatter) numeral(name string, value json.Number) string {
	n, err := value.Int64()
	switch {
	case err == nil && peopleFacts[name] && f.names[n] != "":
		return f.names[n]
	case err == nil && peopleFacts[name]:
		return f.r.Word("audit.target.staff", "id", n)
	case err == nil && amountFacts[name]:
		return f.r.Figures().Amount(n)
	default:
		return value.String()
	}
}

// Actor describes who did it.
func (f Formatter) Actor(e audit.Entry) string {
	switch e.ActorKind {
	case audit.Trader:
		return f.r.Word("audit.actor.trader", "id", e.ActorID)
	case audit.System:
		if e.ActorName == audit.VisitorName {
			return f.Name(e)
		}
		return f.r.Word("audit.actor.system")
	default:
		return e.ActorName
	}
}

// Name is the name of the actor, or "Someone" for an anonymous visitor.
func (f Formatter) Name(e audit.Entry) string {
	if e.ActorName == audit.VisitorName {
		return f.r.Word("audit.actor.visitor")
	}
	return e.ActorName
}

// Target describes what it was done to.
func (f Formatter) Target(e audit.Entry) string {
	id, _ := strconv.ParseInt(e.TargetID, 10, 64)
	switch e.TargetKind {
	case "staff":
		if name := f.names[id]; name != "" {
			return name
		}
	case "product":
		if p, err := f.products.Product(int(id)); err == nil {
			return p.Symbol
		}
	case "switch":
		key := "switch.name." + e.TargetID
		if name := f.r.Word(key); name != key {
			return name
		}
	}
	key := "audit.target." + e.TargetKind
	text := f.r.Word(key, "id", e.TargetID)
	if text == key {
		return e.TargetKind + " " + e.TargetID
	}
	return text
}

// Describe is what was done, in words that follow the actor. An action without its own text is shown by its name.
func (f Formatter) Describe(e audit.Entry) string {
	args := map[string]any{"target": f.Target(e), "action": e.Action}
	for _, raw := range []string{e.Before, e.After} {
		for name, value := range decode(raw) {
			args[name] = f.Value(name, value)
		}
	}
	pairs := make([]any, 0, 2*len(args))
	for name, value := range args {
		pairs = append(pairs, name, value)
	}
	lookup := func(key string) (string, bool) {
		text := f.r.Word(key, pairs...)
		return text, text != key
	}
	if text, ok := lookup("audit." + e.Action + "." + string(e.Result)); ok {
		return text
	}
	text, ok := lookup("audit." + e.Action)
	if !ok {
		text, _ = lookup("audit.other")
	}
	if e.Result == audit.Done {
		return text
	}
	return f.r.Word("audit.result_"+string(e.Result), "sentence", text)
}

// Value writes one fact of an entry.
func (f Formatter) Value(name string, value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return f.text(name, v)
	case []any:
		parts := make([]string, len(v))
		for i, part := range v {
			parts[i] = f.Value(name, part)
		}
		return strings.Join(parts, ", ")
	case bool:
		return f.r.Word("audit.value." + strconv.FormatBool(v))
	case json.Number:
		return f.numeral(name, v)
	default:
		raw, _ := json.Marshal(v)
		return string(raw)
	}
}

// text writes a fact that is a text: a role, yes or no, a moment, a code, or what somebody wrote.
func (f Formatter) text(name, value string) string {
	if name == "role" || name == "roles" {
		return f.r.Word("role." + value)
	}
	if value == "true" || value == "false" {
		return f.r.Word("audit.value." + value)
	}
	if moment, err := time.Parse(time.RFC3339Nano, value); err == nil {
		return f.r.Moment(moment)
	}
	if typedFacts[name] || !codeText.MatchString(value) {
		return value
	}
	return strings.ReplaceAll(value, "_", " ")
}

// decode reads the facts of an entry; anything but an object becomes one fact.
func decode(raw string) map[string]any {
	if raw == "" {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(raw))
	decoder.UseNumber()
	var facts map[string]any
	if err := decoder.Decode(&facts); err != nil {
		return map[string]any{"value": raw}
	}
	return facts
}

// Changes lists the facts that an act changed, field by field in words.
func (f Formatter) Changes(e audit.Entry) []ui.FieldDiff {
	before, after := decode(e.Before), decode(e.After)
	fields := map[string]bool{}
	for name := range before {
		fields[name] = true
	}
	for name := range after {
		fields[name] = true
	}
	var out []ui.FieldDiff
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		change := ui.FieldDiff{Field: f.field(name), Before: f.Value(name, before[name]), After: f.Value(name, after[name])}
		if change.Before != change.After {
			out = append(out, change)
		}
	}
	return out
}

// field is the name of a fact: its text, or its own name in words.
func (f Formatter) field(name string) string {
	plain := spaced(name)
	if plain == "" {
		return name
	}
	key := "audit.field." + strings.ReplaceAll(plain, " ", "_")
	if text := f.r.Word(key); text != key {
		return text
	}
	return strings.ToUpper(plain[:1]) + plain[1:]
}

// spaced writes a name such as "session_epoch" or "claimedBy" as words; empty for anything else.
func spaced(name string) string {
	if !codeName.MatchString(name) {
		return ""
	}
	return strings.ToLower(humps.ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1 $2"))
}

var (
	codeName = regexp.MustCompile(`^[a-z][a-z0-9]*([_A-Z][A-Za-z0-9]*)*$`)
	humps    = regexp.MustCompile(`([a-z])([A-Z])`)
	codeText = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`) // a value such as "final_reject"
)

// icons are the icons of verbs, and of nouns where a verb has none.
var icons = map[string]ui.IconName{
	"approve": ui.IconCheck, "confirm": ui.IconDoubleCheck, "reject": ui.IconClose, "ask": ui.IconQuestion, "claim": ui.IconPerson, "release": ui.IconUndo,
	"view_proof": ui.IconEye, "reveal": ui.IconEye, "view": ui.IconEye, "view_relations": ui.IconEye, "view_as": ui.IconEye, "tag": ui.IconTag, "untag": ui.IconTag, "refuse": ui.IconLock, "sign_in": ui.IconKey, "login": ui.IconKey, "sign_out": ui.IconSignOut, "disable": ui.IconPause,
	"enable": ui.IconCheck, "invite": ui.IconMail, "invite_again": ui.IconMail, "reset_authenticator": ui.IconRetry, "recover": ui.IconRetry,
	"add_passkey": ui.IconKey, "rename_passkey": ui.IconKey, "remove_passkey": ui.IconKey, "refuse_passkey": ui.IconKey, "new_recovery_codes": ui.IconKey, "start_afresh": ui.IconRetry, "expire": ui.IconClock,
	"request_role": ui.IconPeople, "approve_role": ui.IconPeople, "role_grant": ui.IconPeople, "refuse_role": ui.IconClose, "withdraw_role": ui.IconUndo, "role_revoke": ui.IconPeople,
	"register": ui.IconPlus, "request": ui.IconIn, "prove": ui.IconDocument, "cancel": ui.IconClose, "switch": ui.IconSwap,
	"staff": ui.IconPerson, "deposit": ui.IconIn, "trader": ui.IconPerson, "account": ui.IconCard, "payee": ui.IconCard, "product": ui.IconChart,
	"withdraw": ui.IconUndo, "save": ui.IconDocument, "attach": ui.IconDocument, "submit": ui.IconIn, "read_data": ui.IconEye, "decide_document": ui.IconCheck,
	"ask_again": ui.IconQuestion, "escalate": ui.IconPeople, "reject_final": ui.IconClose, "revoke": ui.IconClose, "expiring": ui.IconClock, "reverify": ui.IconClock,
	"lapse": ui.IconClock, "rewrap": ui.IconKey, "kyc": ui.IconIdentity,
	"withdrawal": ui.IconOut, "freeze": ui.IconLock, "begin": ui.IconSend, "finish": ui.IconBank, "export": ui.IconDownload,
	"adjustment": ui.IconSwap, "stop": ui.IconPause, "lift": ui.IconSend, "unask": ui.IconUndo, "run": ui.IconShieldCheck,
}

// Icon is the icon of an entry.
func Icon(e audit.Entry) ui.IconName {
	noun, verb, _ := strings.Cut(e.Action, ".")
	for _, name := range []string{verb, noun} {
		if found, ok := icons[name]; ok {
			return found
		}
	}
	return ui.IconInfo
}

// sensitive are the actions that reveal data hidden by default.
var sensitive = map[string]bool{
	"outbox.reveal": true, "deposit.view_proof": true, "trader.reveal": true, "trader.view_relations": true,
	"kyc.view": true, "kyc.read_data": true, "withdrawal.export": true, "deposit.export": true, "audit.export": true,
}

// Chip marks an exceptional entry; most entries have none.
func (f Formatter) Chip(e audit.Entry) *ui.ChipView {
	switch {
	case e.Result == audit.Denied:
		return &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconClose, Label: f.r.Word("audit.denied")}
	case e.Result == audit.Failed:
		return &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: f.r.Word("audit.failed")}
	case sensitive[e.Action]:
		return &ui.ChipView{Label: f.r.Word("audit.sensitive")}
	case strings.HasPrefix(e.Action, "staff.role_"), strings.HasPrefix(e.Action, "staff.") && strings.HasSuffix(e.Action, "_role"):
		return &ui.ChipView{Label: f.r.Word("audit.role_change")}
	}
	return nil
}

// Step is an entry as a line of a timeline.
func (f Formatter) Step(e audit.Entry) ui.StepView {
	view := ui.StepView{Icon: Icon(e), Text: f.Actor(e) + " " + f.Describe(e), Time: f.r.Moment(e.At), UTC: ui.Stamp(e.At)}
	switch e.Result {
	case audit.Denied:
		view.State = ui.StepBad
	case audit.Failed:
		view.State = ui.StepWarn
	}
	return view
}
