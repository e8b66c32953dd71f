package demo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/factor"
	"candor/app/kyc"
	"candor/app/notice"
	"candor/app/payee"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/reconciliation"
	"candor/app/server"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/withdrawal"
	"candor/locales"
)

// demo makes the examples. It uses the platform's services with its own clock, set to past times, so that payees have passed their cooling period and the
// lists have a history.
type demo struct {
	p     *server.Platform
	db    *db.DB
	clock *clock.Fixed
	now   time.Time // the present, from which the steps' ages count

	outbox      *mail.Outbox
	sessions    *session.Service
	traders     *trader.Service
	deposits    *deposit.Service
	payees      *payee.Service
	withdrawals *withdrawal.Service
	identities  *kyc.Service
	staff       *staff.Service

	chat     *support.Service
	notices  *notice.Service
	switches *switches.Changes

	channel         deposit.Channel
	staffByHandle   map[string]audit.Actor    // staff by handle
	tradersByHandle map[string]exampleAccount // registered traders by handle
}

// exampleAccount is an example trader's ids.
type exampleAccount struct {
	traderID, accountID int64
	name                string // as in the audit log
	country             string
}

func newDemo(ctx context.Context, p *server.Platform) (*demo, error) {
	database, now := p.Database.DB, p.Clock.Now().Truncate(time.Second)
	d := &demo{p: p, db: database, clock: clock.NewFixed(now), now: now, tradersByHandle: map[string]exampleAccount{}, staffByHandle: map[string]audit.Actor{}}
	values, err := switches.Load(ctx, database, nil)
	if err != nil {
		return nil, err
	}
	texts, err := i18n.Load(locales.Customer())
	if err != nil {
		return nil, err
	}
	office, err := i18n.Load(locales.Backoffice())
	if err != nil {
		return nil, err
	}
	keys, err := server.OpenVault(ctx, p.Config, database)
	if err != nil {
		return nil, err
	}
	queue, err := jobs.New(database.Pool) // never started: there are no senders
	if err != nil {
		return nil, err
	}
	changed := func(accountID int64) { _ = p.Bus.Publish(trading.Change{AccountID: accountID}.Message()) }
	outbox, hasher := mail.New(mail.Config{DB: database, Clock: d.clock, Queue: queue, Vault: keys, KeepUnsent: true}), trader.NewHasher() // no sender for examples: mail is kept
	messenger := trader.NewMessenger(d.clock, outbox, texts, nil)
	d.outbox = outbox
	approvals := approval.New(database, d.clock, trader.TakeDutyTx)
	d.sessions = session.New(database, d.clock, nil)
	d.identities = kyc.New(kyc.Config{DB: database, Clock: d.clock, Vault: keys, Folder: vault.NewFolder(filepath.Join(p.Config.DataDir, "kyc")), Messenger: messenger})
	d.traders = trader.New(trader.Config{DB: database, Clock: d.clock, Sessions: d.sessions, Outbox: outbox, Switches: values, Hasher: hasher, Texts: texts, BornOn: d.identities.BornOn, Positions: p.Trading, Changed: changed})
	d.deposits = deposit.New(deposit.Config{DB: database, Clock: d.clock, Switches: values, Pictures: upload.NewStore(filepath.Join(p.Config.DataDir, "uploads")), Messenger: messenger, Identities: d.identities, Vault: keys, Changed: changed})
	d.payees = payee.New(payee.Config{DB: database, Clock: d.clock, Switches: values, Outbox: outbox, Vault: keys, Texts: texts, Prover: d.traders, House: d.deposits})
	d.withdrawals = withdrawal.New(withdrawal.Config{DB: database, Clock: d.clock, Switches: values, Traders: d.traders, Identities: d.identities, Payees: d.payees, Positions: p.Trading, Gate: reconciliation.New(database, d.clock), Banks: banking.Payers{DB: database}, Messenger: messenger, Vault: keys, Approvals: approvals, Changed: changed})
	factors, err := factor.New(factor.Config{DB: database, Clock: d.clock, Vault: keys, Sessions: d.sessions})
	if err != nil {
		return nil, err
	}
	d.staff = staff.New(staff.Config{
		DB: database, Clock: d.clock, Hasher: hasher, Sessions: d.sessions, Factors: factors, Outbox: outbox, Vault: keys, Texts: office, Address: p.AdminURL(), Approvals: approvals,
	})
	d.chat = p.NewChat(d.clock, messenger)
	d.notices = notice.New(database, d.clock, values, p.Bus, trader.Readers{DB: database}, approvals)
	d.switches = switches.NewChanges(database, values, d.clock, approvals, p.Bus, nil)
	return d, d.findChannel(ctx)
}

// findChannel finds the bank channel for the examples' deposits.
func (d *demo) findChannel(ctx context.Context) error {
	channels, err := d.deposits.Channels(ctx, "")
	for _, c := range channels {
		if c.Kind == deposit.ByBank {
			d.channel = c
			return nil
		}
	}
	return errors.Join(err, errors.New("no bank account takes deposits, so there is nothing to show"))
}

// code issues a code that an example trader would receive.
func (d *demo) code(ctx context.Context, e *example, purpose session.Purpose, about string) (code string, err error) {
	issue := func() error {
		return d.db.InTx(ctx, func(tx *db.Tx) error {
			code, err = d.sessions.IssueCodeTx(ctx, tx, purpose.To(e.mail()).With(about), purpose.Usual(e.ip()))
			return err
		})
	}
	if err = issue(); errors.Is(err, session.ErrCodeSoon) { // issued by an interrupted start moments ago
		d.clock.Advance(session.ResendAfter)
		err = issue()
	}
	return code, err
}

// proof is an example trader's proof for an act that moves money out.
func (d *demo) proof(ctx context.Context, e *example, act trader.MoneyOut) (trader.Proof, error) {
	code, err := d.code(ctx, e, session.MoneyOutCode, act.About())
	return trader.Proof{PaymentPassword: examplePaymentPassword, Code: code}, err
}

// exampleTrace marks the examples' acts in the audit log.
const exampleTrace = "example"

// keyed is the idempotent request of a write that happens once over all starts.
func (i exampleAccount) keyed(words ...any) idempotency.Request {
	return idempotency.Request{TraderID: i.traderID, Call: "examples", Key: fmt.Sprint(words...), TraceID: exampleTrace, At: time.Now()}
}

// valueOf is the value of a write's result.
func valueOf[T any](result idempotency.Result[T], err error) (T, error) { return result.Value, err }
