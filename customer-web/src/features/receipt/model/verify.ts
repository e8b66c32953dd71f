import {
  type AnyReceipt,
  type Charge,
  type ChargeReceipt,
  type Evidence,
  type Fill,
  fillsOf,
  type ProvedQuote,
  type Receipt,
  readEvidence,
  type Sealing,
  statedQuotes,
} from './evidence'
import { exactScaled } from './exact'
import { isSameQuote } from './same-quote'
import { commissionOf, marginOf, meanOf, partOf, profitOf, SCALE } from './sums'
import { checkSignature, headDigest, leafOf, rootFromPath } from './tape'
import { amountFits, chargeQuotesFit, lotsFit, rolloverFits } from './verify-charge'
import { stopOutFits } from './verify-stop-out'

/** The checks in order: the seals of every fill and quote in the receipt, then the fill itself. */
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
  | 'standing'
  | 'charge_root'
  | 'charge_head'
  | 'charge_signature'
  | 'charge_named'
  | 'rollover'
  | 'lots'
  | 'amount'
  | 'published'

export type Check = {
  name: CheckName
  /** The symbol of the quote, or the number of the fill, whose seal is checked. */
  symbol?: string
  /** `unknown`: this browser can't check it. */
  outcome: 'passed' | 'failed' | 'unknown'
}

/** Recomputes a receipt on this device, from the recorded quotes to the signature, and all sums. */
export async function verifyReceipt(receipt: AnyReceipt): Promise<Check[]> {
  const { publicKey } = receipt
  const checks: Check[] = []
  if ('charge' in receipt) {
    const { charge } = receipt
    checks.push(...(await sealChecks('charge_', String(charge.chargeId), charge, publicKey)))
  }
  for (const fill of fillsOf(receipt)) {
    checks.push(...(await sealChecks('fill_', String(fill.fillId), fill, publicKey)))
  }
  // A quote stated twice with the same content counts once.
  const stated = new Map(statedQuotes(receipt).map((one) => [JSON.stringify(one), one]))
  for (const quote of stated.values()) {
    checks.push(...(await sealChecks('', quote.productNo, quote, publicKey)))
  }
  return [...checks, ...('charge' in receipt ? checkCharge(receipt) : checkDeal(receipt))]
}

/** The first failed check, if any. */
export function failureIn(checks: readonly Check[]): Check | undefined {
  return checks.find(({ outcome }) => outcome === 'failed')
}

type Outcome = Check['outcome']

/** Checks that a leaf is under the head's root, that the head's hash matches its fields, and that the key signed it. */
async function sealChecks(
  kind: '' | 'fill_' | 'charge_',
  symbol: string,
  one: Charge | Fill | ProvedQuote,
  publicKey: string,
): Promise<Check[]> {
  const outcomes = await checkSeal(one, publicKey)
  return (['root', 'head', 'signature'] as const).map((name) => ({
    name: `${kind}${name}` as const,
    symbol,
    outcome: outcomes[name],
  }))
}

async function checkSeal(
  one: Charge | Fill | ProvedQuote,
  publicKey: string,
): Promise<Record<'root' | 'head' | 'signature', Outcome>> {
  const { head, path }: Sealing = one
  if (!head || !path) return { root: 'failed', head: 'failed', signature: 'failed' }
  const leaf = await leafOf(one)
  const root = leaf === null ? null : await rootFromPath(leaf, path)
  const signed = await checkSignature(head, publicKey)
  return {
    root: passes(root !== null && root === head.root),
    head: passes((await headDigest(head)) === head.hash),
    signature: signed === null ? 'unknown' : passes(signed),
  }
}

function checkCharge(receipt: ChargeReceipt): Check[] {
  const outcomes: [CheckName, boolean][] = [
    ['charge_named', chargeQuotesFit(receipt)],
    ['rollover', rolloverFits(receipt)],
    ['lots', lotsFit(receipt)],
    ['amount', amountFits(receipt)],
  ]
  return outcomes.map(([name, fits]) => ({ name, outcome: passes(fits) }))
}

function checkDeal(receipt: Receipt): Check[] {
  const evidence = readEvidence(receipt)
  const named: Check = { name: 'named', outcome: passes(quotesFit(receipt)) }
  const price: Check = { name: 'price', outcome: passes(priceFits(receipt)) }
  const rule: Check = { name: 'rule', outcome: passes(ruleFits(receipt)) }
  const { fill, held } = receipt
  const standing: Check[] =
    fill.rule === 'stop_out' || fill.standing || held
      ? [{ name: 'standing', outcome: passes(stopOutFits(receipt)) }]
      : []
  if (!evidence) return [named, price, rule, ...standing, { name: 'numbers', outcome: 'failed' }]
  const { commissionTerms, terms, commission } = evidence
  const sums: [CheckName, boolean][] =
    receipt.fill.entry === 'open' ? openSums(receipt, evidence) : closeSums(receipt, evidence)
  return [
    named,
    price,
    rule,
    ...standing,
    ...sums.map(([name, fits]): Check => ({ name, outcome: passes(fits) })),
    {
      name: 'commission',
      outcome: passes(commissionOf(terms, evidence.price, commissionTerms).fee === commission),
    },
  ]
}

/** Checks that the quotes are exactly those the fill refers to, and that the other fills belong to its account. */
function quotesFit(receipt: Receipt): boolean {
  const { fill, quote, best, conversion, marginConversion, earlier, byFill } = receipt
  const own = (seq: number | undefined) =>
    seq === undefined ? undefined : { ...fill.product, seq }
  return (
    isSameQuote(quote, own(fill.quoteSeq)) &&
    isSameQuote(best, own(fill.bestSeq)) &&
    isSameQuote(conversion, fill.conversion) &&
    isSameQuote(marginConversion, fill.marginConversion) &&
    (fill.entry === 'open' || earlier.length > 0) &&
    byFill?.positionId === fill.byPositionId &&
    fillsOf(receipt).every(
      (one) => one.accountId === fill.accountId && one.product.productId === fill.product.productId,
    )
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
 * A buy fills at the quote's ask, a sell at its bid. Two positions settled against each other close at the open
 * price of one of them.
 */
function priceFits({ fill, quote, byFill }: Receipt): boolean {
  const own = fill.side === 'buy' ? quote.ask : quote.bid
  const stated = fill.rule === 'close_by' ? (byFill?.price ?? '') : own
  const wanted = exactScaled(stated, quote.point)
  return wanted !== null && wanted === exactScaled(fill.price, fill.product.point)
}

/** Checks that the fill's rule was triggered. */
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
    case 'stop_out':
      return fill.entry === 'close' // the margin level is checked with the account snapshot
    case 'limit':
    case 'stop':
    case 'stop_limit':
    case 'sl':
    case 'tp': {
      const limit = limitPrice ? exactScaled(limitPrice, product.point) : null
      const price = exactScaled(fill.price, product.point)
      const closes = fill.rule === 'sl' || fill.rule === 'tp'
      if (limit === null || price === null || (closes && fill.entry !== 'close')) return false
      // A stop or stop loss may fill beyond its price: a sell below it, a buy above. All others fill at their
      // price or better.
      const runsPast = fill.rule === 'sl' || fill.rule === 'stop'
      return (fill.side === 'sell') === runsPast ? price <= limit : price >= limit
    }
  }
}

/** Checks that two settled positions are opposite and of the same product; the second one refers to itself. */
function facesEachOther({ fill, byFill }: Receipt): boolean {
  if (byFill?.entry !== 'open' || fill.entry !== 'close') return false
  return byFill.positionId === fill.positionId
    ? byFill.side !== fill.side
    : byFill.side === fill.side
}

/**
 * Checks that a trailing stop was behind an earlier, better quote, not older than its start, and that the price
 * fell back to it.
 */
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

/** The distance of a trailing stop from the best quote; null if the fill has none. */
export function trailingDistance({ fill, best }: Receipt): bigint | null {
  if (!best || !fill.limitPrice) return null
  const from = exactScaled(fill.side === 'sell' ? best.bid : best.ask, best.point)
  const limit = exactScaled(fill.limitPrice, fill.product.point)
  if (from === null || limit === null) return null
  return from > limit ? from - limit : limit - from
}

/** The fill that opened the position; undefined if the receipt lacks it. */
export function openingFill({ fill, earlier }: Receipt): Fill | undefined {
  return [...earlier, fill].find(
    ({ entry, positionId }) => entry === 'open' && positionId === fill.positionId,
  )
}

/** The margin and open value that a close releases from its position. */
export type Released = {
  lots: bigint
  ofLots: bigint
  margin: bigint
  of: bigint
  worth: bigint
  ofWorth: bigint
}

/** What a close releases, computed from earlier openings and closes; null if they don't add up. */
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
    // An opening has the position's side; a close has the opposite side, like the fill itself.
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
