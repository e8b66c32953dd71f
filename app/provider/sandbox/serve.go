package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"candor/app/provider"
)

// maxBody is the maximum size of a request, in bytes.
const maxBody = 64 << 10

// errSilent closes the connection without an answer.
var errSilent = errors.New("no answer")

// refusal is a signed refusal.
type refusal struct {
	status int
	code   string
}

func (r refusal) Error() string { return r.code }

// Handler serves the protocol under /v1, the trader's payment page under /pay, and the control panel at /.
func (s *Sandbox) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/payments", serve(s, s.pay))
	mux.HandleFunc("GET /v1/payments/{reference}", serve(s, s.payment))
	mux.HandleFunc("POST /v1/payments/{reference}/{act}", serve(s, s.act))
	mux.HandleFunc("POST /v1/addresses", serve(s, s.address))
	mux.HandleFunc("GET /v1/addresses/{reference}/transfers", serve(s, s.transfers))
	mux.HandleFunc("POST /v1/payouts", serve(s, s.send))
	mux.HandleFunc("GET /v1/payouts/{reference}", serve(s, s.payout))
	s.panel(mux)
	return mux
}

// serve checks the signature, calls work, and signs its answer, or drops it as the mode requires.
func serve[In, Out any](s *Sandbox, work func(r *http.Request, in In) (Out, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil || !provider.VerifySignature(s.secret, r.Header.Get(provider.TimeHeader), r.Method, r.URL.EscapedPath(), body, r.Header.Get(provider.SignatureHeader), s.clock.Now()) {
			http.Error(w, "signature", http.StatusForbidden)
			return
		}
		var in In
		if r.Method == http.MethodPost && json.Unmarshal(body, &in) != nil {
			s.answer(w, r, http.StatusBadRequest, map[string]string{"code": "malformed"})
			return
		}
		s.lock.Lock()
		out, err := work(r, in)
		mode := s.mode
		s.lock.Unlock()
		var no refusal
		switch {
		case errors.As(err, &no):
			s.answer(w, r, no.status, map[string]string{"code": no.code})
		case err != nil, mode == Mute, mode == LateAnswer && r.Method == http.MethodPost:
			hangUp(w)
		case mode == ServerError && r.Method == http.MethodPost:
			http.Error(w, "oh", http.StatusInternalServerError)
		default:
			s.answer(w, r, http.StatusOK, out)
		}
	}
}

func (s *Sandbox) answer(w http.ResponseWriter, r *http.Request, status int, value any) {
	body, _ := json.Marshal(value)
	at := strconv.FormatInt(s.clock.Now().Unix(), 10)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(provider.TimeHeader, at)
	w.Header().Set(provider.SignatureHeader, provider.Sign(s.secret, at, strconv.Itoa(status), r.URL.EscapedPath(), body))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// hangUp closes the connection without an answer.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

var (
	noReference = refusal{http.StatusNotFound, "absent"}
	noRoom      = refusal{http.StatusConflict, "another_order"}
	noAct       = refusal{http.StatusConflict, "state"}
	noAmount    = refusal{http.StatusUnprocessableEntity, "amount"}
)

func (s *Sandbox) pay(r *http.Request, in provider.PaymentOrder) (out provider.Payment, err error) {
	if s.mode == LostRequest {
		return out, errSilent
	}
	if before := s.payments[in.Reference]; before != nil {
		if before.PaymentOrder != in {
			return out, noRoom
		}
		return before.now, nil
	}
	p := &payment{in, provider.Payment{Reference: in.Reference, State: provider.Pending, Amount: in.Amount, Paid: "0", Currency: in.Currency}}
	if in.Kind == provider.OTC {
		offer, err := offered(in.Amount)
		if err != nil {
			return out, noAmount
		}
		p.now.Offer = offer
		p.now.Merchant = &provider.Merchant{Name: "Sandbox Merchant", Bank: "Specimen Bank (development only)", Account: "DE89370400440532013000"}
	} else {
		p.now.PayURL = fmt.Sprintf("http://%s/pay/%s", r.Host, in.Reference)
	}
	s.payments[in.Reference] = p
	return p.now, nil
}

func (s *Sandbox) payment(r *http.Request, _ struct{}) (out provider.Payment, err error) {
	p := s.payments[r.PathValue("reference")]
	if p == nil {
		return out, noReference
	}
	return p.now, nil
}

func (s *Sandbox) act(r *http.Request, _ struct{}) (out provider.Payment, err error) {
	p := s.payments[r.PathValue("reference")]
	if p == nil {
		return out, noReference
	}
	open := p.now.State == provider.Pending || p.now.State == provider.Expired
	switch act := provider.Act(r.PathValue("act")); {
	case act == provider.MarkPaid && open, act == provider.Appeal && p.now.State == provider.Disputed:
	case act == provider.Appeal && open:
		p.now.State = provider.Disputed
	case act == provider.Cancel && p.now.State == provider.Pending:
		p.now.State = provider.Cancelled
	default:
		return out, noAct
	}
	return p.now, nil
}

func (s *Sandbox) address(_ *http.Request, in provider.AddressOrder) (out provider.Address, err error) {
	if s.mode == LostRequest {
		return out, errSilent
	}
	if before := s.addresses[in.Reference]; before != nil {
		if before.AddressOrder != in {
			return out, noRoom
		}
		return before.now, nil
	}
	at, ok := addressOn(in.Chain, in.Reference)
	if !ok {
		return out, refusal{http.StatusUnprocessableEntity, "chain"}
	}
	a := &address{AddressOrder: in, now: provider.Address{Reference: in.Reference, Coin: in.Coin, Chain: in.Chain, Address: at}}
	s.addresses[in.Reference] = a
	return a.now, nil
}

func (s *Sandbox) transfers(r *http.Request, _ struct{}) (out []provider.Transfer, err error) {
	a := s.addresses[r.PathValue("reference")]
	if a == nil {
		return nil, noReference
	}
	out = []provider.Transfer{}
	for _, t := range a.transfers {
		out = append(out, *t)
	}
	return out, nil
}

func (s *Sandbox) send(_ *http.Request, in provider.PayoutOrder) (out provider.Payout, err error) {
	if s.mode == LostRequest {
		return out, errSilent
	}
	if before := s.payouts[in.Reference]; before != nil {
		if before.PayoutOrder != in {
			return out, noRoom
		}
		return before.now, nil
	}
	if strings.HasSuffix(in.Holder, "REFUSED") {
		return out, refusal{http.StatusUnprocessableEntity, "holder"}
	}
	p := &payout{in, provider.Payout{Reference: in.Reference, State: provider.Accepted, Amount: in.Amount, Currency: in.Currency}}
	if in.Kind == provider.Standard {
		p.now.Required = Required
	}
	s.payouts[in.Reference] = p
	s.scheduleAdvance(in.Reference)
	return p.now, nil
}

func (s *Sandbox) payout(r *http.Request, _ struct{}) (out provider.Payout, err error) {
	p := s.payouts[r.PathValue("reference")]
	if p == nil {
		return out, noReference
	}
	return p.now, nil
}
