import { describe, expect, test } from 'vitest'
import chargeFixtures from './charge-receipts.fixture.json'
import type { ChargeReceipt, Receipt } from './evidence'
import fixtures from './receipts.fixture.json'
import { type Check, failureIn, releasedBy, verifyReceipt } from './verify'

/** Receipts made by the server, one for each kind of fill; written by app/api/receipt_test.go. */
const receipts = fixtures as unknown as Record<string, Receipt>

function receiptOf(name: string): Receipt {
  const receipt = receipts[name]
  if (!receipt) throw new Error(`no fixture ${name}`)
  return structuredClone(receipt)
}

describe.each(Object.keys(receipts))('%s', (name) => {
  test('is proved by every check', async () => {
    const checks = await verifyReceipt(receiptOf(name))
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(checks.length).toBeGreaterThanOrEqual(11)
  })
})

type Change = (receipt: Receipt) => void
const opened = 'EURJPY open, margin at the EURUSD mid'
const closed = 'EURJPY rest closed'
const settled = 'GBPUSD settled against its opposite'
const trailed = 'GBPUSD closed by its trailing stop'

/** A change, and the first check it fails. */
const tampers: [string, string, Change, string, string?][] = [
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
  ['a best quote', trailed, (r) => set(r.best, { bid: '1.69700' }), 'root', 'GBPUSD'],
  ['a step of the path', opened, (r) => r.quote.path?.pop(), 'root', 'EURJPY'],
  ['no path', opened, (r) => delete r.quote.path, 'root', 'EURJPY'],
  ['no head', opened, (r) => delete r.quote.head, 'root', 'EURJPY'],
  ['another root', opened, (r) => set(r.quote.head, { root: '00'.repeat(32) }), 'root', 'EURJPY'],
  ['another batch', opened, (r) => set(r.quote.head, { batch: 9 }), 'head', 'EURJPY'],
  ['another time of sealing', opened, (r) => set(r.quote.head, { sealedAt: 1 }), 'head', 'EURJPY'],
  [
    'another head before',
    opened,
    (r) => set(r.quote.head, { previous: '11'.repeat(32) }),
    'head',
    'EURJPY',
  ],
  ['another signature', opened, flipSignature, 'signature', 'EURJPY'],
  ['another key', opened, (r) => (r.publicKey = '22'.repeat(32)), 'fill_signature'],
  ['a deal without its head', opened, (r) => delete r.fill.head, 'fill_root'],
  ['a deal without its path', opened, (r) => delete r.fill.path, 'fill_root'],
  ['a deal’s batch', opened, (r) => set(r.fill.head, { count: 1 }), 'fill_head'],
  ['another salt', opened, (r) => (r.fill.salt = '00'.repeat(16)), 'fill_root'],
  ['another time', opened, (r) => (r.fill.time += 1), 'fill_root'],
  ['another account', opened, (r) => (r.fill.accountId += 1), 'fill_root'],
  ['an earlier deal', closed, (r) => set(r.earlier[0], { margin: '1' }), 'fill_root'],
  ['the opposite deal', settled, (r) => set(r.byFill, { price: '1.69000' }), 'fill_root'],
  ['a symbol', opened, (r) => (r.quote.productNo = 'EURUSD'), 'named'],
  ['a quote that it does not name', closed, (r) => (r.best = r.quote), 'named'],
  ['no opposite deal', settled, (r) => delete r.byFill, 'named'],
]

/** False statements about the fill: both its seal and its own sums fail. */
const lies: [string, string, Change, string][] = [
  ['a better price', opened, (r) => (r.fill.price = '142.120'), 'price'],
  ['the other side', opened, (r) => (r.fill.side = 'buy'), 'price'],
  ['more margin', opened, (r) => (r.fill.margin = '278.684001'), 'margin'],
  ['another leverage', opened, (r) => (r.fill.leverage = 50), 'margin'],
  ['another contract size', opened, (r) => (r.fill.product.contractSize = 1), 'margin'],
  ['a commission', opened, (r) => (r.fill.commission = '0.000001'), 'commission'],
  ['a profit of an opening', opened, (r) => (r.fill.profit = '1'), 'profit'],
  ['another profit', closed, (r) => (r.fill.profit = '1.015542'), 'profit'],
  ['another open price', closed, (r) => (r.fill.openPrice = '142.129'), 'opening'],
  ['no open price', closed, (r) => delete r.fill.openPrice, 'opening'],
  ['more lots', closed, (r) => (r.fill.lots = '0.14'), 'opening'],
  ['an inverted rate', closed, (r) => set(r.fill.conversion, { inverse: false }), 'numbers'],
  ['a rate of another currency', closed, (r) => set(r.fill.conversion, { quote: 'X' }), 'numbers'],
  ['a number that is none', closed, (r) => (r.fill.commission = '1e3'), 'numbers'],
  ['decimals nobody sees', closed, (r) => (r.fill.profit = '1.0155410000009'), 'numbers'],
  [
    'a take profit that was not reached',
    'EURUSD closed by take profit',
    (r) => (r.fill.limitPrice = '1.39358'),
    'rule',
  ],
  [
    'a take profit without its price',
    'EURUSD closed by take profit',
    (r) => delete r.fill.limitPrice,
    'rule',
  ],
  [
    'a stop loss that was not reached',
    'NZDUSD sell closed by stop loss, with a gap',
    (r) => (r.fill.limitPrice = '0.87096'),
    'rule',
  ],
  ['a stop-out of an opening', 'EURUSD closed by stop-out', (r) => (r.fill.entry = 'open'), 'rule'],
  [
    'a stop-out above its level',
    'EURUSD closed by stop-out',
    (r) => (r.fill.equityBefore = '4597.857001'),
    'standing',
  ],
  ['a trailing stop not reached', trailed, (r) => (r.fill.limitPrice = '1.69489'), 'rule'],
  ['a trailing stop ahead', trailed, (r) => (r.fill.limitPrice = '1.69600'), 'rule'],
  ['a trailing stop before its time', trailed, (r) => (r.fill.trailSinceSeq = 9_999), 'rule'],
  [
    'a limit that was not reached',
    'AUDUSD opened by a limit, better than asked',
    (r) => (r.fill.limitPrice = '0.92889'),
    'rule',
  ],
  [
    'a stop that was not reached',
    'AUDUSD opened by a stop, with a gap',
    (r) => (r.fill.limitPrice = '0.92789'),
    'rule',
  ],
  ['a settlement of its own side', settled, (r) => set(r.byFill, { side: 'buy' }), 'rule'],
]

function set<T extends object>(target: T | undefined, change: Partial<T>): void {
  if (target) Object.assign(target, change)
}

function flipSignature({ quote: { head } }: Receipt): void {
  const first = head?.signature[0] === '0' ? '1' : '0'
  if (head) head.signature = first + head.signature.slice(1)
}

describe('a changed receipt is refused, and the check says where', () => {
  test.each(tampers)('%s', async (_, name, change, check, symbol) => {
    const receipt = receiptOf(name)
    change(receipt)
    const failed = failureIn(await verifyReceipt(receipt))
    expect(failed).toMatchObject(symbol ? { name: check, symbol } : { name: check })
  })
})

/** The first failed check of the fill itself, ignoring its seals. */
function dealFailure(checks: readonly Check[]): Check | undefined {
  const seals = ['fill_root', 'fill_head', 'fill_signature', 'root', 'head', 'signature']
  return failureIn(checks.filter(({ name }) => !seals.includes(name)))
}

describe('a lie about a deal breaks its seal and its sums', () => {
  test.each(lies)('%s', async (_, name, change, check) => {
    const receipt = receiptOf(name)
    change(receipt)
    const checks = await verifyReceipt(receipt)
    expect(failureIn(checks)?.name).toBe('fill_root')
    expect(dealFailure(checks)?.name).toBe(check)
  })
})

test('a close without the fill that opened it is not proved', async () => {
  const receipt = { ...receiptOf(closed), earlier: [] }
  expect(failureIn(await verifyReceipt(receipt))?.name).toBe('named')
})

test('the margin of a part is released pro rata, and the last part takes the rest', () => {
  const part = releasedBy(receiptOf('EURJPY part closed'))
  expect(part).toMatchObject({
    margin: 97_539_400n,
    of: 278_684_000n,
    lots: 70_000n,
    ofLots: 200_000n,
  })
  const rest = releasedBy(receiptOf(closed))
  expect(rest).toMatchObject({ margin: 181_144_600n, lots: 130_000n, ofLots: 130_000n })
})

const stopped = 'USDCHF closed by stop-out, the largest loss of three'

type Standing = NonNullable<Receipt['fill']['standing']>

/** False statements about the account snapshot: both the fill's seal and the sums fail. */
const standings: [string, (standing: Standing, receipt: Receipt) => void][] = [
  ['other money', (s) => (s.worth = '1490.000001')],
  ['another equity', (_, r) => (r.fill.equityBefore = '1')],
  ['another used margin', (_, r) => (r.fill.usedBefore = '2000')],
  ['a call above its level', (s) => (s.call.equity = '9999')],
  ['a call of afterwards', (s, r) => (s.call.marketTime = r.fill.marketTime + 1)],
  ['a call written afterwards', (s, r) => (s.call.time = r.fill.time + 1)],
  ['a number that is none', (s) => (s.call.usedMargin = '1e3')],
  ['another profit', (s) => (s.positions[0] = { ...first(s), profit: '1' })],
  ['another price', (s) => (s.positions[0] = { ...first(s), price: '0.8' })],
  ['another opening', (s) => (s.positions[0] = { ...first(s), openValue: '1' })],
  ['another margin', (s) => (s.positions[0] = { ...first(s), margin: '1' })],
  ['another side', (s) => (s.positions[0] = { ...first(s), side: 'buy' })],
  ['a loss passed over that was none', (s) => (s.positions[0] = { ...first(s), skipped: true })],
  ['a position left out', (s) => s.positions.shift()],
  ['the closed one left out', (s) => s.positions.pop()],
  ['other tiers', (s) => set(s.positions[2]?.product, { tiers: '1:500' })],
  ['another hedged ratio', (s) => set(s.positions[0]?.product, { hedgedRatioBps: 0 })],
  ['a quote too few', (_, r) => r.held?.pop()],
  ['a quote too many', (_, r) => r.held?.push(r.quote)],
  ['another quote', (_, r) => set(r.held?.[0], { seq: 1 })],
  ['no standing at all', (_, r) => delete r.fill.standing],
]

function first(standing: Standing): Standing['positions'][number] {
  const [one] = standing.positions
  if (!one) throw new Error('nothing was open')
  return one
}

describe('a lie about how the account of a stop-out stood is found', () => {
  test.each(standings)('%s', async (_, change) => {
    const receipt = receiptOf(stopped)
    const { standing } = receipt.fill
    if (!standing) throw new Error('no standing')
    change(standing, receipt)
    const checks = await verifyReceipt(receipt)
    expect(checks.find(({ name }) => name === 'standing')?.outcome).toBe('failed')
  })

  test('a standing of a fill that is no stop-out', async () => {
    const receipt = receiptOf(opened)
    const { standing } = receiptOf(stopped).fill
    if (standing) receipt.fill.standing = standing
    expect(dealFailure(await verifyReceipt(receipt))?.name).toBe('standing')
  })

  test('a smaller loss closed while a larger one could have been', async () => {
    const receipt = receiptOf(stopped)
    const small = receipt.fill.standing && first(receipt.fill.standing)
    if (small) Object.assign(receipt.fill, { positionId: small.positionId, lots: small.lots })
    const checks = await verifyReceipt(receipt)
    expect(checks.find(({ name }) => name === 'standing')?.outcome).toBe('failed')
  })
})

const charges = chargeFixtures as unknown as Record<string, ChargeReceipt>
const [points, money, percent, dividend] = [
  'EURJPY, a swap in points, converted',
  'ETHUSD, a swap in money',
  'AAPL, a swap in percent',
  'AAPL, a dividend',
] as const

function chargeOf(name: string): ChargeReceipt {
  const receipt = charges[name]
  if (!receipt) throw new Error(`no fixture ${name}`)
  return structuredClone(receipt)
}

describe.each(Object.keys(charges))('%s', (name) => {
  test('is proved by every check', async () => {
    const checks = await verifyReceipt(chargeOf(name))
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(checks.length).toBeGreaterThanOrEqual(10)
  })
})

/** False statements about a charge: each fails a seal, and one of the charge's own checks where there is one. */
const chargeLies: [string, string, (receipt: ChargeReceipt) => void, string][] = [
  ['an amount', points, (r) => (r.charge.amount = '1'), 'amount'],
  ['a rate', money, (r) => (r.charge.rate = '9'), 'amount'],
  ['a unit', money, (r) => (r.charge.unit = 'points'), 'amount'],
  ['a model', points, (r) => (r.charge.product.swapModel = 'money'), 'amount'],
  ['nights', money, (r) => (r.charge.nights = 2), 'amount'],
  ['a contract size', points, (r) => (r.charge.product.contractSize = 1), 'amount'],
  [
    'a conversion upside down',
    points,
    (r) => set(r.charge.conversion, { inverse: false }),
    'amount',
  ],
  ['a price', percent, (r) => (r.charge.price = '600.00'), 'amount'],
  ['a dividend paid and not received', dividend, (r) => (r.charge.amount = '-2.6'), 'amount'],
  ['no night', money, (r) => (r.charge.nights = 0), 'rollover'],
  ['another day', money, (r) => (r.charge.day = '2026-11-23'), 'rollover'],
  ['another moment', money, (r) => (r.charge.marketTime += 1), 'rollover'],
  ['a later quote', percent, (r) => set(r.quote, { time: r.charge.marketTime - 999 }), 'rollover'],
  ['lots', money, (r) => (r.charge.lots = '9'), 'lots'],
  ['a side', money, (r) => (r.charge.side = 'buy'), 'lots'],
  ['a deal left out', points, (r) => r.fills.pop(), 'lots'],
  [
    'a deal of afterwards',
    points,
    (r) => set(r.fills[1], { marketTime: r.charge.marketTime }),
    'lots',
  ],
  ['another account', points, (r) => (r.charge.accountId += 1), 'charge_named'],
  ['another quote', percent, (r) => set(r.quote, { seq: 1 }), 'charge_named'],
  ['no quote', percent, (r) => delete r.quote, 'charge_named'],
  ['no conversion', points, (r) => delete r.conversion, 'charge_named'],
]

describe('a changed charge is refused, and the check says where', () => {
  test.each(chargeLies)('%s', async (_, name, change, check) => {
    const receipt = chargeOf(name)
    change(receipt)
    const checks = await verifyReceipt(receipt)
    expect(failureIn(checks)).toBeDefined()
    expect(checks.find((one) => one.name === check)?.outcome).toBe('failed')
  })

  test.each([
    ['a salt', (r: ChargeReceipt) => (r.charge.salt = '00'.repeat(16)), 'charge_root'],
    ['a time', (r: ChargeReceipt) => (r.charge.time += 1), 'charge_root'],
    ['a transaction', (r: ChargeReceipt) => (r.charge.transactionId = 1), 'charge_root'],
    ['a batch', (r: ChargeReceipt) => set(r.charge.head, { count: 99 }), 'charge_head'],
    ['a key', (r: ChargeReceipt) => (r.publicKey = '22'.repeat(32)), 'charge_signature'],
    ['no head', (r: ChargeReceipt) => delete r.charge.head, 'charge_root'],
  ])('%s', async (_, change, check) => {
    const receipt = chargeOf(points)
    change(receipt)
    expect(failureIn(await verifyReceipt(receipt))?.name).toBe(check)
  })
})
