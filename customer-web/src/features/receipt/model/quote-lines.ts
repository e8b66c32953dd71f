import type { Wire } from '@/api/client'

/** Quotes as drawn lines: paths in a box of 100 × 100 whose y axis points down, and the place of the marked quote in it. */
export type QuoteLines = { bid: string; ask: string; at: number; markBid: number; markAsk: number }

/** Room above and below the lines, in hundredths of the height. */
const MARGIN = 6

/**
 * Draws bid and ask as steps, because a quote holds until the next one; null unless the marked quote, with its time and
 * prices, and another one exist.
 */
export function drawQuotes(
  quotes: readonly Wire['TapeQuote'][],
  quote: Wire['TapeQuote'],
): QuoteLines | null {
  const marked = quotes.find((one) => isSame(one, quote))
  const [first] = quotes
  const last = quotes.at(-1)
  if (!marked || !first || !last || last.time <= first.time) return null
  // Only places on the screen follow from these numbers.
  const low = Math.min(...quotes.map(({ bid }) => Number(bid)))
  const high = Math.max(...quotes.map(({ ask }) => Number(ask)))
  const x = (time: number) => ((time - first.time) / (last.time - first.time)) * 100
  const y = (price: string) =>
    high === low ? 50 : MARGIN + ((high - Number(price)) / (high - low)) * (100 - 2 * MARGIN)
  const path = (side: 'bid' | 'ask') =>
    quotes
      .map((one, index) => {
        const [at, level] = [x(one.time).toFixed(2), y(one[side]).toFixed(2)]
        return index === 0 ? `M0 ${level}` : `H${at}V${level}`
      })
      .join('')
  return {
    bid: path('bid'),
    ask: path('ask'),
    at: x(marked.time),
    markBid: y(marked.bid),
    markAsk: y(marked.ask),
  }
}

const isSame = (one: Wire['TapeQuote'], other: Wire['TapeQuote']) =>
  one.seq === other.seq && one.time === other.time && one.bid === other.bid && one.ask === other.ask
