package deposit

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/provider"
)

// appealLimit is the maximum length of an appeal, in characters.
const appealLimit = 1000

// Refusals of provider deposits.
var (
	ErrAppealText = errs.Field("appeal", "field.length")
	ErrAppealLate = errs.New(errs.Refused, "deposit.appeal_late") // more than AppealLife after the end
	ErrNotNow     = errs.New(errs.Unavailable, "deposit.not_now") // the provider gave no clear answer; nothing was done
	ErrNoProof    = errs.Field("file", "field.required")          // a payment over the counter needs a proof
)

// MarkPaid records that the trader has paid, once per key, and returns the Deposit. Over the counter it needs an accepted offer and a picture as proof;
// at a provider's page it takes no proof.
// Refusals: ErrUnknown, ErrState, ErrNoProof, ErrFile.
func (s *Service) MarkPaid(ctx context.Context, o ledger.Owner, depositID int64, fileName string, r idempotency.Request) (Result, error) {
	return s.informProvider(ctx, o, depositID, r, "deposit.paid", func(tx *db.Tx, d Deposit) (map[string]any, error) {
		now := s.clock.Now()
		switch {
		case d.Kind == ThirdParty && d.May(ProviderPending) && fileName == "":
			return map[string]any{"state": ProviderPending, "moved_at": now}, nil
		case d.Kind != OTC || !d.May(MarkedPaid) || !d.Agreed():
			return nil, ErrState
		case fileName == "":
			return nil, ErrNoProof
		}
		file, err := ownFileTx(tx, o.TraderID, fileName)
		return map[string]any{"state": MarkedPaid, "file_id": file.ID, "proof_at": now, "moved_at": now}, err
	})
}

// Appeal records the trader's appeal about a payment over the counter that was not credited, once per key, and returns the Deposit. It needs a proof
// unless one was submitted.
// Refusals: ErrUnknown, ErrState, ErrAppealText, ErrAppealLate, ErrNoProof, ErrFile.
func (s *Service) Appeal(ctx context.Context, o ledger.Owner, depositID int64, text, fileName string, r idempotency.Request) (Result, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < 1 || n > appealLimit || !db.IsText(text) {
		return Result{}, ErrAppealText
	}
	return s.informProvider(ctx, o, depositID, r, "deposit.appeal", func(tx *db.Tx, d Deposit) (map[string]any, error) {
		now := s.clock.Now()
		switch {
		case !d.Appealable():
			return nil, ErrState
		case now.After(d.ExpiresAt.Add(AppealLife)):
			return nil, ErrAppealLate
		case fileName == "" && d.FileID == nil:
			return nil, ErrNoProof
		}
		changes := map[string]any{"state": Appealed, "appeal": text, "moved_at": now, "decided_at": nil, "proof_at": now}
		if fileName != "" {
			file, err := ownFileTx(tx, o.TraderID, fileName)
			if err != nil {
				return nil, err
			}
			changes["file_id"] = file.ID
		}
		return changes, nil
	})
}

// informProvider changes a trader's deposit, once per key, then informs the provider.
func (s *Service) informProvider(ctx context.Context, o ledger.Owner, id int64, r idempotency.Request, action string, decide func(*db.Tx, Deposit) (map[string]any, error)) (Result, error) {
	var written int64
	result, err := idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Deposit, error) {
		d, err := lockOwnTx(tx, o.TraderID, id)
		if err != nil {
			return Deposit{}, err
		}
		changes, err := decide(tx, d)
		if err != nil {
			return Deposit{}, err
		}
		if err := moveTx(tx, &d, changes); err != nil {
			return Deposit{}, err
		}
		if err := s.queue.AddTx(ctx, tx, askProvider{d.ID}); err != nil {
			return Deposit{}, err
		}
		written = d.ID
		return d, audit.RecordTx(ctx, tx, audit.By(o.Actor(), s.clock.Now(), action, "deposit", d.ID))
	})
	if err == nil {
		s.askSoon(ctx, written)
	}
	return result, err
}

// cancelAtProvider asks the provider to end a payment that the trader cancels, before the deposit is cancelled. Refusal: ErrNotNow.
func (s *Service) cancelAtProvider(ctx context.Context, o ledger.Owner, id int64) error {
	d, err := s.Own(ctx, o.TraderID, id)
	if err != nil || !d.ByProvider() || !d.Cancellable() {
		return err
	}
	gateway, err := s.gateway(d)
	if err != nil {
		return ErrNotNow
	}
	p, err := gateway.Act(ctx, d.Reference, provider.Cancel)
	var refused provider.RefusedError
	if errors.As(err, &refused) {
		p, err = gateway.Payment(ctx, d.Reference)
	}
	reply := d.classify(p, err, false)
	if reply.unclear || reply.absent {
		return ErrNotNow
	}
	return s.settle(ctx, d.ID, reply, o.Actor(), nil)
}

func ownFileTx(tx *db.Tx, traderID int64, name string) (file File, err error) {
	if !db.IsText(name) {
		return file, ErrFile
	}
	if err := tx.Rows.Where("name = ? AND trader_id = ?", name, traderID).Limit(1).Find(&file).Error; err != nil {
		return file, err
	}
	if file.ID == 0 {
		return file, ErrFile
	}
	return file, nil
}
