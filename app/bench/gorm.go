package bench

import (
	"context"

	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

// The tables of the reference for GORM, which derives the table names from the type names.
type (
	benchAccount struct {
		ID            int
		Cash, Version int64
	}
	benchOrder struct {
		ID          int64
		AccountID   int
		Lots, Price int64
	}
	benchPosition struct {
		ID                  int64
		AccountID           int
		OrderID             int64
		Lots, Price, Margin int64
	}
	benchPosting struct {
		ID        int64
		OrderID   int64
		AccountID int
		Amount    int64
	}
)

// openGORM opens GORM with its defaults on the references' connections.
func (b *orderBench) openGORM() (err error) {
	b.gorm, err = gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(b.pool)}), &gorm.Config{Logger: logger.Discard})
	return err
}

// gormTransaction is the reference's order, one per transaction, through GORM.
func (b *orderBench) gormTransaction(ctx context.Context, worker int) error {
	return b.gorm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var account benchAccount
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", worker).Take(&account).Error; err != nil {
			return err
		}
		order := benchOrder{AccountID: worker, Lots: 10_000, Price: 9_218_400}
		if err := tx.Create(&order).Error; err != nil {
			return err
		}
		position := benchPosition{AccountID: worker, OrderID: order.ID, Lots: 10_000, Price: 9_218_400, Margin: 46_092_000}
		if err := tx.Create(&position).Error; err != nil {
			return err
		}
		postings := []benchPosting{{OrderID: order.ID, AccountID: worker, Amount: -100}, {OrderID: order.ID, AccountID: 1, Amount: 60}, {OrderID: order.ID, AccountID: 2, Amount: 30}, {OrderID: order.ID, AccountID: 3, Amount: 10}}
		if err := tx.Create(&postings).Error; err != nil {
			return err
		}
		return tx.Model(&benchAccount{}).Where("id = ?", worker).Updates(map[string]any{"cash": gorm.Expr("cash - 100"), "version": gorm.Expr("version + 1")}).Error
	})
}
