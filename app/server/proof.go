package server

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/seal"
	"candor/app/reconciliation"
	"candor/app/trading/proof"
	"candor/app/wallet"
)

// Report is the result of verify.
type Report struct {
	OK     bool             `json:"ok"`
	Proved map[string]int64 `json:"proved"`
	Wrong  *wrongRow        `json:"wrong,omitempty"`
}

type wrongRow struct {
	Check string `json:"check"`
	Table string `json:"table"`
	Row   string `json:"row"`
	What  string `json:"what"`
}

// Verify recomputes all balances, fills, candles and chains and names the first wrong row.
func Verify(ctx context.Context, c Config, d *Database) (Report, error) {
	key, err := seal.LoadKey(c.DataDir)
	if err != nil {
		return Report{}, err
	}
	var products []market.Product
	if err := d.Rows(ctx).Find(&products).Error; err != nil {
		return Report{}, fmt.Errorf("read the products: %w", err)
	}
	schedule, err := market.ReadSchedule(ctx, d.Pool)
	if err != nil {
		return Report{}, err
	}
	chains := openChains(c, d, clock.Real{}, key, products, schedule.Terms)
	checks := []struct {
		name string
		run  func() (*audit.Problem, int64, error)
	}{
		{"postings", func() (*audit.Problem, int64, error) { return reconciliation.Prove(ctx, d.DB, time.Time{}) }},
		{"fills", func() (*audit.Problem, int64, error) { return proof.Verify(ctx, d.Pool, products) }},
		{"exchanges", func() (*audit.Problem, int64, error) { return wallet.Verify(ctx, d.Pool, products) }},
		{"quotes", func() (*audit.Problem, int64, error) {
			return market.VerifyTape(ctx, d.DB, key.Public().(ed25519.PublicKey), seal.NewCheckpointStore(c.DataDir, "tape"))
		}},
		{"candles", func() (*audit.Problem, int64, error) { return market.VerifyCandles(ctx, d.DB) }},
		{"audit entries", func() (*audit.Problem, int64, error) { return chains.audit.Verify(ctx) }},
		{"sealed fills", func() (*audit.Problem, int64, error) { return chains.fills.Verify(ctx) }},
		{"sealed terms", func() (*audit.Problem, int64, error) { return chains.terms.Verify(ctx) }},
		{"sealed charges", func() (*audit.Problem, int64, error) { return chains.charges.Verify(ctx) }},
	}
	r := Report{OK: true, Proved: map[string]int64{}}
	for _, check := range checks {
		problem, proved, err := check.run()
		if err != nil {
			return r, fmt.Errorf("verify %s: %w", check.name, err)
		}
		r.Proved[check.name] = proved
		if problem != nil {
			r.OK, r.Wrong = false, &wrongRow{check.name, problem.Table, problem.Row, problem.What}
			return r, nil
		}
	}
	return r, nil
}
