package demo

import (
	"fmt"
	"time"

	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/payee"
	"candor/app/platform/money"
	"candor/app/trader"
	"candor/app/withdrawal"
)

const (
	exampleDay  = 24 * time.Hour
	staffSince  = 30 * exampleDay
	exampleUnit = money.Unit
)

func daysAgo(days, hours, minutes time.Duration) time.Duration {
	return days*exampleDay + hours*time.Hour + minutes*time.Minute
}

// example is a trader of the demo with their history. Times are ages: how long ago something began.
type example struct {
	number            int // makes addresses and document numbers unique
	handle, name      string
	about             string
	country, language string
	born              string
	registered        time.Duration
	identity          kyc.State // None without an application
	applied           time.Duration
	documentCountry   string // the document's country, when it differs from the residence
	bank              payee.Account
	bankAdded         time.Duration
	hasMock           bool
	deposits          []exampleDeposit
	withdrawals       []exampleWithdrawal
	trades            []exampleTrade
	pendingOrder      string // the product of a pending order
}

type exampleDeposit struct {
	dollars int64
	state   deposit.State
	ago     time.Duration
}

type exampleWithdrawal struct {
	dollars int64
	state   withdrawal.State
	ago     time.Duration
}

// exampleTrade is a position opened at the current market price, in hundredths of a lot, with the product's default leverage; a negative one is short.
type exampleTrade struct {
	symbol     string
	hundredths int64
	protected  bool
	closed     bool
}

func (e *example) mail() string { return e.handle + trader.ExampleDomain }

// ip is an address reserved for documentation.
func (e *example) ip() string { return fmt.Sprint("203.0.113.", e.number) }

func exampleMails() (list []string) {
	for _, e := range examples {
		list = append(list, e.mail())
	}
	return list
}

// account is a bank account with a number from the banks' own documentation.
func account(holder, iban, bic string) payee.Account {
	return payee.Account{Holder: holder, Bank: "Example Bank", IBAN: iban, BIC: bic, Label: "My account"}
}

// examples are the traders, the most active first.
var examples = []*example{
	{
		number: 11, handle: "anna", name: "Example Anna Keller", about: "verified; positions, an order that waits, practice money, withdrawals", country: "DE", language: "en", born: "1988-04-12",
		registered: daysAgo(20, 6, 11), identity: kyc.Approved, applied: daysAgo(20, 5, 27), hasMock: true,
		bank: account("Example Anna Keller", "DE75512108001245126199", "EXAMDEFFXXX"), bankAdded: daysAgo(18, 0, 6),
		deposits:     []exampleDeposit{{4_000, deposit.Credited, daysAgo(17, 8, 8)}, {2_500, deposit.Credited, daysAgo(8, 5, 39)}},
		withdrawals:  []exampleWithdrawal{{300, withdrawal.Sent, 30*time.Hour + 13*time.Minute}, {800, withdrawal.Review, 173 * time.Minute}},
		trades:       []exampleTrade{{"BTCUSD", 1, false, true}, {"EURUSD", 20, true, false}, {"BTCUSD", 2, true, false}},
		pendingOrder: "BTCUSD",
	},
	{
		number: 12, handle: "ben", name: "Example Ben Carter", about: "verified; a large deposit, gold, a withdrawal that waits for the checker", country: "GB", language: "en", born: "1979-11-03",
		registered: daysAgo(19, 1, 34), identity: kyc.Approved, applied: daysAgo(19, 0, 15),
		bank: account("Example Ben Carter", "GB29NWBK60161331926819", "EXAMGB2LXXX"), bankAdded: daysAgo(17, 0, 7),
		deposits:    []exampleDeposit{{12_000, deposit.Credited, daysAgo(15, 6, 28)}},
		withdrawals: []exampleWithdrawal{{2_000, withdrawal.Approved1, 262 * time.Minute}},
		trades:      []exampleTrade{{"XAUUSD", 10, false, false}, {"BTCUSD", 5, false, false}},
	},
	{
		number: 13, handle: "chen", name: "Example Chen Wei", about: "verified; reads Chinese; bitcoin sold, a deposit and a withdrawal on their way", country: "SG", language: "zh_CN", born: "1992-07-28",
		registered: daysAgo(16, 2, 17), identity: kyc.Approved, applied: daysAgo(16, 1, 7),
		bank: account("Example Chen Wei", "GB33BUKB20201555555555", "EXAMSGSGXXX"), bankAdded: daysAgo(14, 8, 29),
		deposits:    []exampleDeposit{{8_000, deposit.Credited, daysAgo(12, 0, 54)}, {3_000, deposit.ProofSubmitted, 50 * time.Minute}},
		withdrawals: []exampleWithdrawal{{1_500, withdrawal.Review, 94 * time.Minute}},
		trades:      []exampleTrade{{"BTCUSD", -3, false, false}},
	},
	{
		number: 14, handle: "dalia", name: "Example Dalia Haddad", about: "verified; reads Arabic; a deposit that waits for the second approver", country: "AE", language: "ar", born: "1985-01-19",
		registered: daysAgo(14, 2, 16), identity: kyc.Approved, applied: daysAgo(14, 1, 42),
		bank: account("Example Dalia Haddad", "AE070331234567890123456", "EXAMAEADXXX"), bankAdded: daysAgo(12, 9, 5),
		deposits:    []exampleDeposit{{3_000, deposit.Credited, daysAgo(10, 9, 39)}, {7_500, deposit.Approved, 70 * time.Minute}},
		withdrawals: []exampleWithdrawal{{900, withdrawal.Rejected, daysAgo(2, 6, 5)}},
	},
	{
		number: 15, handle: "elena", name: "Example Elena Ruiz", about: "verified; a rejected deposit, a withdrawal that was asked for", country: "ES", language: "en", born: "1995-09-30",
		registered: daysAgo(12, 4, 4), identity: kyc.Approved, applied: daysAgo(12, 3, 37),
		bank: account("Example Elena Ruiz", "ES9121000418450200051332", "EXAMESMMXXX"), bankAdded: daysAgo(10, 2, 20),
		deposits:    []exampleDeposit{{1_800, deposit.Credited, daysAgo(9, 6, 11)}, {600, deposit.Rejected, 26*time.Hour + 21*time.Minute}},
		withdrawals: []exampleWithdrawal{{450, withdrawal.Review, 40 * time.Minute}},
	},
	{
		number: 16, handle: "farid", name: "Example Farid Alami", about: "under review", country: "MA", language: "en", born: "1990-03-08",
		registered: daysAgo(3, 9, 9), identity: kyc.Submitted, applied: 20*time.Hour + 11*time.Minute,
		deposits: []exampleDeposit{{500, deposit.Credited, daysAgo(2, 4, 37)}},
		trades:   []exampleTrade{{"EURUSD", 1, false, false}},
	},
	{
		number: 17, handle: "grace", name: "Example Grace Murphy", about: "under review; a deposit with its proof", country: "IE", language: "en", born: "1983-12-21",
		registered: 594 * time.Minute, identity: kyc.Submitted, applied: 551 * time.Minute, deposits: []exampleDeposit{{250, deposit.ProofSubmitted, 35 * time.Minute}},
	},
	{
		number: 18, handle: "hiro", name: "Example Hiro Tanaka", about: "under review; staff are working on a deposit", country: "JP", language: "en", born: "1977-06-15",
		registered: 347 * time.Minute, identity: kyc.Submitted, applied: 308 * time.Minute, deposits: []exampleDeposit{{1_200, deposit.InReview, 16 * time.Minute}},
	},
	{
		number: 19, handle: "ines", name: "Example Ines Duarte", about: "under review", country: "PT", language: "en", born: "1998-02-02",
		registered: 218 * time.Minute, identity: kyc.Submitted, applied: 187 * time.Minute,
	},
	{
		number: 20, handle: "jonas", name: "Example Jonas Lind", about: "under review with documents of another country; a deposit without proof yet", country: "NO", language: "en", born: "1993-10-10",
		registered: 150 * time.Minute, identity: kyc.Submitted, applied: 80 * time.Minute, documentCountry: "SE", deposits: []exampleDeposit{{900, deposit.AwaitingTransfer, 2 * time.Hour}},
	},
	{
		number: 21, handle: "kofi", name: "Example Kofi Mensah", about: "under review: a reviewer has claimed the case", country: "GH", language: "en", born: "1989-08-17",
		registered: 70 * time.Minute, identity: kyc.InReview, applied: 15 * time.Minute,
	},
	{
		number: 22, handle: "lucia", name: "Example Lucia Bianchi", about: "sent back for another selfie; a deposit with its proof", country: "IT", language: "en", born: "1996-05-25",
		registered: daysAgo(2, 3, 8), identity: kyc.Resubmission, applied: daysAgo(1, 2, 33), deposits: []exampleDeposit{{400, deposit.ProofSubmitted, 15 * time.Minute}},
	},
	{
		number: 23, handle: "milan", name: "Example Milan Novak", about: "has only registered", country: "CZ", language: "en", born: "2001-01-31",
		registered: 25 * time.Minute, identity: kyc.None,
	},
}
