package main

// Packages whose tests catch faults.
const (
	trading = "app/trading"
	deposit = "app/deposit"
	program = "app/cmd/candor"
	sums    = "app/trading/sums"
)

// faults are mistakes about money, prices and proof. Their tests must fail; where one passes, a test is missing.
var faults = []fault{
	{"no-row-lock", "app/ledger/service.go", ` AND kind <> 'house' FOR UPDATE`, ` AND kind <> 'house'`, trading, "TestParallel"},
	{"no-row-lock-at-the-door", "app/ledger/service.go", ` AND kind <> 'house' FOR UPDATE`, ` AND kind <> 'house'`, program, "TestRace/(InsertOrder|InsertPendingOrder)"},
	{"acknowledged-before-commit", "app/platform/db/db.go", `if err := pgxTx.Commit(ctx); err != nil {`, `if err := pgxTx.Commit(ctx); err != nil && ctx.Err() != nil {`, "app/platform/once", "TestDo"},
	{"key-not-stored", "app/platform/once/once.go", `UPDATE answers SET answer = $4 WHERE trader_id`, `UPDATE answers SET answer = $4 WHERE false AND trader_id`, "app/platform/once", "TestDo/TheSecondReplays"},
	{"another-body-accepted", "app/platform/once/once.go", `if !bytes.Equal(before, hash[:]) {`, `if !bytes.Equal(before, hash[:]) && len(before) == 0 {`, "app/platform/once", "TestDo/AnotherBody"},
	{"trigger-fired-twice", "app/trading/watch.go", `if w.firing[t.subject] {`, `if w.firing[t.subject] && t.account == 0 {`, trading, "TestBooksSayWhatAFullScanSays"},
	{"fired-level-stays", "app/trading/watch.go", `!w.firing[subject{account: a.account.ID, order: o.ID}]`, `a.account.ID != 0`, trading, "TestBooksSayWhatAFullScanSays|TestTheFiredLeaveTheBooks"},
	{"freed-level-not-put-back", "app/trading/watch.go", "\tw.arm(a)\n\treturn w.missed(a, []int{t.quote.ProductID})", "\treturn w.missed(a, []int{t.quote.ProductID})", trading, "TestBooksSayWhatAFullScanSays"},
	{"changed-account-not-valued", "app/trading/watch.go", `w.accounts[id], w.changed[id] = a, true`, `w.accounts[id] = a`, trading, "TestBooksSayWhatAFullScanSays"},
	{"band-too-wide", "app/trading/band.go", `reach := own.distance(width) - 1`, `reach := own.distance(width) / 2`, trading, "TestBooksSayWhatAFullScanSays"},
	{"band-of-less-than-a-unit", "app/trading/band.go", ` + x.distance(width), account`, ` + x.distance(width) - 1, account`, trading, "TestAnAccountNextToItsThreshold"},
	{"conversion-is-no-exposure", "app/trading/band.go", `toward = [clockRuns]bool{true, true, true, true}`, `toward[bidFalls] = false`, trading, "TestAConversionIsAnExposure"},
	{"band-left-while-it-was-reckoned", "app/trading/sweep.go", `return b.ask != 0 && e.direction`, `return b.ask < 0 && e.direction`, trading, "TestABandThatWasLeftBeforeItWasThereCounts"},
	{"triggered-by-its-own-quote", "app/trading/order.go", `q.Seq <= o.SinceSeq`, `q.Seq < o.SinceSeq`, trading, "TestOnlyALaterQuoteTriggers"},
	{"commission-rounded-down", "app/trading/sums/sums.go", `p.CommissionPerLot, money.Unit, money.Up)`, `p.CommissionPerLot, money.Unit, money.Down)`, sums, "TestRounding"},
	{"profit-rounded-up", "app/trading/sums/sums.go", `money.Ratio(money.HalfAway, []int64{move,`, `money.Ratio(money.Up, []int64{move,`, sums, "TestRounding"},
	{"stop-loss-on-the-wrong-side", "app/trading/trailing.go", "\t\treturn price <= stop\n\t}\n\treturn price >= stop", "\t\treturn price >= stop\n\t}\n\treturn price <= stop", trading, "TestProtectionFires"},
	{"trailing-stop-begins-anew", "app/trading/close.go", `if !equal(position.Trail, cmd.Trail) {`, `if position.Trail != cmd.Trail {`, trading, "TestTrailingStop$"},
	{"trailing-stop-from-before-it-began", "app/trading/verify.go", `return e.trailSince <= *e.BestSeq && `, `return `, trading, "TestVerifyKnowsWhereATrailingStopStood"},
	{"closing-price-on-the-wrong-side", "app/trading/portfolio.go", `return openingPrice(side.Opposite(), q) }`, `return openingPrice(side, q) }`, trading, "TestClose$"},
	{"limit-filled-worse", "app/trading/order.go", "case Working:\n\t\treturn o.limitReached(q)", "case Working:\n\t\treturn true", trading, "TestRestingOrdersTrigger"},
	{"stop-on-the-other-side", "app/trading/order.go", "\t\treturn price >= *o.Price\n\t}\n\treturn price <= *o.Price", "\t\treturn price <= *o.Price\n\t}\n\treturn price >= *o.Price", trading, "TestRestingOrdersTrigger"},
	{"other-of-two-left", "app/trading/resting.go", `if ended.OCO == nil {`, `if ended.OCO == nil || ended.ID != 0 {`, trading, "TestOneCancelsTheOther"},
	{"margin-not-checked", "app/trading/open.go", `if free < 0 || `, `if free < 0 && fill.Lots == 0 || `, trading, "TestOpenNeedsMargin"},
	{"hedged-margin-counted-once", "app/trading/sums/sums.go", `2*int64(ratioBps)*paired`, `int64(ratioBps)*paired`, sums, "TestHedgedMargin"},
	{"stop-out-only-below", "app/trading/sums/sums.go", `equity <= limit`, `equity < limit`, trading, "TestStopOut"},
	{"smallest-loss-first", "app/trading/standing.go", `return s.Profit < o.Profit`, `return s.Profit > o.Profit`, trading, "TestWorstPosition"},
	{"deficit-not-forgiven", "app/trading/deal.go", `if f.account.Deficit == 0 {`, `if f.account.Deficit <= 0 {`, trading, "TestStopOut|TestGaps$"},
	{"part-releases-all-margin", "app/trading/close.go", `sums.Part(c.position.Margin, c.lots, c.position.Lots)`, `sums.Part(c.position.Margin, c.position.Lots, c.position.Lots)`, trading, "TestClose$"},
	{"stale-quote-accepted", "app/market/service.go", `return now.Sub(q.At()) > s.feed.StaleLimit(s.product(i, now))`, `return now.Sub(q.At()) > 1_000*s.feed.StaleLimit(s.product(i, now))`, trading, "TestOpenNeedsATradablePrice"},
	{"price-of-before-the-session-fills", "app/market/service.go", ` || s.closedSince(i, q.At(), now):`, `:`, "app/market", "TestPriceOfBeforeTheSession"},
	{"halted-product-fills", "app/market/service.go", `case i.halted.Load():`, `case i.halted.Load() && q.Seq == 0:`, trading, "TestOpenNeedsATradablePrice|TestFeedFaults"},
	{"expired-order-fills", "app/trading/resting.go", `if o.over(q.At()) {`, `if o.over(q.At()) && o.ID == 0 {`, trading, "TestOrdersExpire"},
	{"revision-not-checked", "app/trading/store.go", `WHERE id = $1 AND revision = $2 AND`, `WHERE id = $1 AND revision >= $2 AND`, trading, "TestWritesWantWhatWasRead"},
	{"version-not-checked", "app/trading/store.go", `WHERE id = $1 AND version = $2 AND`, `WHERE id = $1 AND version >= $2 AND`, trading, "TestWritesWantWhatWasRead"},
	{"posting-unbalanced", "app/ledger/ledger.go", `Entry{a.Book.house(houseTrading), house, -profit}`, `Entry{a.Book.house(houseTrading), house, -profit - 1}`, "app/ledger", "Test"},
	{"foreign-account-accepted", "app/trading/service.go", `if f.account.TraderID != owner.TraderID {`, `if owner.TraderID == 0 {`, trading, "TestForeignAccounts"},
	{"quote-of-the-fill-not-recorded", "app/trading/deal.go", `j.record(l.quotes...)`, `j.record(l.quotes[:0]...)`, trading, "TestOpen$"},
	{"signature-not-checked", "app/platform/seal/seal.go", `ed25519.Verify(key, h.Hash[:], h.Signature)`, `len(h.Signature) == len(key)*2`, "app/market", "TestVerifyTapeWantsTheServersKey"},
	{"maker-is-checker", "app/deposit/desk.go", `if d.MakerID == nil || *d.MakerID == by.ID {`, `if d.MakerID == nil {`, deposit, "TestConfirm"},
	{"decided-twice", "app/deposit/desk.go", `if !slices.Contains(states, d.State) {`, `if len(states) == 0 {`, deposit, "TestConfirm|TestEveryAct"},
	{"credited-twice", "app/deposit/desk.go", `if version != 0 && d.Version != version {`, `if version < 0 {`, deposit, "TestApprove|TestConfirm"},
	{"swap-twice", "app/trading/charge.go", `position.RolledDay = r.Day`, `position.RolledDay = position.RolledDay.AddDate(0, 0, 0)`, trading, "TestSwapIsChargedAtTheRollover"},
	{"swap-after-the-close", "app/trading/service.go", `f, err = s.roll(rows{ctx, tx}, f)`, `f.now = s.market.Now()`, trading, "TestSwapComesBeforeAClose"},
	{"swap-of-the-other-side", "app/market/terms.go", "\tif long {\n\t\treturn t.SwapLong", "\tif !long {\n\t\treturn t.SwapLong", trading, "TestSwapIsChargedAtTheRollover"},
	{"weekend-charged", "app/market/rollover.go", `if !h.business(calendar, day) {`, `if !h.business(calendar, day) && calendar == "" {`, "app/market", "TestNights"},
	{"netted-mean-rounded", "app/trading/close.go", `sums.Part(c.position.OpenValue, c.lots, c.position.Lots)`, `sums.Worth(c.lots, c.position.OpenPrice)`, trading, "TestNettingJoinsAtTheMean"},
	{"turn-round-without-margin", "app/trading/netting.go", `return l, s.affords(f, l.position, l.draft)`, `return l, nil`, trading, "TestNettingReversalThatCantBeCarried"},
	{"tier-ignored", "app/trading/sums/sums.go", `int64(max(leg.Leverage, tier.Leverage))`, `int64(tier.Leverage)`, sums, "TestTiers"},
	{"one-person-agrees", "app/market/change.go", "case change.AskedBy == actor.ID:\n\t\t\treturn ErrChangeOwn", "case change.AskedBy == 0:\n\t\t\treturn ErrChangeOwn", "app/market", "TestAChangeTakesTwoPeople"},
	{"term-read-before-its-lock", "app/market/leadership.go", "\tboth.Queue(`SELECT pg_advisory_xact_lock_shared($1)`, termLock)\n\tboth.Queue(`SELECT term FROM feed_terms ORDER BY term DESC LIMIT 1`).QueryRow(func(row pgx.Row) error { return row.Scan(&present) })", "\tboth.Queue(`SELECT term FROM feed_terms ORDER BY term DESC LIMIT 1`).QueryRow(func(row pgx.Row) error { return row.Scan(&present) })\n\tboth.Queue(`SELECT pg_advisory_xact_lock_shared($1)`, termLock)", "app/market", "TestAWriterThatWaits"},
	{"former-leader-writes", "app/market/leadership.go", `if present != term {`, `if present < term {`, "app/market", "TestTheLeadChangesOver"},
}
