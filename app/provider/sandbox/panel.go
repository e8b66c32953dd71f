package sandbox

import (
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"

	"candor/app/provider"
)

// panel adds the pages: the trader's payment page, and the developer's control panel.
func (s *Sandbox) panel(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", s.showPanel)
	mux.HandleFunc("GET /pay/{reference}", s.showPay)
	mux.HandleFunc("POST /pay/{reference}", s.payPage)
	mux.HandleFunc("POST /control/mode", s.form(func(v values) error { return s.SetMode(Mode(v("mode"))) }))
	mux.HandleFunc("POST /control/payment", s.form(func(v values) error { return s.Settle(v("reference"), v("state"), v("paid")) }))
	mux.HandleFunc("POST /control/payout", s.form(func(v values) error { return s.Advance(v("reference"), v("state")) }))
	mux.HandleFunc("POST /control/receive", s.form(func(v values) error {
		_, err := s.Receive(v("reference"), v("coin"), v("chain"), v("amount"))
		return err
	}))
	mux.HandleFunc("POST /control/transfer", s.form(func(v values) error {
		acts := map[string]func(string) error{"mine": s.Mine, "reorganise": s.Reorganise, "reappear": s.Reappear}
		act := acts[v("act")]
		if act == nil {
			return errState
		}
		return act(v("id"))
	}))
}

type values func(name string) string

// form performs a form's act and redirects to the panel.
func (s *Sandbox) form(act func(values) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := act(r.PostFormValue); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// payPage settles the payment, and redirects the trader back.
func (s *Sandbox) payPage(w http.ResponseWriter, r *http.Request) {
	reference := r.PathValue("reference")
	if err := s.Settle(reference, r.PostFormValue("state"), r.PostFormValue("paid")); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	s.lock.Lock()
	back := s.payments[reference].ReturnURL
	s.lock.Unlock()
	http.Redirect(w, r, back, http.StatusSeeOther)
}

func (s *Sandbox) showPay(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	p := s.payments[r.PathValue("reference")]
	if p == nil {
		http.NotFound(w, r)
		return
	}
	show(w, payPage, p.now)
}

func (s *Sandbox) showPanel(w http.ResponseWriter, _ *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	v := view{Mode: s.mode, Modes: Modes}
	for _, reference := range slices.Sorted(maps.Keys(s.payments)) {
		v.Payments = append(v.Payments, s.payments[reference].now)
	}
	for _, reference := range slices.Sorted(maps.Keys(s.addresses)) {
		a := s.addresses[reference]
		v.Addresses = append(v.Addresses, a.now)
		for _, t := range a.transfers {
			v.Transfers = append(v.Transfers, *t)
		}
	}
	for _, reference := range slices.Sorted(maps.Keys(s.payouts)) {
		v.Payouts = append(v.Payouts, s.payouts[reference].now)
	}
	show(w, panelPage, v)
}

type view struct {
	Mode      Mode
	Modes     []Mode
	Payments  []provider.Payment
	Addresses []provider.Address
	Transfers []provider.Transfer
	Payouts   []provider.Payout
}

func show(w http.ResponseWriter, page *template.Template, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := page.Execute(w, data); err != nil {
		fmt.Fprintln(w, err)
	}
}

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sandbox provider</title>
<style>:root{color-scheme:light dark}body{font:16px system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem}button,select,input{font:inherit;min-height:44px}
form{display:inline}td,th{padding:.3rem .8rem .3rem 0;text-align:start}</style>`

var payPage = template.Must(template.New("pay").Parse(head + `<h1>Sandbox payment</h1><p>No money moves here. {{.Reference}}: {{.Amount}} {{.Currency}}, {{.State}}.</p>
<form method="post"><button name="state" value="paid">Pay {{.Amount}} {{.Currency}}</button></form>
<form method="post"><input type="hidden" name="paid" value="1"><button name="state" value="paid">Pay only 1</button></form>
<form method="post"><button name="state" value="failed">Let it fail</button></form>`))

var panelPage = template.Must(template.New("panel").Parse(head + `<h1>Sandbox provider</h1><p>No money moves here.</p>
<form method="post" action="/control/mode"><label>It behaves <select name="mode">{{range .Modes}}<option{{if eq . $.Mode}} selected{{end}}>{{.}}</option>{{end}}</select></label> <button>Change</button></form>
<h2>Payments</h2><table>{{range .Payments}}<tr><td>{{.Reference}}<td>{{.Amount}} {{.Currency}}{{with .Offer}} for {{.Amount}} {{.Currency}}, example rate {{.Rate}}{{end}}<td>{{.State}} {{.Paid}} {{.PaidIn}}<td><form method="post" action="/control/payment">
<input type="hidden" name="reference" value="{{.Reference}}"><button name="state" value="paid">Paid</button><button name="state" value="failed">Failed</button><button name="state" value="expired">Expired</button><button name="state" value="charged_back">Charged back</button></form>{{end}}</table>
<h2>Addresses</h2><table>{{range .Addresses}}<tr><td>{{.Reference}}<td>{{.Coin}} on {{.Chain}}<td>{{.Address}}<td><form method="post" action="/control/receive">
<input type="hidden" name="reference" value="{{.Reference}}"><input type="hidden" name="coin" value="{{.Coin}}"><input type="hidden" name="chain" value="{{.Chain}}"><input name="amount" value="100" aria-label="Amount"><button>Receive</button></form>{{end}}</table>
<h2>Transfers</h2><table>{{range .Transfers}}<tr><td>{{.ID}}<td>{{.Amount}} {{.Coin}}<td>{{.State}} {{.Confirmations}}/{{.Required}}<td><form method="post" action="/control/transfer">
<input type="hidden" name="id" value="{{.ID}}"><button name="act" value="mine">Add a block</button><button name="act" value="reorganise">Reorganise</button><button name="act" value="reappear">Reappear</button></form>{{end}}</table>
<h2>Payouts</h2><table>{{range .Payouts}}<tr><td>{{.Reference}}<td>{{.Amount}} {{.Currency}}<td>{{.State}}<td><form method="post" action="/control/payout">
<input type="hidden" name="reference" value="{{.Reference}}"><button name="state" value="sent">Sent</button><button name="state" value="confirmed">Confirmed</button><button name="state" value="failed">Failed</button><button name="state" value="returned">Returned</button></form>{{end}}</table>`))
