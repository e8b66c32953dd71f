package trading

import (
	"crypto/ed25519"
	"fmt"

	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/seal"
	"candor/app/trading/sums"
)

// Finding is one thing that a receipt was checked for, and what is wrong with it, or nothing.
type Finding struct{ What, Wrong string }

// Check recomputes a receipt from itself alone: that every fill and quote is sealed under key, that they belong together, and that price, rule and
// sums follow from them. It asks nobody and keeps nothing.
func (r Receipt) Check(key ed25519.PublicKey) (findings []Finding) {
	for _, f := range r.fills() {
		findings = append(findings, checkSeal(fmt.Sprint("fill ", f.ID), f.Leaf(), f.Proof, key)...)
	}
	for _, q := range r.quotes() {
		findings = append(findings, checkSeal(fmt.Sprintf("quote %s #%d", q.Product.Symbol, q.Quote.Seq), q.Quote.Leaf(), q.Proof, key)...)
	}
	belongs := Finding{"fills and quotes belong together", r.belongs()}
	findings = append(findings, belongs)
	if belongs.Wrong != "" {
		return findings // the sums have nothing to go by
	}
	v, e, wrong := r.replay()
	if wrong != "" {
		return append(findings, Finding{"the fills before it", wrong})
	}
	f := r.Fill
	return append(findings,
		Finding{fmt.Sprintf("the price %s", f.Product.FormatPrice(f.Price)), v.checkPrice(e, f.Product)},
		Finding{fmt.Sprintf("the rule %q", f.Rule), r.checkRule(e)},
		Finding{"margin, profit and commission", v.checkSums(e, f.Product)},
	)
}

func (r Receipt) fills() []ProvedFill {
	fills := append([]ProvedFill{r.Fill}, r.Earlier...)
	if r.By != nil {
		fills = append(fills, *r.By)
	}
	return fills
}

func (r Receipt) quotes() []ProvedQuote {
	quotes := []ProvedQuote{r.Quote}
	for _, q := range []*ProvedQuote{r.Best, r.Conversion, r.Margin} {
		if q != nil {
			quotes = append(quotes, *q)
		}
	}
	return quotes
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

// belongs says which part of the receipt is not the fill's, or nothing.
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
	case f.Entry == entryClose && len(r.Earlier) == 0:
		return "a closing fill has others before it"
	case (r.By == nil) != (f.ByPosition == nil) || (r.By != nil && (r.By.PositionID != *f.ByPosition || r.By.Entry != entryOpen)):
		return "the position it was settled against is another one than the fill names"
	}
	return ""
}

// is tells whether it is the quote that a fill names, of the product that it was sealed with.
func (q ProvedQuote) is(p *market.Product, seq *int64) bool {
	return p != nil && seq != nil && q.Quote.ProductID == p.ID && q.Quote.Seq == *seq && q.Product.Symbol == p.Symbol && q.Product.Point == p.Point
}

func maybeIs(q *ProvedQuote, p *market.Product, seq *int64) bool {
	if q == nil {
		return seq == nil
	}
	return q.is(p, seq)
}

// replay makes the position out of the fills before this one, and this one's evidence out of its quotes.
func (r Receipt) replay() (v verifier, e evidence, wrong string) {
	v = newVerifier(map[int]market.Product{r.Fill.ProductID: r.Fill.Product}, nil)
	for _, p := range []*market.Product{r.Fill.Converter, r.Fill.MarginConversion} {
		if p != nil {
			v.byID[p.ID] = *p
		}
	}
	last := int64(0)
	for _, f := range append(r.Earlier[:len(r.Earlier):len(r.Earlier)], r.Fill) {
		position, known := v.positions[f.PositionID]
		switch {
		case f.PositionID != r.Fill.PositionID || f.AccountID != r.Fill.AccountID || f.ProductID != r.Fill.ProductID || f.ID <= last:
			return v, e, fmt.Sprintf("fill %d is not of the same position, or not in order", f.ID)
		case f.ID == r.Fill.ID:
		case f.Entry == entryOpen:
			if what := v.join(f.Fill); what != "" {
				return v, e, fmt.Sprintf("fill %d: %s", f.ID, what)
			}
		case !known || position.Lots < f.Lots || f.OpenValue == nil:
			return v, e, fmt.Sprintf("fill %d closes what is not open", f.ID)
		default:
			v.keep(f.Fill, reduced(position, draft{Fill: &f.Fill}))
		}
		last = f.ID
	}
	if by := r.By; by != nil && by.PositionID != r.Fill.PositionID {
		wrong = v.join(by.Fill)
	}
	return v, r.evidence(), wrong
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
		if e.Side == Buy {
			distance = *e.LimitPrice - e.best.Ask
		}
		e.trail = &distance
	}
	if e.TrailSince != nil {
		e.trailSince = *e.TrailSince
	}
	return e
}

// checkRule demands that what a fill says it followed had happened. The rules of closing at a price are checked with their sums.
func (r Receipt) checkRule(e evidence) string {
	q, waiting := r.Quote.Quote, Order{Side: e.Side, Price: e.LimitPrice}
	closes := map[Rule]bool{StopLossRule: true, TakeProfitRule: true, TrailingRule: true, StopOutRule: true, CloseByRule: true}[e.Rule]
	switch {
	case closes && e.Entry != entryClose:
		return "it is none of this kind of fill"
	case e.Rule == LimitRule || e.Rule == StopLimitRule:
		if e.LimitPrice == nil || !waiting.limitReached(q) {
			return "its quote had not reached the limit"
		}
	case e.Rule == StopRule:
		if e.LimitPrice == nil || !waiting.stopReached(q) {
			return "its quote had not reached the stop"
		}
	case e.Rule == TrailingRule:
		if e.trail == nil || *e.trail <= 0 {
			return "its trailing stop did not stand behind a better price"
		}
	case e.Rule == StopOutRule:
		if !fallen(e.Fill) {
			return "the margin level had not fallen to the stop-out"
		}
	}
	return ""
}

// fallen tells whether the margin level before a fill was that of a stop-out; positions that used no margin last as long as there is equity.
func fallen(f Fill) bool {
	if f.UsedMargin == 0 {
		return f.Equity <= 0
	}
	return sums.AtOrBelow(f.Equity, f.UsedMargin, stopOutPercent)
}
