package trader

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"candor/app/platform/db"
	"candor/app/session"
)

// MoneyOutAct is an act that takes money out, or prepares it.
type MoneyOutAct string

// The acts that a code of session.MoneyOutCode is sent for.
const (
	Withdraw     MoneyOutAct = "withdraw"
	SaveAddress  MoneyOutAct = "save_address"
	SaveAccount  MoneyOutAct = "save_account" // at a bank
	DeletePayee  MoneyOutAct = "delete"
	RestorePayee MoneyOutAct = "restore"
	OnlySaved    MoneyOutAct = "only_saved" // the rule is switched on
	NotOnlySaved MoneyOutAct = "any"        // and off
)

// MoneyOut is the one act that a code is good for.
type MoneyOut struct {
	Act    MoneyOutAct
	Payee  int64  // that money goes to, or that is deleted or restored
	Place  string // the address or IBAN that is saved; white space in it means nothing
	Amount int64  // that leaves the account, in its smallest unit
}

// About names the act: of two that differ in anything that matters, neither takes the other's code.
func (m MoneyOut) About() string {
	place := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, m.Place)
	return fmt.Sprintf("%s %d %d %s", m.Act, m.Payee, m.Amount, place)
}

// SendMoneyOutCode sends the code that Prove asks for, with what it is good for: words are those of the message, named as it names them.
// Refusals: ErrGuest, ErrMock, the throttles of codes.
func (s *Service) SendMoneyOutCode(ctx context.Context, p session.Principal, m MoneyOut, words map[string]any, ip string) error {
	return s.sendOwnCode(ctx, p, session.MoneyOutCode, m.About(), "message.money_out_code."+string(m.Act), words, ip)
}

// sendOwnCode sends a code to the trader's own contact. Refusals: ErrMock, ErrPhone, the throttles of codes.
func (s *Service) sendOwnCode(ctx context.Context, p session.Principal, purpose session.Purpose, about, message string, words map[string]any, ip string) error {
	if err := onlyReal(p); err != nil {
		return err
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		a := t.address()
		code, err := s.sessions.IssueCodeTx(ctx, tx, purpose.To(a.text).With(about), session.Owner(ip))
		if err != nil {
			return err
		}
		return s.sendCodeTx(ctx, tx, session.Owner(ip), a, t.Language, message, code, words)
	})
}
