import type { ProvedQuote } from './evidence'

type QuoteRef = Pick<ProvedQuote, 'productId' | 'productNo' | 'point' | 'seq'>

/** Whether a quote is the one that is named, of the product that it was sealed with; neither is one too. */
export function isSameQuote(quote: ProvedQuote | undefined, named: QuoteRef | undefined): boolean {
  return (
    quote?.productId === named?.productId &&
    quote?.seq === named?.seq &&
    quote?.productNo === named?.productNo &&
    quote?.point === named?.point
  )
}
