package deposit

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/app/switches"
)

// Statement is a transfer on the bank statement, as the maker enters it.
type Statement struct {
	Received  int64
	Reference string // the bank's unique reference
	Sender    string // holder of the account that sent the money
}

// Bounds of entered values.
const (
	senderLength      = 140                 // characters of a name in a bank's message
	earlyDays         = 30 * 24 * time.Hour // a transfer may be older than its announcement
	soloCreditsPeriod = 24 * time.Hour      // period over which one person's credits are summed
)

// Second is the reason why a second person must confirm a credit.
type Second string

// The reasons, in the order of the checks. With NotNeeded, one person credits.
const (
	NotNeeded     Second = ""
	FromProvider  Second = "provider"
	FromStatement Second = "statement" // matched from the statement without a proof
	OtherAmount   Second = "amount"    // not the announced amount
	OtherSender   Second = "sender"    // not known to be the trader
	OverLimit     Second = "limit"
	OverDay       Second = "day" // above the daily limit of one person
)

// SecondAbove is the amount above which two people approve.
func (s *Service) SecondAbove() int64 { return s.switches.Amount(switches.SecondPersonKey) }

// Read normalizes a statement. It returns a field error for an invalid value.
func (st Statement) Read() (Statement, error) {
	st.Reference = strings.ToUpper(strings.TrimSpace(st.Reference))
	st.Sender = strings.Join(strings.Fields(st.Sender), " ")
	n := utf8.RuneCountInString(st.Sender)
	switch {
	case st.Received <= 0:
		return st, errs.Field("received", "field.positive")
	case len(ledger.ReferenceKey(st.Reference)) < 4 || len(st.Reference) > 64 || !db.IsText(st.Reference):
		return st, errs.Field("bankReference", "field.length")
	case n < 2 || n > senderLength || !db.IsText(st.Sender) || strings.ContainsFunc(st.Sender, unprintable):
		return st, errs.Field("sender", "field.length")
	}
	return st, nil
}

// typed is Read of what a person entered: the number of a line is no reference of a bank.
func (st Statement) typed() (Statement, error) {
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(st.Reference)), linePrefix) {
		return st, errs.Field("bankReference", "field.line")
	}
	return st.Read()
}

// unprintable reports characters that can make a name look like another.
func unprintable(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// columnsTx returns the statement's columns of a deposit, with the sender's name sealed.
func (s *Service) columnsTx(ctx context.Context, tx *db.Tx, d *Deposit, st Statement, same bool) (map[string]any, error) {
	if err := s.sealTx(ctx, tx, d, st.Sender); err != nil {
		return nil, err
	}
	return map[string]any{
		"received": st.Received, "bank_reference": st.Reference, "sender_name_key": d.SenderNameKey, "sender_name_sealed": d.SenderNameSealed, "sender_same": same,
	}, nil
}

// sameSender reports whether the sender is the deposit's trader.
func (s *Service) sameSender(ctx context.Context, id int64, sender string) (bool, error) {
	d, err := s.Read(ctx, id)
	if err != nil {
		return false, err
	}
	return s.persons.HolderIs(ctx, d.TraderID, sender)
}

// Approve is the maker's decision: the maker enters the values of the bank statement. The deposit is credited at once, or waits for a second person.
// Refusals: fields, ErrState, ErrNotClaimed, ErrChanged, ErrReference.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, st Statement) (Deposit, error) {
	st, err := st.typed()
	if err != nil {
		return Deposit{}, err
	}
	same, err := s.sameSender(ctx, id, st.Sender)
	if err != nil {
		return Deposit{}, err
	}
	return s.act(ctx, by, id, version, "deposit.approve", func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		if err := d.decidable(by, s.clock.Now(), InReview); err != nil {
			return nil, err
		}
		if d.ByProvider() {
			return nil, ErrState
		}
		if st.Received > d.Amount*10 {
			return nil, errs.Field("received", "field.announced")
		}
		return s.approvedTx(ctx, tx, by, d, st, same)
	})
}

// approvedTx returns the columns of a maker's approval; it posts a credit that takes one person. Same reports whether the sender is the trader.
func (s *Service) approvedTx(ctx context.Context, tx *db.Tx, by audit.Actor, d *Deposit, st Statement, same bool) (map[string]any, error) {
	solo, err := s.soloCreditsTx(ctx, tx, by.ID)
	if err != nil {
		return nil, err
	}
	changes, err := s.columnsTx(ctx, tx, d, st, same)
	if err != nil {
		return nil, err
	}
	changes["maker_id"], changes["shown_hash"], changes["mismatches"] = by.ID, d.facts(st.Received, st.Reference), 0
	if s.second(*d, st.Received, same, solo) != NotNeeded {
		changes["state"] = Approved
		return staff.Released(changes), nil
	}
	return s.creditTx(ctx, tx, d, st.Received, changes)
}

// MatchStatement matches a deposit without a proof to a transfer on the bank statement: the maker enters the statement's values and gets the claim. Two people
// decide, whatever the amount.
// Refusals: fields, ErrState, ErrChanged.
func (s *Service) MatchStatement(ctx context.Context, by audit.Actor, id int64, version int, st Statement, valueDate time.Time) (Deposit, error) {
	st, err := st.typed()
	if err != nil {
		return Deposit{}, err
	}
	same, err := s.sameSender(ctx, id, st.Sender)
	if err != nil {
		return Deposit{}, err
	}
	return s.act(ctx, by, id, version, "deposit.take_up", func(tx *db.Tx, d *Deposit) (map[string]any, error) {
		now := s.clock.Now()
		switch {
		case !d.Unclaimed():
			return nil, ErrState
		case st.Received > d.Amount*10:
			return nil, errs.Field("received", "field.announced")
		case valueDate.After(now.Add(24*time.Hour)) || valueDate.Before(d.CreatedAt.Add(-earlyDays)):
			return nil, errs.Field("valueDate", "field.range")
		}
		changes, err := s.columnsTx(ctx, tx, d, st, same)
		if err != nil {
			return nil, err
		}
		changes["state"], changes["value_date"], changes["proof_at"], changes["decided_at"], changes["reason"] = InReview, valueDate, now, nil, nil
		return staff.Claimed(changes, by.ID, now), nil
	})
}

// PreviewApproval previews an approval by a member of staff: whether the statement names the trader, and why a second person would have to confirm. An empty sender
// counts as the trader.
func (s *Service) PreviewApproval(ctx context.Context, by audit.Actor, d Deposit, st Statement) (same bool, second Second, err error) {
	if same = true; st.Sender != "" {
		if same, err = s.persons.HolderIs(ctx, d.TraderID, st.Sender); err != nil {
			return false, NotNeeded, err
		}
	}
	solo, err := s.soloCredits(ctx, s.db.Pool, by.ID)
	return same, s.second(d, st.Received, same, solo), err
}

// second is the rule for a credit by one person.
func (s *Service) second(d Deposit, received int64, same bool, solo int64) Second {
	switch {
	case d.ByProvider():
		return FromProvider
	case d.MatchedFromStatement():
		return FromStatement
	case received != d.Amount:
		return OtherAmount
	case !same:
		return OtherSender
	case received > s.SecondAbove():
		return OverLimit
	case received > s.switches.Amount(switches.SoloCreditsPerDayKey)-solo:
		return OverDay
	}
	return NotNeeded
}

// soloCreditsTx is the amount that a member of staff credited alone in the last day; its lock on the member serializes their credits.
func (s *Service) soloCreditsTx(ctx context.Context, tx *db.Tx, staffID int64) (int64, error) {
	if err := staff.LockTx(ctx, tx, staffID); err != nil {
		return 0, err
	}
	return s.soloCredits(ctx, tx.Conn, staffID)
}

func (s *Service) soloCredits(ctx context.Context, q db.Querier, staffID int64) (sum int64, err error) {
	err = q.QueryRow(ctx, `
		SELECT coalesce(sum(received), 0) FROM deposits
		WHERE maker_id = $1 AND decided_at > $2 AND state = 'credited' AND kind = 'bank' AND checker_id IS NULL`, staffID, s.clock.Now().Add(-soloCreditsPeriod)).Scan(&sum)
	if err != nil {
		return 0, fmt.Errorf("sum up what staff %d credited alone: %w", staffID, err)
	}
	return sum, nil
}

// ReadReference parses a payment reference from a statement, in any case, with or without its dashes. It reports whether the reference is valid.
func ReadReference(text string) (string, bool) {
	letters := strings.Map(func(r rune) rune {
		if r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, text)
	if len(letters) != 10 || !strings.HasPrefix(letters, "CD") || strings.Trim(letters[2:], referenceLetters) != "" {
		return "", false
	}
	return letters[:2] + "-" + letters[2:6] + "-" + letters[6:], true
}
