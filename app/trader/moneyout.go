package trader

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"candor/app/platform/db"
	"candor/app/session"
)

// MoneyOutAct is an act that moves money out or prepares it.
type MoneyOutAct string

// The acts that need a code of session.MoneyOutCode.
const (
	Withdraw     MoneyOutAct = "withdraw"
	SaveAddress  MoneyOutAct = "save_address"
	SaveAccount  MoneyOutAct = "save_account" // at a bank
	DeletePayee  MoneyOutAct = "delete"
	RestorePayee MoneyOutAct = "restore"
	OnlySaved    MoneyOutAct = "only_saved" // only saved payees: switched on
	NotOnlySaved MoneyOutAct = "any"        // and off
)

// moneyOutActs are the acts that a client may name.
var moneyOutActs = []MoneyOutAct{Withdraw, SaveAddress, SaveAccount, DeletePayee, RestorePayee, OnlySaved, NotOnlySaved}

// ParseMoneyOutAct reads the act that a client names. Refusal: ErrAct.
func ParseMoneyOutAct(text string) (MoneyOutAct, error) { return parseAct(moneyOutActs, text) }

// MoneyOut is the one act that a code authorises.
type MoneyOut struct {
	Act    MoneyOutAct
	Payee  int64  // the payee that receives money, or is deleted or restored
	Place  string // the address or IBAN to save; white space is ignored
	Amount int64  // the amount leaving the account, in its smallest unit
}

// About identifies the act: acts that differ in any relevant field do not accept each other's codes.
func (m MoneyOut) About() string {
	place := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, m.Place)
	return fmt.Sprintf("%s %d %d %s", m.Act, m.Payee, m.Amount, place)
}

// SendMoneyOutCode sends the code for Prove with a description of the act; words are the arguments of its message. Refusals: ErrGuest, ErrMock, the throttles
// of codes.
func (s *Service) SendMoneyOutCode(ctx context.Context, p session.Principal, m MoneyOut, words map[string]any, ip string) error {
	return s.sendOwnCode(ctx, p, session.MoneyOutCode, m.About(), "message.money_out_code."+string(m.Act), words, ip)
}

// sendOwnCode sends a code to the trader's own contact. Refusals: ErrGuest, ErrMock, ErrContactFirst, ErrConfirm, ErrPhone, the throttles of codes.
func (s *Service) sendOwnCode(ctx context.Context, p session.Principal, purpose session.Purpose, about, message string, words map[string]any, ip string) error {
	ofPerson := purpose == session.SecurityCode || purpose == session.FreezeCode // whichever account is in use
	if err := onlyReal(p); err != nil && (p.Guest() || !ofPerson) {
		return err
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	if t.contactless() {
		return ErrContactFirst
	}
	switch needed, err := s.confirms(ctx, t.ID, purpose); {
	case err != nil:
		return err
	case needed:
		return ErrConfirm
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		a := t.address()
		code, err := s.sessions.IssueCodeTx(ctx, tx, purpose.To(a.text).With(about), session.Owner(ip))
		if err != nil {
			return err
		}
		return s.sendCodeTx(ctx, tx, session.Owner(ip), t.recipient(), message, code, words)
	})
}
