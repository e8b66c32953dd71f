import {
  type Evidence,
  type Fill,
  fillsOf,
  type ProvedQuote,
  type Receipt,
  readEvidence,
  type Sealing,
} from './evidence'
import { exactScaled } from './exact'
import { atOrBelow, commissionOf, marginOf, meanOf, partOf, profitOf, SCALE } from './sums'
import { checkSignature, climb, fillLeaf, headDigest, leafHash } from './tape'

/** What is recomputed, in this order: the seals of every fill and every quote that the receipt states, then the deal. */
export type CheckName =
  | 'fill_root'
  | 'fill_head'
  | 'fill_signature'
  | 'root'
  | 'head'
  | 'signature'
  | 'named'
  | 'price'
  | 'rule'
  | 'numbers'
  | 'opening'
  | 'margin'
  | 'profit'
  | 'commission'
  | 'published'

export type Check = {
  name: CheckName
  /** The symbol of the quote, or the number of the fill, that a check of a seal is about. */
  symbol?: string
  /** `unknown`: this browser has no means to check it. */
  outcome: 'passed' | 'failed' | 'unknown'
}

/** Level at or below which positions are closed, in percent. */
export const STOP_OUT_PERCENT = 50n

/** Recomputes a receipt on this device, from the recorded quotes up to the signature, and all sums. */
export async function verifyReceipt(receipt: Receipt): Promise<Check[]> {
  const checks: Check[] = []
  for (const fill of fillsOf(receipt)) {
    const [root, head, signature] = await checkSeal(await fillLeaf(fill), fill, receipt.publicKey)
    const symbol = String(fill.fillId)
    checks.push({ name: 'fill_root', symbol, outcome: root })
    checks.push({ name: 'fill_head', symbol, outcome: head })
    checks.push({ name: 'fill_signature', symbol, outcome: signature })
  }
  for (const quote of statedQuotes(receipt)) {
    const [root, head, signature] = await checkSeal(await leafHash(quote), quote, receipt.publicKey)
    const symbol = quote.productNo
    checks.push({ name: 'root', symbol, outcome: root })
    checks.push({ name: 'head', symbol, outcome: head })
    checks.push({ name: 'signature', symbol, outcome: signature })
  }
  return [...checks, ...checkDeal(receipt)]
}

/** The first check that failed, if any did. */
export function failureIn(checks: readonly Check[]): Check | undefined {
  return checks.find(({ outcome }) => outcome === 'failed')
}

/** Every quote as the receipt states it; one that is stated twice in the same words counts once. */
function statedQuotes({ quote, best, conversion, marginConversion }: Receipt): ProvedQuote[] {
  const stated = new Map<string, ProvedQuote>()
  for (const one of [quote, best, conversion, marginConversion]) {
    if (one) stated.set(JSON.stringify(one), one)
  }
  return [...stated.values()]
}

type Outcome = Check['outcome']

/** Whether a leaf lies under the head's root, the head's hash is that of its fields, and the key has signed it. */
async function checkSeal(
  leaf: string | null,
  { head, path }: Sealing,
  publicKey: string,
): Promise<[root: Outcome, head: Outcome, signature: Outcome]> {
  if (!head || !path) return ['failed', 'failed', 'failed']
  const root = leaf === null ? null : await climb(leaf, path)
  const signed = await checkSignature(head, publicKey)
  return [
    passes(root !== null && root === head.root),
    passes((await headDigest(head)) === head.hash),
    signed === null ? 'unknown' : passes(signed),
  ]
}

function checkDeal(receipt: Receipt): Check[] {
  const evidence = readEvidence(receipt)
  const named: Check = { name: 'named', outcome: passes(namedFits(receipt)) }
  const price: Check = { name: 'price', outcome: passes(priceFits(receipt)) }
  const rule: Check = { name: 'rule', outcome: passes(ruleFits(receipt)) }
  if (!evidence) return [named, price, rule, { name: 'numbers', outcome: 'failed' }]
  const { commissionTerms, terms, commission } = evidence
  const sums: [CheckName, boolean][] =
    receipt.fill.entry === 'open' ? openSums(receipt, evidence) : closeSums(receipt, evidence)
  return [
    named,
    price,
    rule,
    ...sums.map(([name, fits]): Check => ({ name, outcome: passes(fits) })),
    {
      name: 'commission',
      outcome: passes(commissionOf(terms, evidence.price, commissionTerms).fee === commission),
    },
  ]
}

/** The quotes are exactly those that the fill names, and the other fills are of its account. */
function namedFits(receipt: Receipt): boolean {
  const { fill, quote, best, conversion, marginConversion, earlier, byFill } = receipt
  const own = (seq: number | undefined) =>
    seq === undefined ? undefined : { ...fill.product, seq }
  return (
    isNamed(quote, own(fill.quoteSeq)) &&
    isNamed(best, own(fill.bestSeq)) &&
    isNamed(conversion, fill.conversion) &&
    isNamed(marginConversion, fill.marginConversion) &&
    (fill.entry === 'open' || earlier.length > 0) &&
    byFill?.positionId === fill.byPositionId &&
    fillsOf(receipt).every(
      (one) => one.accountId === fill.accountId && one.product.productId === fill.product.productId,
    )
  )
}

type Named = Pick<ProvedQuote, 'productId' | 'productNo' | 'point' | 'seq'>

function isNamed(quote: ProvedQuote | undefined, named: Named | undefined): boolean {
  return (
    quote?.productId === named?.productId &&
    quote?.seq === named?.seq &&
    quote?.productNo === named?.productNo &&
    quote?.point === named?.point
  )
}

function openSums({ fill }: Receipt, evidence: Evidence): [CheckName, boolean][] {
  const { terms, marginRate, price, leverage } = evidence
  const margin = marginOf({ ...terms, rate: marginRate }, fill.product.marginModel, price, leverage)
  return [
    ['margin', margin === evidence.margin],
    ['profit', evidence.profit === 0n],
  ]
}

function closeSums(receipt: Receipt, evidence: Evidence): [CheckName, boolean][] {
  const { terms, positionSide, openPrice, openValue, price, profit, margin } = evidence
  const released = releasedBy(receipt)
  return [
    [
      'opening',
      released !== null &&
        openPrice === meanOf(released.ofWorth, released.ofLots) &&
        openValue === released.worth,
    ],
    ['margin', released !== null && released.margin === margin],
    ['profit', openValue !== null && profitOf(terms, positionSide, openValue, price) === profit],
  ]
}

/**
 * A buy fills at the ask and a sell at the bid of the quote. Two positions that are settled against each other close at
 * the open price of one of them.
 */
function priceFits({ fill, quote, byFill }: Receipt): boolean {
  const own = fill.side === 'buy' ? quote.ask : quote.bid
  const stated = fill.rule === 'close_by' ? (byFill?.price ?? '') : own
  const wanted = exactScaled(stated, quote.point)
  return wanted !== null && wanted === exactScaled(fill.price, fill.product.point)
}

/** What made the fill happen had really happened. */
function ruleFits(receipt: Receipt): boolean {
  const { fill } = receipt
  const { product, limitPrice } = fill
  switch (fill.rule) {
    case 'market':
      return true
    case 'close_by':
      return facesEachOther(receipt)
    case 'trailing':
      return trailedThere(receipt)
    case 'stop_out': {
      const equity = exactScaled(fill.equityBefore, SCALE)
      const used = exactScaled(fill.usedBefore, SCALE)
      if (equity === null || used === null || fill.entry !== 'close') return false
      // Positions that use no margin, as equal legs may, last as long as there is equity.
      return used === 0n ? equity <= 0n : atOrBelow(equity, used, STOP_OUT_PERCENT)
    }
    case 'limit':
    case 'stop':
    case 'stop_limit':
    case 'sl':
    case 'tp': {
      const limit = limitPrice ? exactScaled(limitPrice, product.point) : null
      const price = exactScaled(fill.price, product.point)
      const closes = fill.rule === 'sl' || fill.rule === 'tp'
      if (limit === null || price === null || (closes && fill.entry !== 'close')) return false
      // A stop, and a stop loss, lets the market run past its price: a sell below it, a buy above. The others fill there or better.
      const runsPast = fill.rule === 'sl' || fill.rule === 'stop'
      return (fill.side === 'sell') === runsPast ? price <= limit : price >= limit
    }
  }
}

/** What a position was settled against is its opposite in the same product, or itself as the second of the two. */
function facesEachOther({ fill, byFill }: Receipt): boolean {
  if (byFill?.entry !== 'open' || fill.entry !== 'close') return false
  return byFill.positionId === fill.positionId
    ? byFill.side !== fill.side
    : byFill.side === fill.side
}

/** A trailing stop stood behind an earlier, better quote that came no sooner than it began, and the price fell back to it. */
function trailedThere({ fill, quote, best }: Receipt): boolean {
  if (fill.entry !== 'close' || !best || best.seq >= quote.seq) return false
  if (best.seq < (fill.trailSinceSeq ?? 0)) return false
  const sells = fill.side === 'sell'
  const from = exactScaled(sells ? best.bid : best.ask, best.point)
  const limit = exactScaled(fill.limitPrice ?? '', fill.product.point)
  const price = exactScaled(fill.price, fill.product.point)
  if (from === null || limit === null || price === null) return false
  return sells ? limit < from && price <= limit : limit > from && price >= limit
}

/** How far a trailing stop stayed behind the best quote; null when the fill is of none. */
export function trailOf({ fill, best }: Receipt): bigint | null {
  if (!best || !fill.limitPrice) return null
  const from = exactScaled(fill.side === 'sell' ? best.bid : best.ask, best.point)
  const limit = exactScaled(fill.limitPrice, fill.product.point)
  if (from === null || limit === null) return null
  return from > limit ? from - limit : limit - from
}

/** The fill that opened the position; undefined when the receipt does not hold it. */
export function openingFill({ fill, earlier }: Receipt): Fill | undefined {
  return [...earlier, fill].find(
    ({ entry, positionId }) => entry === 'open' && positionId === fill.positionId,
  )
}

/** What a close releases of its position as it stood before: its margin, and the worth that its lots were opened for. */
export type Released = {
  lots: bigint
  ofLots: bigint
  margin: bigint
  of: bigint
  worth: bigint
  ofWorth: bigint
}

/** What a close releases, from the openings and the closes before it; null when they do not add up. */
export function releasedBy(receipt: Receipt): Released | null {
  const { fill, earlier } = receipt
  let [ofLots, of, ofWorth] = [0n, 0n, 0n]
  for (const before of earlier) {
    const { point } = before.product
    const [lots, margin, price] = [
      exactScaled(before.lots, SCALE),
      exactScaled(before.margin, SCALE),
      exactScaled(before.price, point),
    ]
    const opens = before.entry === 'open'
    const worth = opens ? null : exactScaled(before.openValue ?? '', SCALE + point)
    if (lots === null || margin === null || price === null || (!opens && worth === null))
      return null
    if (before.positionId !== fill.positionId || before.fillId >= fill.fillId) return null
    // An opening is on the side of the position, a close on the other one, as the fill itself is.
    if ((before.side !== fill.side) !== opens) return null
    ofLots += opens ? lots : -lots
    of += opens ? margin : -margin
    ofWorth += opens ? lots * price : -(worth ?? 0n)
  }
  const lots = exactScaled(fill.lots, SCALE)
  if (lots === null || lots <= 0n || lots > ofLots) return null
  return {
    ...{ lots, ofLots, of, ofWorth },
    margin: partOf(of, lots, ofLots),
    worth: partOf(ofWorth, lots, ofLots),
  }
}

function passes(fits: boolean): 'passed' | 'failed' {
  return fits ? 'passed' : 'failed'
}
