package proof

import (
	"crypto/ed25519"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/seal"
	"candor/app/trading"
)

// Finding is one check of a receipt. Wrong is the fault that it found, or empty.
type Finding struct{ What, Wrong string }

// Check verifies a receipt from its content alone: every fill and quote is sealed under key, they belong together, and price, rule and sums follow from them.
// It reads nothing else and stores nothing.
func (r Receipt) Check(key ed25519.PublicKey) []Finding {
	findings := append(checkFillSeals(r.fills(), key), checkQuoteSeals(r.quotes(), key)...)
	belongs := Finding{"fills and quotes belong together", r.belongs()}
	findings = append(findings, belongs)
	if belongs.Wrong != "" {
		return findings // the sums can't be checked
	}
	v, e, wrong := r.replay()
	if wrong != "" {
		return append(findings, Finding{"the fills before it", wrong})
	}
	f := r.Fill
	findings = append(findings,
		Finding{fmt.Sprintf("the price %s", f.Product.FormatPrice(f.Price)), v.checkPrice(e, f.Product)},
		Finding{fmt.Sprintf("the rule %q", f.Rule), r.checkRule(e)},
	)
	if f.Rule == trading.StopOutRule || f.Snapshot != nil {
		findings = append(findings, Finding{"the level before it, and that it had lost the most", checkSnapshot(f.SealedFill, r.prices(), v.positions[f.PositionID])})
	}
	return append(findings, Finding{"margin, profit and commission", v.checkSums(e, f.Product)})
}

// Check verifies the receipt of a swap or dividend from its content alone, like that of a fill: all of it is sealed under key, its lots were open, no quote is
// later than the pricing of the rollover, and its amount follows from them.
func (r ChargeReceipt) Check(key ed25519.PublicKey) []Finding {
	c := r.Charge
	findings := checkSeal(fmt.Sprint("charge ", c.ID), c.Leaf(), c.Proof, key)
	findings = append(append(findings, checkFillSeals(r.Fills, key)...), checkQuoteSeals(given(r.Quote, r.Conversion), key)...)
	belongs := Finding{"charge, fills and quotes belong together", r.belongs()}
	findings = append(findings, belongs)
	if belongs.Wrong != "" {
		return findings
	}
	return append(findings,
		Finding{fmt.Sprint("the rollover of ", c.Day.Format(time.DateOnly)), r.checkRollover()},
		Finding{"the lots that were open", r.checkLots()},
		Finding{fmt.Sprintf("the %s", c.Kind), r.checkAmount()},
	)
}

// belongs returns a part of the receipt that is not the charge's, or an empty string.
func (r ChargeReceipt) belongs() string {
	c := r.Charge
	switch {
	case !maybeIs(r.Quote, &c.Product, c.QuoteSeq) || (c.QuoteSeq == nil) != (c.Price == nil):
		return "its quote is another one than the charge names"
	case !maybeIs(r.Conversion, c.Converter, c.ConversionSeq):
		return "the quote that converted it is another one than the charge names"
	}
	return ""
}

// checkRollover requires that the charge's time is a rollover of its day with nights, and that no quote is later than the pricing of the rollover.
func (r ChargeReceipt) checkRollover() string {
	c := r.Charge
	rollover := market.Rollover{At: market.RolloverOn(c.Day)}
	if c.Nights < 1 || rollover.At.UnixMilli() != c.AtMS {
		return "its moment is none of that day"
	}
	for _, q := range given(r.Quote, r.Conversion) {
		if q.Quote.At().After(rollover.PricedAt()) {
			return fmt.Sprintf("quote %s #%d came too late for it", q.Product.Symbol, q.Quote.Seq)
		}
	}
	return ""
}

// checkLots requires that the fills before the rollover left the charge's lots open on its side.
func (r ChargeReceipt) checkLots() string {
	c := r.Charge
	v := newVerifier(nil, nil)
	if wrong := v.follow(r.Fills, c.PositionID, c.AccountID, c.ProductID); wrong != "" {
		return wrong
	}
	for _, f := range r.Fills {
		if f.AtMS >= c.AtMS {
			return fmt.Sprintf("fill %d came after the rollover", f.ID)
		}
	}
	if p := v.positions[c.PositionID]; p.State != trading.StateOpen || p.Side != c.Side || p.Lots != c.Lots {
		return "it counts other lots than were open"
	}
	return ""
}

// checkAmount recomputes the charge.
func (r ChargeReceipt) checkAmount() string {
	c := r.Charge
	e := chargeEvidence{Charge: c.Charge}
	if r.Quote != nil {
		e.bid, e.ask = r.Quote.Quote.Bid, r.Quote.Quote.Ask
	}
	v := newVerifier(map[int]market.Product{c.ProductID: c.Product}, nil)
	if r.Conversion != nil {
		v.byID[c.Converter.ID], e.conversion2 = *c.Converter, r.Conversion.Quote.Mid2()
	}
	return v.checkAmount(e, c.Product)
}

func (r Receipt) fills() []ProvedFill {
	fills := append([]ProvedFill{r.Fill}, r.Earlier...)
	if r.By != nil {
		fills = append(fills, *r.By)
	}
	return fills
}

func (r Receipt) quotes() []ProvedQuote {
	return append(given(&r.Quote, r.Best, r.Conversion, r.Margin), r.Held...)
}

// given are the quotes that are not nil.
func given(quotes ...*ProvedQuote) (out []ProvedQuote) {
	for _, q := range quotes {
		if q != nil {
			out = append(out, *q)
		}
	}
	return out
}

func checkFillSeals(fills []ProvedFill, key ed25519.PublicKey) (findings []Finding) {
	for _, f := range fills {
		findings = append(findings, checkSeal(fmt.Sprint("fill ", f.ID), f.Leaf(), f.Proof, key)...)
	}
	return findings
}

func checkQuoteSeals(quotes []ProvedQuote, key ed25519.PublicKey) (findings []Finding) {
	for _, q := range quotes {
		findings = append(findings, checkSeal(fmt.Sprintf("quote %s #%d", q.Product.Symbol, q.Quote.Seq), q.Quote.Leaf(), q.Proof, key)...)
	}
	return findings
}

func checkSeal(what string, leaf seal.Hash, proof *audit.Proof, key ed25519.PublicKey) []Finding {
	if proof == nil {
		return []Finding{{what, "it is not sealed yet"}}
	}
	head := proof.Head
	path, hash, signed := Finding{What: fmt.Sprintf("%s: its path to the root of batch %d", what, head.Batch)},
		Finding{What: fmt.Sprintf("%s: the hash of head %d", what, head.Batch)}, Finding{What: fmt.Sprintf("%s: the signature of head %d", what, head.Batch)}
	if seal.Climb(leaf, proof.Path) != head.Root {
		path.Wrong = "it leads to another root: it is not what was sealed"
	}
	if head.Digest() != head.Hash {
		hash.Wrong = "it is not the hash of the head's own fields"
	}
	if !ed25519.Verify(key, head.Hash[:], head.Signature) {
		signed.Wrong = "it is not the key's"
	}
	return []Finding{path, hash, signed}
}

// belongs returns a part of the receipt that is not the fill's, or an empty string.
func (r Receipt) belongs() string {
	f := r.Fill
	switch {
	case !r.Quote.is(&f.Product, &f.QuoteSeq):
		return "its quote is another one than the fill names"
	case !maybeIs(r.Best, &f.Product, f.BestSeq):
		return "the quote of its trailing stop is another one than the fill names"
	case !maybeIs(r.Conversion, f.Converter, f.ConversionSeq):
		return "the quote that converted it is another one than the fill names"
	case !maybeIs(r.Margin, f.MarginConversion, f.MarginSeq):
		return "the quote that converted its margin is another one than the fill names"
	case !r.heldIs():
		return "the quotes that valued its account are others than the fill names"
	case f.Entry == trading.EntryClose && len(r.Earlier) == 0:
		return "a closing fill has others before it"
	case (r.By == nil) != (f.ByPosition == nil) || (r.By != nil && (r.By.PositionID != *f.ByPosition || r.By.Entry != trading.EntryOpen)):
		return "the position it was settled against is another one than the fill names"
	}
	return ""
}

// is reports whether it is the quote that a fill names, of the product that the fill was sealed with.
func (q ProvedQuote) is(p *market.Product, seq *int64) bool {
	return p != nil && seq != nil && q.Quote.ProductID == p.ID && q.Quote.Seq == *seq && q.Product.Symbol == p.Symbol && q.Product.Point == p.Point
}

func maybeIs(q *ProvedQuote, p *market.Product, seq *int64) bool {
	if q == nil {
		return seq == nil
	}
	return q.is(p, seq)
}

// replay rebuilds the position from the fills before this one, and this one's evidence from its quotes.
func (r Receipt) replay() (v verifier, e evidence, wrong string) {
	v = newVerifier(map[int]market.Product{r.Fill.ProductID: r.Fill.Product}, nil)
	for _, p := range []*market.Product{r.Fill.Converter, r.Fill.MarginConversion} {
		if p != nil {
			v.byID[p.ID] = *p
		}
	}
	if wrong = v.follow(r.Earlier, r.Fill.PositionID, r.Fill.AccountID, r.Fill.ProductID); wrong != "" {
		return v, e, wrong
	}
	if n := len(r.Earlier); n > 0 && r.Earlier[n-1].ID >= r.Fill.ID {
		return v, e, "they are not in order"
	}
	if by := r.By; by != nil && by.PositionID != r.Fill.PositionID {
		wrong = v.join(by.Fill)
	}
	return v, r.evidence(), wrong
}

// follow rebuilds a position from its fills, which are sealed and in order. It returns the first fill that does not belong to the position, or an empty string.
func (v *verifier) follow(fills []ProvedFill, positionID, accountID int64, productID int) string {
	last := int64(0)
	for _, f := range fills {
		position, known := v.positions[f.PositionID]
		switch {
		case f.PositionID != positionID || f.AccountID != accountID || f.ProductID != productID || f.ID <= last:
			return fmt.Sprintf("fill %d is not of the same position, or not in order", f.ID)
		case f.Entry == trading.EntryOpen:
			if what := v.join(f.Fill); what != "" {
				return fmt.Sprintf("fill %d: %s", f.ID, what)
			}
		case !known || position.Lots < f.Lots || f.OpenValue == nil:
			return fmt.Sprintf("fill %d closes what is not open", f.ID)
		default:
			v.keep(f.Fill, position.Reduced(f.Fill))
		}
		last = f.ID
	}
	return ""
}

// heldIs reports whether the receipt has each quote of the stop-out snapshot once, and no other.
func (r Receipt) heldIs() bool {
	wanted := snapshotQuotes(r.Fill.SealedFill)
	if len(wanted) != len(r.Held) {
		return false
	}
	for i, w := range wanted {
		if !r.Held[i].is(w.product, &w.seq) {
			return false
		}
	}
	return true
}

// prices are the prices of the receipt's quotes for each position of the stop-out snapshot.
func (r Receipt) prices() (out []heldPrice) {
	find := func(productID *int, seq *int64) market.Quote {
		for _, q := range r.Held {
			if productID != nil && seq != nil && q.Quote.ProductID == *productID && q.Quote.Seq == *seq {
				return q.Quote
			}
		}
		return market.Quote{}
	}
	if r.Fill.Snapshot == nil {
		return nil
	}
	for _, s := range r.Fill.Snapshot.Positions {
		q := find(&s.ProductID, &s.QuoteSeq)
		out = append(out, heldPrice{q.Bid, q.Ask, find(s.ConversionProduct, s.ConversionSeq).Mid2()})
	}
	return out
}

func (r Receipt) evidence() evidence {
	e := evidence{Fill: r.Fill.Fill, bid: r.Quote.Quote.Bid, ask: r.Quote.Quote.Ask}
	if r.Conversion != nil {
		e.conversion2 = r.Conversion.Quote.Mid2()
	}
	if r.Margin != nil {
		e.margin2 = r.Margin.Quote.Mid2()
	}
	if r.Best != nil && e.LimitPrice != nil {
		e.best = r.Best.Quote
		distance := e.best.Bid - *e.LimitPrice
		if e.Side == trading.Buy {
			distance = *e.LimitPrice - e.best.Ask
		}
		e.trail = &distance
	}
	if e.TrailSince != nil {
		e.trailSince = *e.TrailSince
	}
	return e
}

// checkRule requires that the condition of the fill's rule was met. The prices of stop loss, take profit and trailing stop are checked with their sums.
func (r Receipt) checkRule(e evidence) string {
	q, waiting := r.Quote.Quote, trading.Order{Side: e.Side, Price: e.LimitPrice}
	closes := map[trading.Rule]bool{trading.StopLossRule: true, trading.TakeProfitRule: true, trading.TrailingRule: true, trading.StopOutRule: true, trading.CloseByRule: true}[e.Rule]
	switch {
	case closes && e.Entry != trading.EntryClose:
		return "it is none of this kind of fill"
	case e.Rule == trading.LimitRule || e.Rule == trading.StopLimitRule:
		if e.LimitPrice == nil || !waiting.LimitReached(q) {
			return "its quote had not reached the limit"
		}
	case e.Rule == trading.StopRule:
		if e.LimitPrice == nil || !waiting.StopReached(q) {
			return "its quote had not reached the stop"
		}
	case e.Rule == trading.TrailingRule:
		if e.trail == nil || *e.trail <= 0 {
			return "its trailing stop did not stand behind a better price"
		}
	}
	return ""
}
