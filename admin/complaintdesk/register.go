package complaintdesk

import (
	"crypto/rand"
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/complaint"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// currency is that of claimed amounts.
const currency = ledger.Currency

// errTrader refuses a complaint of nobody: a visitor has no account to answer to, and a typed number may be nobody's.
var errTrader = errs.Field("trader", "complaint.no_trader")

// errVisitor refuses to register a complaint from a conversation with a visitor.
var errVisitor = errs.New(errs.Refused, "complaint.visitor")

// from is where a complaint is registered: the page gives the trader, or it is typed.
type from string

const (
	typed          from = "typed"
	ofConversation from = "conversation"
	ofTrader       from = "trader"
)

// complainant reads who complains, and the conversation in which they do.
func (s Services) complainant(r *desk.Request, where from) (traderID int64, conversation *int64, err error) {
	if where == typed {
		traderID = caseengine.Numbered(r.PostFormValue("trader"), "")
	} else if traderID, err = r.ID("id"); err != nil {
		return 0, nil, err
	}
	if where == ofConversation {
		if !r.May(access.ChatView) {
			return 0, nil, desk.ErrNotFound
		}
		c, err := s.Chat.Get(ctxOf(r), traderID)
		if err != nil {
			return 0, nil, err
		}
		if c.TraderID == nil {
			return 0, nil, errVisitor
		}
		traderID, conversation = *c.TraderID, &c.ID
	}
	_, err = s.Traders.Trader(ctxOf(r), traderID)
	if refusal := errs.As(err); where == typed && refusal != nil {
		err = errTrader
	}
	return traderID, conversation, err
}

// openForm answers with an empty form.
func (s Services) openForm(where from) func(*desk.Request) error {
	return func(r *desk.Request) error {
		if where != typed {
			if _, _, err := s.complainant(r, where); err != nil {
				return err
			}
		}
		if !r.Partial() {
			return r.RedirectTo(home.String())
		}
		values := map[string]string{"key": rand.Text(), "received": complaint.Day(r.Now(), r.Zone()).Format("2006-01-02")}
		return s.showForm(r, http.StatusOK, where, values, nil)
	}
}

// register adds the posted complaint to the register, and opens it.
func (s Services) register(where from) func(*desk.Request) error {
	return func(r *desk.Request) error {
		values := map[string]string{}
		for _, name := range []string{"key", "trader", "channel", "category", "product", "summary", "received", "claimed"} {
			values[name] = plain(r.PostFormValue(name))
		}
		made, err := s.registered(r, where, values)
		if refusal := errs.As(err); refusal != nil && len(refusal.Fields) > 0 {
			return s.showForm(r, http.StatusUnprocessableEntity, where, values, r.FieldTexts(err))
		}
		if err != nil {
			return err
		}
		return r.RedirectTo(ui.To("/admin/complaints/{}", made.ID).String())
	}
}

func (s Services) registered(r *desk.Request, where from, values map[string]string) (c complaint.Complaint, err error) {
	request := complaint.Request{
		Channel: complaint.Channel(values["channel"]), Category: complaint.Category(values["category"]), Product: values["product"], Summary: values["summary"], Key: values["key"], Zone: r.Zone(),
	}
	if request.TraderID, request.ConversationID, err = s.complainant(r, where); err != nil {
		return c, err
	}
	if where == ofConversation {
		request.Channel = complaint.ChannelChat
	}
	if request.ReceivedOn, err = typedDay(values["received"]); err != nil {
		return c, complaint.ErrReceived
	}
	if values["claimed"] != "" {
		amount, err := desk.ReadAmount(values["claimed"])
		if err != nil {
			return c, complaint.ErrClaimed
		}
		request.Claimed = &amount
	}
	return s.Complaints.Register(ctxOf(r), r.Actor(), request)
}

// showForm is the dialog with the input and its errors.
func (s Services) showForm(r *desk.Request, status int, where from, values, problems map[string]string) error {
	field := func(name string, f ui.FieldView) ui.FieldView {
		f.Name, f.Label, f.Value, f.Error = name, r.Word("complaint.field."+name), values[name], problems[name]
		return f
	}
	d := caseview.Dialog{Frame: ui.DialogView{
		ID: "complaint-request", Title: r.Word("complaint.register.title"), Note: r.Word("complaint.register.note", "acknowledge", complaint.AcknowledgeDays, "answer", complaint.AnswerDays),
		Form: ui.FormView{Post: ui.To(r.Request().URL.Path), Target: ui.TargetDialog, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "key", Value: values["key"]}}},
		Act:  ui.ButtonView{Label: r.Word("complaint.register.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
	}}
	if where == typed {
		d.Fields = append(d.Fields, field("trader", ui.FieldView{InputMode: "numeric", MaxLength: 19, Required: true}))
	}
	if where != ofConversation {
		d.Fields = append(d.Fields, field("channel", ui.FieldView{Required: true, Options: choices(r, "complaint.channel.", complaint.Channels, values["channel"])}))
	}
	products := []ui.Option{{Label: r.Word("complaint.product.none")}}
	for _, code := range s.Products() {
		products = append(products, ui.Option{Value: code, Label: code, Selected: code == values["product"]})
	}
	d.Fields = append(d.Fields,
		field("category", ui.FieldView{Required: true, Options: choices(r, "complaint.category.", complaint.Categories, values["category"])}),
		field("product", ui.FieldView{Options: products}),
		field("summary", ui.FieldView{Rows: 4, MaxLength: complaint.LongestText, Required: true}),
		field("received", ui.FieldView{Type: "date", Max: complaint.Day(r.Now(), r.Zone()).Format("2006-01-02"), Required: true}),
		field("claimed", ui.FieldView{InputMode: "decimal", MaxLength: 20, Suffix: currency}),
	)
	return r.Dialog(status, caseview.Decide(d))
}

// choices are the values of a list, none preselected.
func choices[T ~string](r *desk.Request, prefix string, values []T, chosen string) []ui.Option {
	options := []ui.Option{{Label: r.Word("complaint.pick")}}
	for _, value := range values {
		options = append(options, ui.Option{Value: string(value), Label: r.Word(prefix + string(value)), Selected: string(value) == chosen})
	}
	return options
}
