import { usedMargin } from '@/features/market/model/used-margin'
import { fromScaled } from '@/format/arithmetic'
import { type Fill, type ProvedQuote, type Receipt, rateInto } from './evidence'
import { exactScaled } from './exact'
import { isAtOrBelowLevel, profitOf, SCALE } from './sums'

/** Margin level at or below which positions are closed, in percent. */
export const STOP_OUT_PERCENT = 50n
/** Margin level at or below which the trader is warned, in percent. */
export const MARGIN_CALL_PERCENT = 100n

export type SnapshotPosition = NonNullable<Fill['standing']>['positions'][number]

/**
 * Checks a stop-out's account snapshot: equity and used margin follow from all open positions at recorded quotes,
 * a margin call came before, and the closed position had the largest loss of those that could be closed.
 */
export function stopOutFits({ fill, held = [] }: Receipt): boolean {
  const { standing } = fill
  if (fill.rule !== 'stop_out') return standing === undefined && held.length === 0
  if (!standing || fill.entry !== 'close') return false
  const [worth, equity, used, callEquity, callUsed] = [
    standing.worth,
    fill.equityBefore,
    fill.usedBefore,
    standing.call.equity,
    standing.call.usedMargin,
  ].map((text) => exactScaled(text, SCALE))
  if (worth == null || equity == null || used == null) return false
  if (callEquity == null || callUsed == null) return false
  const { positions, call } = standing
  const profits = positions.map((one) => profitAt(one, held))
  const floating = profits.every((one) => one !== null)
    ? profits.reduce<bigint>((all, one) => all + (one ?? 0n), 0n)
    : null
  return (
    isAtOrBelowLevel(equity, used, STOP_OUT_PERCENT) &&
    isAtOrBelowLevel(callEquity, callUsed, MARGIN_CALL_PERCENT) &&
    call.marketTime <= fill.marketTime &&
    call.time <= fill.time &&
    namesExactly(positions, held) &&
    floating !== null &&
    worth + floating === equity &&
    usedBy(positions) === used &&
    choiceFits(fill, positions)
  )
}

/** A position's profit at its quote; null if it differs from the stated one. */
function profitAt(one: SnapshotPosition, held: readonly ProvedQuote[]): bigint | null {
  const { product, conversion } = one
  const quote = held.find(
    ({ productId, seq }) => productId === product.productId && seq === one.quoteSeq,
  )
  const converted = held.find(
    ({ productId, seq }) => productId === conversion?.productId && seq === conversion.seq,
  )
  const rate = rateInto(product.quote, conversion, converted)
  const [lots, stated] = [one.lots, one.profit].map((text) => exactScaled(text, SCALE))
  const openValue = exactScaled(one.openValue, SCALE + product.point)
  const price = exactScaled(one.price, product.point)
  const side = one.side === 'buy' ? quote?.bid : quote?.ask
  if (!rate || lots == null || stated == null || openValue === null || price === null) return null
  if (price !== exactScaled(side ?? '', product.point)) return null
  const terms = { contractSize: BigInt(product.contractSize), point: product.point, lots, rate }
  return profitOf(terms, one.side, openValue, price) === stated ? stated : null
}

/** Checks that the quotes are exactly those the positions refer to, each once and in order. */
function namesExactly(
  positions: readonly SnapshotPosition[],
  held: readonly ProvedQuote[],
): boolean {
  const key = (one: { productId: number; productNo: string; point: number }, seq: number) =>
    `${one.productId} ${one.productNo} ${one.point} ${seq}`
  const named = positions.flatMap(({ product, quoteSeq, conversion }) => [
    key(product, quoteSeq),
    ...(conversion ? [key(conversion, conversion.seq)] : []),
  ])
  return [...new Set(named)].join() === held.map((one) => key(one, one.seq)).join()
}

/** The used margin of all positions, by product; null if two positions state different terms for one product. */
function usedBy(positions: readonly SnapshotPosition[]): bigint | null {
  const products = new Map(positions.map(({ product }) => [product.productId, product]))
  const same = positions.every(({ product }) => {
    const last = products.get(product.productId)
    return JSON.stringify(last) === JSON.stringify(product)
  })
  if (!same) return null
  let total = 0n
  for (const [id, { tiers, hedgedRatioBps }] of products) {
    const legs = positions
      .filter(({ product }) => product.productId === id)
      .map(({ side, lots, leverage, margin }) => ({
        side,
        leverage,
        lots: exactScaled(lots, SCALE) ?? 0n,
        margin: exactScaled(margin, SCALE) ?? 0n,
      }))
    const terms = { tiers: tiersOf(tiers), hedgedRatio: fromScaled(BigInt(hedgedRatioBps), 4) }
    total += usedMargin(terms, legs)
  }
  return total
}

/** Parses tiers such as "10:100,50:50"; the last one is unlimited. */
function tiersOf(text: string | undefined): { upTo?: string; leverage: number }[] {
  return (text?.split(',') ?? []).map((one, index, all) => {
    const [upTo = '', leverage] = one.split(':')
    return { leverage: Number(leverage), ...(index < all.length - 1 ? { upTo } : {}) }
  })
}

/**
 * Checks that the closed position was complete and unchanged, and that every position with a larger loss was
 * skipped.
 */
function choiceFits(fill: Fill, positions: readonly SnapshotPosition[]): boolean {
  const closed = positions.find(({ positionId }) => positionId === fill.positionId)
  if (!closed || closed.skipped || closed.side === fill.side || closed.lots !== fill.lots)
    return false
  if (closed.product.productId !== fill.product.productId || closed.quoteSeq > fill.quoteSeq)
    return false
  if (closed.openValue !== fill.openValue || closed.leverage !== fill.leverage) return false
  if (closed.margin !== fill.margin) return false
  return positions.every((one) => one.skipped === comesBefore(one, closed))
}

/**
 * Reports whether a stop-out closes one position before another: the larger loss, then the larger volume, then the
 * older one.
 */
function comesBefore(one: SnapshotPosition, other: SnapshotPosition): boolean {
  const [profit, than] = [one, other].map((it) => exactScaled(it.profit, SCALE) ?? 0n) as [
    bigint,
    bigint,
  ]
  if (profit !== than) return profit < than
  const [lots, less] = [one, other].map((it) => exactScaled(it.lots, SCALE) ?? 0n) as [
    bigint,
    bigint,
  ]
  return lots === less ? one.positionId < other.positionId : lots > less
}

/** The positions in closing order, the largest loss first. */
export function inClosingOrder(positions: readonly SnapshotPosition[]): SnapshotPosition[] {
  return positions.toSorted((one, other) => (comesBefore(one, other) ? -1 : 1))
}
