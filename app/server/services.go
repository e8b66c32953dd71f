package server

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"candor/app/accountchange"
	"candor/app/activity"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/bonus"
	"candor/app/complaint"
	"candor/app/dataexport"
	"candor/app/deposit"
	"candor/app/drawing"
	"candor/app/factor"
	"candor/app/invitation"
	"candor/app/keyring"
	"candor/app/kyc"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/ethereum"
	"candor/app/platform/geo"
	"candor/app/platform/i18n"
	"candor/app/platform/mail"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/preference"
	"candor/app/provider"
	"candor/app/reconciliation"
	"candor/app/report"
	"candor/app/score"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/wallet"
	"candor/app/withdrawal"
	"candor/locales"
)

// services are shared by the API and the back office.
type services struct {
	keys        *vault.Vault
	outbox      *mail.Outbox
	values      *switches.Service
	Switches    *switches.Changes
	notices     *notice.Service
	activity    *activity.Service
	Uploads     *upload.Intake
	hasher      *trader.Hasher
	sessions    *session.Service
	factors     *factor.Service
	Staff       *staff.Service
	identities  *kyc.Service
	traders     *trader.Service
	invitations *invitation.Service
	exports     *dataexport.Service
	preferences *preference.Service
	drawings    *drawing.Service
	payees      *payee.Service
	providers   *provider.Service
	deposits    *deposit.Service
	withdrawals *withdrawal.Service
	adjustments *adjustment.Service
	Changes     *accountchange.Service
	banking     *banking.Service
	wallets     *wallet.Service
	books       *reconciliation.Service
	complaints  *complaint.Service
	tasks       *task.Service
	reports     *report.Service
	scores      *score.Service
	Bonuses     *bonus.Service
	Chat        *support.Service
	texts       *i18n.Catalogue // the trader app's
	deskTexts   *i18n.Catalogue // the back office's
}

// buildServices makes the services in order of dependency.
func (p *Platform) buildServices(ctx context.Context) (s services, err error) {
	d, c, clock := p.Database.DB, p.Config, p.Clock
	if s.texts, err = i18n.Load(locales.Customer()); err != nil {
		return s, err
	}
	if s.deskTexts, err = i18n.Load(locales.Backoffice()); err != nil {
		return s, err
	}
	if s.keys, err = OpenVault(ctx, c, d); err != nil {
		return s, err
	}
	if s.Uploads, err = openIntake(c); err != nil {
		return s, err
	}
	senders, err := openSenders(c)
	if err != nil {
		return s, err
	}
	s.outbox = mail.New(mail.Config{DB: d, Clock: clock, Queue: p.Jobs, Vault: s.keys, Senders: senders, KeepUnsent: c.Mode != Production})
	if s.values, err = switches.Load(ctx, d, p.derivedSwitches(s.outbox)); err != nil {
		return s, err
	}
	s.Switches = switches.NewChanges(d, s.values, clock, p.approvals, p.Bus, &switches.Notifier{Outbox: s.outbox, Texts: s.deskTexts, Address: p.AdminURL()})
	s.notices = notice.New(d, clock, s.values, p.Bus, trader.Readers{DB: d}, p.approvals)
	s.hasher = c.hasher()
	places, err := openPlaces(c.Places)
	if err != nil {
		return s, err
	}
	s.sessions = session.New(d, clock, p.Bus)
	s.sessions.UsePlaces(places)
	if s.factors, err = factor.New(factor.Config{DB: d, Clock: clock, Vault: s.keys, Sessions: s.sessions, Traders: passkeySite(c.Public), Staff: passkeySite(p.AdminURL())}); err != nil {
		return s, err
	}
	s.Staff = staff.New(staff.Config{
		DB: d, Clock: clock, Hasher: s.hasher, Sessions: s.sessions, Factors: s.factors, Outbox: s.outbox, Vault: s.keys, Texts: s.deskTexts, Address: p.AdminURL(), Approvals: p.approvals,
	})
	messenger := trader.NewMessenger(clock, s.outbox, s.texts, s.notices)
	s.activity = activity.New(d, p.Bus, messenger)
	changed := func(accountID int64) { _ = p.Bus.Publish(trading.Change{AccountID: accountID}.Message()) }
	s.identities = kyc.New(kyc.Config{DB: d, Clock: clock, Vault: s.keys, Folder: vault.NewFolder(filepath.Join(c.DataDir, "kyc")), Messenger: messenger, Alarm: s.Staff.AlarmTx, Approvals: p.approvals, Switches: s.values, Business: Business})
	s.traders = trader.New(trader.Config{
		DB: d, Clock: clock, Sessions: s.sessions, Factors: s.factors, Outbox: s.outbox, Switches: s.values, Hasher: s.hasher, Texts: s.texts, Messenger: messenger, BornOn: s.identities.BornOn,
		Positions: p.Trading, Changed: changed, Site: ethereum.SiteAt(c.Public),
	})
	s.invitations = invitation.New(invitation.Config{
		DB: d, Clock: clock, Switches: s.values, Products: p.Market, Messenger: messenger, Related: related, Changed: changed,
	})
	s.preferences = preference.New(d, clock, s.texts.Languages())
	s.drawings = drawing.New(d, clock)
	if s.providers, err = p.openProviders(ctx, s.keys); err != nil {
		return s, err
	}
	s.deposits = deposit.New(deposit.Config{
		DB: d, Clock: clock, Switches: s.values, Pictures: upload.NewStore(filepath.Join(c.DataDir, "uploads")), Messenger: messenger, Identities: s.identities, Vault: s.keys,
		Providers: s.providers, Queue: p.Jobs, NormalizeAddress: payee.Normal, Approvals: p.approvals, Changed: changed,
	})
	s.exports = dataexport.New(dataexport.Config{
		DB: d, Clock: clock, Vault: s.keys, Folder: vault.NewFolder(filepath.Join(c.DataDir, "exports")), Queue: p.Jobs, Traders: s.traders, Messenger: messenger,
	})
	s.payees = payee.New(payee.Config{DB: d, Clock: clock, Switches: s.values, Outbox: s.outbox, Vault: s.keys, Texts: s.texts, Prover: s.traders, House: s.deposits})
	s.books = reconciliation.New(d, clock)
	s.reports = report.New(d, clock)
	s.withdrawals = withdrawal.New(withdrawal.Config{
		DB: d, Clock: clock, Switches: s.values, Traders: s.traders, Identities: s.identities, Payees: s.payees, Positions: p.Trading, Gate: s.books, Messenger: messenger,
		Banks:     banking.Payers{DB: d},
		Approvals: p.approvals, Vault: s.keys, Providers: s.providers, Queue: p.Jobs, Changed: changed,
	})
	s.providers.HandleEvents(provider.AboutPayout, s.withdrawals.HandleEvent)
	s.banking = banking.New(d, clock, s.keys, s.deposits, s.withdrawals, p.approvals)
	s.wallets = wallet.New(d, clock, s.values, p.Market, p.Trading, changed)
	s.Chat = p.NewChat(clock, messenger)
	s.tasks = task.New(d, clock, func(ctx context.Context, tx *db.Tx, by audit.Actor, t task.Task, act string) error {
		return s.Chat.TellTx(ctx, tx, by, t.SubjectID, "chat.task_"+act, t.Number())
	})
	s.scores = score.New(score.Config{DB: d, Clock: clock, Messenger: messenger, Conversation: s.Chat.Get})
	s.Bonuses = bonus.New(bonus.Config{
		DB: d, Clock: clock, Switches: s.values, Approvals: p.approvals, Traders: s.traders, Messenger: messenger, SamePerson: kyc.SharingDocument, Changed: changed,
	})
	s.complaints = complaint.New(d, clock, messenger, p.approvals)
	s.adjustments = adjustment.New(adjustment.Config{
		DB: d, Clock: clock, Switches: s.values, Approvals: p.approvals, Positions: p.Trading, Owners: p.adjustmentOwners(&s), Changed: changed,
		Vault: s.keys, Folder: vault.NewFolder(filepath.Join(c.DataDir, "adjustments")),
	})
	s.Changes = accountchange.New(accountchange.Config{
		DB: d, Clock: clock, Approvals: p.approvals, Traders: s.traders, Pictures: s.Chat.PicturesSent,
		Verified: func(ctx context.Context, traderID int64) (bool, error) {
			name, err := s.identities.VerifiedName(ctx, traderID)
			return name != "", err
		},
	})
	return s, nil
}

// derivedSwitches are the keys whose values follow from products and senders.
func (p *Platform) derivedSwitches(outbox *mail.Outbox) switches.Derived {
	return switches.Derived{
		switches.StockRateKey: func() string {
			bps, _ := p.Market.Commissions(market.USStock)
			return money.Trim(int64(bps), 2) // percent
		},
		switches.ContractFeeKey: func() string {
			_, perLot := p.Market.Commissions(market.Contract)
			return money.Trim(perLot, money.Scale)
		},
		switches.PhoneKey: func() string { return strconv.FormatBool(outbox.Offers(mail.SMS)) },
	}
}

func (p *Platform) openProviders(ctx context.Context, keys *vault.Vault) (*provider.Service, error) {
	list, err := provider.Read(p.Config.Providers)
	if err != nil {
		return nil, err
	}
	if list, err = provider.NewSecrets(p.Database.DB, p.Clock, keys).Unseal(ctx, list); err != nil {
		return nil, err
	}
	return provider.New(p.Database.DB, p.Clock, p.Jobs, p.Config.Public, list), nil
}

func openPlaces(path string) (*geo.Places, error) {
	places, err := geo.Open(path)
	if err != nil {
		return nil, fmt.Errorf("CANDOR_GEO_DB: %w", err)
	}
	return places, nil
}

func openIntake(c Config) (*upload.Intake, error) {
	scanner, err := upload.OpenScanner(c.Scanner)
	if err != nil {
		return nil, fmt.Errorf("CANDOR_SCANNER: %w", err)
	}
	self, err := thisProgram()
	if err != nil {
		return nil, err
	}
	renderer := upload.Renderer{Program: self, Args: []string{RenderCommand}, Compiled: filepath.Join(c.DataDir, "compiled")}
	return upload.New(upload.DefaultLimits(), scanner).RenderWith(renderer), nil
}

func openSenders(c Config) (map[mail.Channel]mail.Sender, error) {
	senders := map[mail.Channel]mail.Sender{}
	if c.SMTP != "" {
		smtp, err := mail.NewSMTP(c.SMTP)
		if err != nil {
			return nil, err
		}
		senders[mail.Mail] = smtp
	}
	if c.SMS != "" {
		texter, err := mail.NewTexter(c.SMS)
		if err != nil {
			return nil, err
		}
		senders[mail.SMS] = texter
	}
	return senders, nil
}

// Business are the parts of the house that may have open business with a trader, besides the ledger.
var Business = []kyc.Business{engine.HasOpenPosition, withdrawal.HasOpen, deposit.HasOpen}

// SealedColumns are all columns of wrapped keys.
var SealedColumns = slices.Concat(kyc.SealedColumns, mail.SealedColumns, payee.SealedColumns, withdrawal.SealedColumns, deposit.SealedColumns, dataexport.SealedColumns,
	staff.SealedColumns, provider.SealedColumns, banking.SealedColumns, adjustment.SealedColumns, factor.SealedColumns)

// OpenVault reads the vault's keys. It creates missing ones only while nothing is sealed.
func OpenVault(ctx context.Context, c Config, d *db.DB) (*vault.Vault, error) {
	holds, err := keyring.Holds(ctx, d, SealedColumns)
	if err != nil {
		return nil, err
	}
	return vault.Load(c.DataDir, holds)
}

func (c Config) hasher() *trader.Hasher {
	if c.argon2 == nil {
		return trader.NewHasher()
	}
	return trader.NewHasherWith(c.argon2)
}
