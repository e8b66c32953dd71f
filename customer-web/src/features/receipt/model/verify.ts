import {
  type Evidence,
  type Fill,
  type Proof,
  type ProvedQuote,
  type Receipt,
  readEvidence,
} from './evidence'
import { exactScaled } from './exact'
import { atOrBelow, commissionOf, marginOf, partOf, profitOf, SCALE } from './sums'
import { checkSignature, climb, headDigest, leafHash } from './tape'

/** What is recomputed, in this order. The first three for every quote that the receipt names. */
export type CheckName =
  | 'root'
  | 'head'
  | 'signature'
  | 'price'
  | 'rule'
  | 'numbers'
  | 'opening'
  | 'margin'
  | 'profit'
  | 'commission'

export type Check = {
  name: CheckName
  /** The symbol of the quote that a check of the tape is about. */
  symbol?: string
  /** `unknown`: this browser has no means to check it. */
  outcome: 'passed' | 'failed' | 'unknown'
}

/** Level at or below which positions are closed, in percent. */
export const STOP_OUT_PERCENT = 50n

/** Recomputes a receipt on this device, from the recorded quotes up to the signature, and all sums. */
export async function verifyProof(proof: Proof): Promise<Check[]> {
  const checks: Check[] = []
  for (const one of statedQuotes(proof)) {
    checks.push(...(await checkTape(one, proof.receipt.publicKey)))
  }
  return [...checks, ...checkDeal(proof)]
}

/** The first check that failed, if any did. */
export function failureIn(checks: readonly Check[]): Check | undefined {
  return checks.find(({ outcome }) => outcome === 'failed')
}

/** Every quote as the receipt states it; one that is stated twice in the same words counts once. */
function statedQuotes({ receipt }: Proof): ProvedQuote[] {
  const { quote, best, conversion, marginConversion } = receipt
  const stated = new Map<string, ProvedQuote>()
  for (const one of [quote, best, conversion, marginConversion]) {
    if (one) stated.set(JSON.stringify(one), one)
  }
  return [...stated.values()]
}

async function checkTape(quote: ProvedQuote, publicKey: string): Promise<Check[]> {
  const { head, path, productNo: symbol } = quote
  const leaf = await leafHash(quote)
  const root = leaf !== null && path ? await climb(leaf, path) : null
  const sealed = quote.sealed && head !== undefined && head.batch === quote.batch
  const signed = sealed ? await checkSignature(head, publicKey) : false
  return [
    { name: 'root', symbol, outcome: passes(sealed && root !== null && root === head.root) },
    { name: 'head', symbol, outcome: passes(sealed && (await headDigest(head)) === head.hash) },
    { name: 'signature', symbol, outcome: signed === null ? 'unknown' : passes(signed) },
  ]
}

function checkDeal(proof: Proof): Check[] {
  const { receipt } = proof
  const evidence = readEvidence(receipt)
  const price: Check = { name: 'price', outcome: passes(priceFits(proof)) }
  const rule: Check = { name: 'rule', outcome: passes(ruleFits(proof)) }
  if (!evidence) return [price, rule, { name: 'numbers', outcome: 'failed' }]
  const { commissionTerms, terms, commission } = evidence
  const sums: [CheckName, boolean][] =
    receipt.fill.entry === 'open' ? openSums(proof, evidence) : closeSums(proof, evidence)
  return [
    price,
    rule,
    ...sums.map(([name, fits]): Check => ({ name, outcome: passes(fits) })),
    {
      name: 'commission',
      outcome: passes(commissionOf(terms, evidence.price, commissionTerms).fee === commission),
    },
  ]
}

function openSums({ receipt }: Proof, evidence: Evidence): [CheckName, boolean][] {
  const { terms, marginRate, price, leverage } = evidence
  const margin = marginOf(
    { ...terms, rate: marginRate },
    receipt.product.marginModel,
    price,
    leverage,
  )
  return [
    ['margin', margin === evidence.margin],
    ['profit', evidence.profit === 0n],
  ]
}

function closeSums(proof: Proof, evidence: Evidence): [CheckName, boolean][] {
  const { terms, positionSide, openPrice, price, profit, margin } = evidence
  const released = releasedMargin(proof)
  return [
    ['opening', openPrice !== null && openingFits(proof, openPrice)],
    ['margin', released !== null && released.margin === margin],
    ['profit', openPrice !== null && profitOf(terms, positionSide, openPrice, price) === profit],
  ]
}

/**
 * A buy fills at the ask and a sell at the bid of the quote, which must be one of the fill's product. Two positions
 * that are settled against each other close at the open price of one of them.
 */
function priceFits({ receipt: { fill, product, quote, byFill } }: Proof): boolean {
  if (quote.productId !== fill.productId || product.productId !== fill.productId) return false
  const own = fill.side === 'buy' ? quote.ask : quote.bid
  const stated = fill.rule === 'close_by' ? (byFill?.price ?? '') : own
  const wanted = exactScaled(stated, quote.point)
  return (
    wanted !== null &&
    quote.point === product.point &&
    wanted === exactScaled(fill.price, product.point)
  )
}

/** What made the fill happen had really happened. */
function ruleFits({ receipt }: Proof): boolean {
  const { fill, product, limitPrice } = receipt
  switch (fill.rule) {
    case 'market':
      return true
    case 'close_by':
      return facesEachOther(receipt)
    case 'trailing':
      return trailedThere(receipt)
    case 'stop_out': {
      const equity = exactScaled(receipt.equityBefore, SCALE)
      const used = exactScaled(receipt.usedBefore, SCALE)
      return equity !== null && used !== null && atOrBelow(equity, used, STOP_OUT_PERCENT)
    }
    case 'limit':
    case 'stop':
    case 'stop_limit':
    case 'sl':
    case 'tp': {
      const limit = limitPrice ? exactScaled(limitPrice, product.point) : null
      const price = exactScaled(fill.price, product.point)
      const closes = fill.rule === 'sl' || fill.rule === 'tp'
      if (limit === null || price === null || closes !== (fill.entry === 'close')) return false
      // A stop, and a stop loss, lets the market run past its price: a sell below it, a buy above. The others fill there or better.
      const runsPast = fill.rule === 'sl' || fill.rule === 'stop'
      return (fill.side === 'sell') === runsPast ? price <= limit : price >= limit
    }
  }
}

/** What a position was settled against is its opposite in the same product, or itself as the second of the two. */
function facesEachOther({ fill, byFill }: Receipt): boolean {
  if (byFill?.entry !== 'open' || fill.entry !== 'close' || byFill.productId !== fill.productId) {
    return false
  }
  return byFill.positionId === fill.positionId
    ? byFill.side !== fill.side
    : byFill.side === fill.side
}

/** A trailing stop stood its distance behind an earlier, better quote, and the price fell back to it. */
function trailedThere({ fill, product, quote, best, limitPrice, trailingStop }: Receipt): boolean {
  if (fill.entry !== 'close' || best?.productId !== fill.productId || best.seq >= quote.seq) {
    return false
  }
  const sells = fill.side === 'sell'
  const [from, trail, limit, price] = [
    exactScaled(sells ? best.bid : best.ask, best.point),
    exactScaled(trailingStop ?? '', product.point),
    exactScaled(limitPrice ?? '', product.point),
    exactScaled(fill.price, product.point),
  ]
  if (from === null || trail === null || limit === null || price === null || trail <= 0n) {
    return false
  }
  return sells ? limit === from - trail && price <= limit : limit === from + trail && price >= limit
}

/** The fill that opened the position; undefined when the list does not hold it. */
export function openingFill({ receipt, fills }: Proof): Fill | undefined {
  return fills.find(
    ({ entry, positionId }) => entry === 'open' && positionId === receipt.fill.positionId,
  )
}

function openingFits(proof: Proof, openPrice: bigint): boolean {
  const { fill, product } = proof.receipt
  const opening = openingFill(proof)
  return (
    opening !== undefined &&
    opening.productId === fill.productId &&
    opening.side !== fill.side &&
    exactScaled(opening.price, product.point) === openPrice
  )
}

export type Released = { margin: bigint; of: bigint; lots: bigint; ofLots: bigint }

/** The margin a close releases, from the opening and the closes before it; null when they do not add up. */
export function releasedMargin(proof: Proof): Released | null {
  const { fill } = proof.receipt
  const opening = openingFill(proof)
  const lots = exactScaled(fill.lots, SCALE)
  let ofLots = opening ? exactScaled(opening.lots, SCALE) : null
  let of = opening ? exactScaled(opening.margin, SCALE) : null
  for (const before of proof.fills) {
    if (before.entry !== 'close' || before.fillId >= fill.fillId) continue
    if (before.positionId !== fill.positionId) continue
    const [closed, freed] = [exactScaled(before.lots, SCALE), exactScaled(before.margin, SCALE)]
    if (ofLots === null || of === null || closed === null || freed === null) return null
    ofLots -= closed
    of -= freed
  }
  if (lots === null || of === null || ofLots === null || lots <= 0n || lots > ofLots) return null
  return { margin: partOf(of, lots, ofLots), of, lots, ofLots }
}

function passes(fits: boolean): 'passed' | 'failed' {
  return fits ? 'passed' : 'failed'
}
