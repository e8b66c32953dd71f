package banking

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
)

// Balance compares what a bank account has by the books with what the bank says at the end of its latest statement, in 10^-6 of the account's currency. The
// difference is the sum of the listed parts.
type Balance struct {
	AccountID int
	Statement Statement // the latest one with a balance
	Books     int64
	Bank      int64

	Unmatched  Part // lines that nobody has matched or explained: the bank has them, the books don't
	Unapproved Part // lines of deposits that await their second person
	NotOnFile  Part // deposits credited by hand that no line proves: the books have them, the bank doesn't
	Unpaid     Part // payouts sent from the account that no line proves
	Differing  Part // lines of another amount than was credited for them
	Gaps       Part // statements that begin with a balance that none before ended with; those of a day and of its week may cover each other
}

// Part is a part of a difference: how many things, and what they add up to.
type Part struct{ Count, Amount int64 }

// Difference is what the bank has more than the books.
func (b Balance) Difference() int64 { return b.Bank - b.Books }

// Balances compares every account that has a statement with a balance, by the account's id.
func (s *Service) Balances(ctx context.Context) (map[int]Balance, error) {
	var latest []Statement
	err := s.db.Rows(ctx).Raw(`SELECT DISTINCT ON (account_id) * FROM bank_statements WHERE closing IS NOT NULL ORDER BY account_id, last_day DESC, id DESC`).Scan(&latest).Error
	if err != nil {
		return nil, fmt.Errorf("read the latest statements: %w", err)
	}
	out := map[int]Balance{}
	for _, st := range latest {
		if out[st.AccountID], err = s.balance(ctx, st); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Balance is Balances of one account; ok is false without a statement that has a balance.
func (s *Service) Balance(ctx context.Context, accountID int) (b Balance, ok bool, err error) {
	var st Statement
	err = s.db.Rows(ctx).Where("account_id = ? AND closing IS NOT NULL", accountID).Order("last_day DESC, id DESC").Limit(1).Find(&st).Error
	if err != nil || st.ID == 0 {
		return b, false, err
	}
	b, err = s.balance(ctx, st)
	return b, true, err
}

// balance adds up the books from the opening of the first statement: what was credited for deposits, what withdrawals took, and what was explained.
func (s *Service) balance(ctx context.Context, latest Statement) (Balance, error) {
	b := Balance{AccountID: latest.AccountID, Statement: latest, Bank: *latest.Closing}
	var opening, credited, explained, paid int64
	var since time.Time
	err := errors.Join(
		s.db.Pool.QueryRow(ctx, `SELECT opening, first_day FROM bank_statements WHERE account_id = $1 AND opening IS NOT NULL ORDER BY first_day, id LIMIT 1`, b.AccountID).Scan(&opening, &since),
		s.db.Pool.QueryRow(ctx, `
			SELECT coalesce(sum(amount) FILTER (WHERE state = 'explained'), 0), coalesce(sum(amount) FILTER (WHERE withdrawal_id IS NOT NULL), 0),
			       count(*) FILTER (WHERE state = 'unmatched'), coalesce(sum(amount) FILTER (WHERE state = 'unmatched'), 0)
			FROM bank_lines WHERE account_id = $1`, b.AccountID).Scan(&explained, &paid, &b.Unmatched.Count, &b.Unmatched.Amount),
		s.db.Pool.QueryRow(ctx, `
			SELECT count(*), coalesce(sum(jump), 0) FROM (
				SELECT s.opening - (SELECT p.closing FROM bank_statements p WHERE p.account_id = $1 AND p.closing IS NOT NULL AND p.last_day <= s.first_day
						AND (p.last_day < s.first_day OR p.id < s.id) ORDER BY p.last_day DESC, p.id DESC LIMIT 1) AS jump
				FROM bank_statements s WHERE s.account_id = $1 AND s.opening IS NOT NULL AND s.closing IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM bank_statements p WHERE p.account_id = $1 AND p.id <> s.id AND p.closing = s.opening AND p.last_day <= s.first_day
					AND p.last_day >= coalesce((SELECT max(q.last_day) FROM bank_statements q WHERE q.account_id = $1 AND q.closing IS NOT NULL AND q.last_day < s.first_day), '-infinity'))
				AND NOT EXISTS (SELECT 1 FROM bank_statements o WHERE o.account_id = $1 AND o.first_day = s.first_day AND o.opening = s.opening AND o.id < s.id)) x
			WHERE jump <> 0`, b.AccountID).Scan(&b.Gaps.Count, &b.Gaps.Amount),
	)
	if err != nil {
		return b, fmt.Errorf("add up the lines of bank account %d: %w", b.AccountID, err)
	}
	err = s.db.Pool.QueryRow(ctx, `
		SELECT coalesce(sum(d.received) FILTER (WHERE done), 0),
		       count(*) FILTER (WHERE NOT done), coalesce(sum(l.amount) FILTER (WHERE NOT done), 0),
		       count(*) FILTER (WHERE done AND l.id IS NULL), coalesce(-sum(d.received) FILTER (WHERE done AND l.id IS NULL), 0),
		       count(*) FILTER (WHERE done AND l.amount <> d.received), coalesce(sum(l.amount - d.received) FILTER (WHERE done), 0)
		FROM deposits d JOIN pay_channels c ON c.id = d.channel_id LEFT JOIN bank_lines l ON l.deposit_id = d.id, LATERAL (SELECT d.transaction_id IS NOT NULL AS done) x
		WHERE c.bank_account_id = $1 AND d.kind = 'bank' AND (l.id IS NOT NULL OR (done AND d.decided_at >= $2))`, b.AccountID, since).Scan(
		&credited, &b.Unapproved.Count, &b.Unapproved.Amount, &b.NotOnFile.Count, &b.NotOnFile.Amount, &b.Differing.Count, &b.Differing.Amount)
	if err != nil {
		return b, fmt.Errorf("add up the deposits of bank account %d: %w", b.AccountID, err)
	}
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*), coalesce(sum(w.amount - w.fee), 0) FROM withdrawals w
		WHERE w.bank_account_id = $1 AND w.sent_id IS NOT NULL AND w.state IN ('sent', 'completed') AND w.sent_at >= $2
		  AND NOT EXISTS (SELECT 1 FROM bank_lines l WHERE l.withdrawal_id = w.id)`, b.AccountID, since).Scan(&b.Unpaid.Count, &b.Unpaid.Amount)
	if err != nil {
		return b, fmt.Errorf("add up the payouts of bank account %d: %w", b.AccountID, err)
	}
	b.Books = opening + credited + explained + paid - b.Unpaid.Amount
	return b, nil
}

// Day is a closed day of a bank account, with books and bank as they were when it was closed.
type Day struct {
	ID        int64 // of its approval
	AccountID int
	Day       time.Time
	Statement int64
	Books     int64
	Bank      int64
	CreatedAt time.Time
}

// TableName is GORM's name of the table.
func (Day) TableName() string { return "bank_days" }

func (d *Day) fields(day *string) approval.Fields {
	return approval.Fields{"day": day, "statement": &d.Statement, "books": &d.Books, "bank": &d.Bank}
}

// people is who must take part: one person closes a day on which books and bank agree, two explain a difference.
func (d Day) people() int {
	if d.Books == d.Bank {
		return 1
	}
	return 2
}

func peopleOfDay(a approval.Approval) int {
	d, err := readDay(a)
	if err != nil {
		return 2
	}
	return d.people()
}

// CloseDay closes the last day of the latest statement: books and bank as they are now, with a note on their difference. Seen is the difference that was
// shown. Refusals: ErrState for a day that is closed, or without a statement; ErrChanged, approval.ErrNote, approval.ErrOpen.
func (s *Service) CloseDay(ctx context.Context, by audit.Actor, accountID int, seen int64, note string) (a approval.Approval, err error) {
	if err := approval.CheckNote(note); err != nil {
		return a, err
	}
	b, ok, err := s.Balance(ctx, accountID)
	switch {
	case err != nil:
		return a, err
	case !ok:
		return a, ErrState
	case b.Difference() != seen:
		return a, ErrChanged
	}
	d, day := Day{Statement: b.Statement.ID, Books: b.Books, Bank: b.Bank}, b.Statement.LastDay.Format(time.DateOnly)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var closed bool
		if err := tx.Rows.Raw(`SELECT EXISTS (SELECT 1 FROM bank_days WHERE account_id = ? AND day >= ?)`, accountID, b.Statement.LastDay).Scan(&closed).Error; err != nil {
			return err
		}
		if closed {
			return ErrState
		}
		a, err = s.days.RequestTx(ctx, tx, by, approval.Request{Subject: strconv.Itoa(accountID), Proposal: d.fields(&day), Note: note, People: d.people()})
		return err
	})
	return a, err
}

// DayRequest reads the undecided request to close a day of an account; ok is false without one.
func (s *Service) DayRequest(ctx context.Context, accountID int) (a approval.Approval, d Day, ok bool, err error) {
	list, err := s.days.List(ctx, approval.Search{Open: true, Subject: strconv.Itoa(accountID)}, 0, 1)
	if err != nil || len(list) == 0 {
		return a, d, false, err
	}
	d, err = readDay(list[0])
	return list[0], d, true, err
}

func readDay(a approval.Approval) (d Day, err error) {
	var day string
	if err = a.Read(d.fields(&day)); err != nil {
		return d, err
	}
	d.ID = a.ID
	if d.AccountID, err = strconv.Atoi(a.Subject); err != nil {
		return d, err
	}
	d.Day, err = time.Parse(time.DateOnly, day)
	return d, err
}

// ApproveDay is the second person's agreement to a difference. Refusals: ErrChanged when books or bank differ from the request, those of
// approval.Service.ApproveTx.
func (s *Service) ApproveDay(ctx context.Context, by audit.Actor, a approval.Approval) error {
	d, err := readDay(a)
	if err != nil {
		return err
	}
	now, ok, err := s.Balance(ctx, d.AccountID)
	if err != nil {
		return err
	}
	if !ok || now.Statement.ID != d.Statement || now.Books != d.Books || now.Bank != d.Bank {
		return ErrChanged
	}
	_, err = s.days.Approve(ctx, by, a.ID, a.Version, approval.Requested, a.Facts)
	return err
}

// DeclineDay withdraws the person's own request, or refuses another person's. Refusals: those of approval.Service.DeclineTx.
func (s *Service) DeclineDay(ctx context.Context, by audit.Actor, a approval.Approval, note string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.days.DeclineTx(ctx, tx, by, a, note)
		return err
	})
}

// closeDayTx keeps the closed day.
func (s *Service) closeDayTx(_ context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	d, err := readDay(a)
	if err != nil {
		return err
	}
	d.CreatedAt = s.clock.Now()
	err = tx.Rows.Create(&d).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) { // closed at the same time
		return ErrState
	}
	if err != nil {
		return fmt.Errorf("close a day of bank account %d: %w", d.AccountID, err)
	}
	return nil
}

// Days lists the closed days of an account, the newest first.
func (s *Service) Days(ctx context.Context, accountID, limit int) (list []Day, err error) {
	return list, s.db.Rows(ctx).Where("account_id = ?", accountID).Order("day DESC").Limit(limit).Find(&list).Error
}
