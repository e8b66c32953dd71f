import type { ProvedQuote } from './evidence'

type QuoteRef = Pick<ProvedQuote, 'productId' | 'productNo' | 'point' | 'seq'>

/**
 * Reports whether a quote is the referenced one, including the product details it was sealed with. Both may be
 * absent.
 */
export function isSameQuote(quote: ProvedQuote | undefined, named: QuoteRef | undefined): boolean {
  return (
    quote?.productId === named?.productId &&
    quote?.seq === named?.seq &&
    quote?.productNo === named?.productNo &&
    quote?.point === named?.point
  )
}
