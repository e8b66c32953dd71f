import { describe, expect, test } from 'vitest'
import type { Proof, Receipt } from './evidence'
import fixtures from './receipts.fixture.json'
import { failureIn, releasedMargin, verifyProof } from './verify'

/** Receipts as the server gave them, of a recorded market; the fills of their positions, oldest first. */
const proofs = fixtures as unknown as Record<string, Proof>

function proofOf(name: string): Proof {
  const proof = proofs[name]
  if (!proof) throw new Error(`no fixture ${name}`)
  return structuredClone(proof)
}

describe.each(Object.keys(proofs))('%s', (name) => {
  test('is proved by every check', async () => {
    const checks = await verifyProof(proofOf(name))
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(checks.length).toBeGreaterThanOrEqual(8)
  })
})

type Change = (receipt: Receipt) => void
const opened = 'EURJPY open, margin at the EURUSD mid'
const closed = 'EURJPY rest closed'

const forgeries: [string, string, Change, string, string?][] = [
  ['another bid', opened, (r) => (r.quote.bid = '142.129'), 'root', 'EURJPY'],
  ['another ask', opened, (r) => (r.quote.ask = '142.140'), 'root', 'EURJPY'],
  ['another sequence', opened, (r) => (r.quote.seq += 1), 'root', 'EURJPY'],
  ['another market time', opened, (r) => (r.quote.time += 1), 'root', 'EURJPY'],
  ['another source time', opened, (r) => (r.quote.sourceTime -= 1), 'root', 'EURJPY'],
  ['another source', opened, (r) => (r.quote.source = 'live'), 'root', 'EURJPY'],
  ['a quote of another product', opened, (r) => (r.quote.productId = 1), 'root', 'EURJPY'],
  ['another scale', opened, (r) => (r.quote.point = 2), 'root', 'EURJPY'],
  ['a conversion rate', closed, (r) => set(r.conversion, { ask: '99.999' }), 'root', 'USDJPY'],
  [
    'a rate of the margin',
    opened,
    (r) => set(r.marginConversion, { bid: '1.00000' }),
    'root',
    'EURUSD',
  ],
  ['a step of the path', opened, (r) => r.quote.path?.pop(), 'root', 'EURJPY'],
  ['no path', opened, (r) => delete r.quote.path, 'root', 'EURJPY'],
  ['no head', opened, (r) => delete r.quote.head, 'root', 'EURJPY'],
  ['another batch', opened, (r) => (r.quote.batch += 1), 'root', 'EURJPY'],
  ['another root', opened, (r) => set(r.quote.head, { root: '00'.repeat(32) }), 'root', 'EURJPY'],
  ['another time of sealing', opened, (r) => set(r.quote.head, { sealedAt: 1 }), 'head', 'EURJPY'],
  [
    'another head before',
    opened,
    (r) => set(r.quote.head, { previous: '11'.repeat(32) }),
    'head',
    'EURJPY',
  ],
  ['another signature', opened, flipSignature, 'signature', 'EURJPY'],
  ['another key', opened, (r) => (r.publicKey = '22'.repeat(32)), 'signature', 'EURJPY'],
  ['a better price', opened, (r) => (r.fill.price = '142.120'), 'price'],
  ['the other side', opened, (r) => (r.fill.side = 'buy'), 'price'],
  ['more margin', opened, (r) => (r.fill.margin = '278.684001'), 'margin'],
  ['another leverage', opened, (r) => (r.leverage = 50), 'margin'],
  ['a commission', opened, (r) => (r.fill.commission = '0.000001'), 'commission'],
  ['a profit of an opening', opened, (r) => (r.fill.profit = '1'), 'profit'],
  ['another profit', closed, (r) => (r.fill.profit = '1.015542'), 'profit'],
  ['another open price', closed, (r) => (r.openPrice = '142.129'), 'opening'],
  ['no open price', closed, (r) => delete r.openPrice, 'opening'],
  ['more lots', closed, (r) => (r.fill.lots = '0.14'), 'margin'],
  ['an inverted rate', closed, (r) => (r.conversionInverse = false), 'profit'],
  ['no rate', closed, (r) => delete r.conversion, 'numbers'],
  ['a number that is none', closed, (r) => (r.fill.commission = '1e3'), 'numbers'],
  ['decimals nobody sees', closed, (r) => (r.fill.profit = '1.0155410000009'), 'numbers'],
  [
    'a take profit that was not reached',
    'EURUSD closed by take profit',
    (r) => (r.limitPrice = '1.39358'),
    'rule',
  ],
  [
    'a take profit without its price',
    'EURUSD closed by take profit',
    (r) => delete r.limitPrice,
    'rule',
  ],
  [
    'a stop loss that was not reached',
    'NZDUSD sell closed by stop loss, with a gap',
    (r) => (r.limitPrice = '0.87096'),
    'rule',
  ],
  [
    'a stop-out above its level',
    'EURUSD closed by stop-out',
    (r) => (r.equityBefore = '4597.857001'),
    'rule',
  ],
]

function set<T extends object>(target: T | undefined, change: Partial<T>): void {
  if (target) Object.assign(target, change)
}

function flipSignature({ quote: { head } }: Receipt): void {
  const first = head?.signature[0] === '0' ? '1' : '0'
  if (head) head.signature = first + head.signature.slice(1)
}

describe('a forged receipt is refused, and the check says where', () => {
  test.each(forgeries)('%s', async (_, name, change, check, symbol) => {
    const proof = proofOf(name)
    change(proof.receipt)
    const failed = failureIn(await verifyProof(proof))
    expect(failed).toMatchObject(symbol ? { name: check, symbol } : { name: check })
  })
})

test('a stop-out exactly at its level is one', async () => {
  const proof = proofOf('EURUSD closed by stop-out')
  proof.receipt.equityBefore = '4597.857'
  const checks = await verifyProof(proof)
  expect(checks.find(({ name }) => name === 'rule')?.outcome).toBe('passed')
})

test('a close without the fill that opened it is not proved', async () => {
  const { receipt } = proofOf(closed)
  expect(failureIn(await verifyProof({ receipt, fills: [] }))?.name).toBe('opening')
})

test('the margin of a part is released pro rata, and the last part takes the rest', () => {
  const part = releasedMargin(proofOf('EURJPY part closed'))
  expect(part).toEqual({ margin: 97_539_400n, of: 278_684_000n, lots: 70_000n, ofLots: 200_000n })
  const rest = releasedMargin(proofOf(closed))
  expect(rest).toMatchObject({ margin: 181_144_600n, lots: 130_000n, ofLots: 130_000n })
})

test('an unsealed quote proves nothing', async () => {
  const proof = proofOf(opened)
  proof.receipt.quote.sealed = false
  expect(failureIn(await verifyProof(proof))).toMatchObject({ name: 'root' })
})
