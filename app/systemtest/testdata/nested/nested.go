// Package nested asks for a second connection inside a transaction, in every form that the test must find.
package nested

import (
	"context"

	"candor/app/platform/db"
)

// Service runs the forms on a database.
type Service struct {
	db     *db.DB
	others Others
}

// Others is a service behind an interface.
type Others interface {
	Ask(ctx context.Context) error
}

// Asker implements Others.
type Asker struct{ db *db.DB }

// Ask uses the pool.
func (a Asker) Ask(ctx context.Context) error { return a.throughAnInterface(ctx) }

func (a Asker) throughAnInterface(ctx context.Context) error {
	_, err := a.db.Pool.Exec(ctx, `SELECT 1`)
	return err
}

// New makes the service.
func New(d *db.DB) *Service { return &Service{d, Asker{d}} }

// Act runs every form.
func (s *Service) Act(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.othersTx(ctx, tx); err != nil {
			return err
		}
		tx.AfterCommit(func() { _ = s.afterwards(ctx) })
		return s.directly(ctx, tx)
	})
}

func (s *Service) directly(ctx context.Context, _ *db.Tx) error {
	_, err := s.db.Pool.Exec(ctx, `SELECT 1`)
	return err
}

func (s *Service) othersTx(ctx context.Context, tx *db.Tx) error {
	_ = s.throughAnother(ctx)
	_ = s.others.Ask(ctx)
	_ = s.asAQuerier(ctx)
	_ = s.anotherTransaction(ctx)
	_ = s.rowsOutside(ctx)
	return read(ctx, tx.Conn)
}

func (s *Service) throughAnother(ctx context.Context) error {
	_, err := s.db.Pool.Exec(ctx, `SELECT 1`)
	return err
}

func (s *Service) asAQuerier(ctx context.Context) error { return read(ctx, s.db.Pool) }

func (s *Service) anotherTransaction(ctx context.Context) error {
	return s.db.InTx(ctx, func(*db.Tx) error { return nil })
}

func (s *Service) rowsOutside(ctx context.Context) error { return s.db.Rows(ctx).Error }

// afterwards is allowed: the transaction is over.
func (s *Service) afterwards(ctx context.Context) error { return read(ctx, s.db.Pool) }

// read is allowed: it uses the connection that it is given.
func read(ctx context.Context, q db.Querier) error {
	var n int
	return q.QueryRow(ctx, `SELECT 1`).Scan(&n)
}
