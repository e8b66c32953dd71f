import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderPart } from '@/testing/render-app'
import chargeFixtures from '../model/charge-receipts.fixture.json'
import type { Receipt } from '../model/evidence'
import fixtures from '../model/receipts.fixture.json'
import { ChargeReceiptSheet } from './charge-receipt-sheet'
import { ReceiptSheet } from './receipt-sheet'

const receipts = fixtures as unknown as Record<string, Receipt>
const opened = 'XAUUSD open, commission by lot'
const closed = 'EURJPY part closed'

function receiptOf(name: string): Receipt {
  const receipt = receipts[name]
  if (!receipt) throw new Error(`no fixture ${name}`)
  return structuredClone(receipt)
}

/** Serves one receipt, changed by `change` on each call. */
function serve(name: string, change: (receipt: Receipt, call: number) => void = () => {}) {
  let calls = 0
  return fakeServer({
    'trade/findReceipt': () => {
      const receipt = receiptOf(name)
      calls += 1
      change(receipt, calls)
      return answer(receipt)
    },
  })
}

async function show() {
  return renderPart(<ReceiptSheet fillId={1} onClose={() => {}} />)
}

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await import('@/ui/sheet/sheet-surface')
}, 30_000)

afterEach(() => vi.unstubAllGlobals())
beforeEach(() => {
  // jsdom has no layout, so the sheet's transition would never end.
  vi.stubGlobal('matchMedia', undefined)
})

test('checks out only after it was recomputed here', async () => {
  serve(opened)
  await show()
  expect(screen.queryByText('The price checks out.')).toBeNull()
  expect(await screen.findByText('The price checks out.')).toBeTruthy()
  expect(screen.getByText('filled at the bid')).toBeTruthy()
  expect(screen.getByText('0.05 × 100 XAU × 1,309.81 ÷ 100')).toBeTruthy()
  expect(screen.getByText('12 checks')).toBeTruthy()
})

test('a receipt that was altered names the step that does not fit', async () => {
  serve(opened, (receipt) => {
    receipt.fill.commission = '0.174'
  })
  await show()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Check failed:')
  expect(alert.textContent).toMatch(/Trade \d+ is in its sealed batch/)
  expect(screen.queryByText('The price checks out.')).toBeNull()
})

test('an unsealed quote is asked for again until the tape has sealed it', async () => {
  const asked = serve(opened, (receipt, call) => {
    if (call > 1) return
    delete receipt.quote.head
    delete receipt.quote.path
  })
  await show()
  expect(await screen.findByText(/Not sealed yet/)).toBeTruthy()
  expect(screen.getByText('Will be sealed within seconds.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Verify again' })).toHaveProperty('disabled', true)
  expect(await screen.findByText('The price checks out.')).toBeTruthy()
  expect(asked.filter(({ path }) => path === 'trade/findReceipt')).toHaveLength(2)
})

test('draws the quotes around that of the fill, and nothing without them', async () => {
  const { quote } = receiptOf(opened)
  const near = (by: number) => ({
    seq: quote.seq + by,
    time: quote.time + by * 100,
    bid: quote.bid,
    ask: quote.ask,
  })
  const list = [near(-1), near(0), near(1)]
  let known = list
  const asked = fakeServer({
    'trade/findReceipt': () => answer(receiptOf(opened)),
    'proof/findQuoteList': () => answer(known),
  })
  const view = await show()
  expect(
    await screen.findByRole('img', { name: 'Bid and ask of 3 quotes around this one' }),
  ).toBeTruthy()
  view.unmount()
  known = []
  await show()
  await waitFor(() =>
    expect(asked.filter(({ path }) => path === 'proof/findQuoteList')).toHaveLength(2),
  )
  await waitFor(() => expect(document.querySelector('[class*="waiting"]')).toBeNull())
  expect(screen.queryByRole('img', { name: /quotes around/ })).toBeNull()
})

test('says so when the browser can’t check the signature', async () => {
  serve(opened)
  vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('no Ed25519'))
  await show()
  expect(await screen.findByText(/Signature not checked by this browser/)).toBeTruthy()
})

test('promises nothing where the browser can’t hash', async () => {
  serve(opened)
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  await show()
  expect(await screen.findByText(/cannot recompute the proof on this page/)).toBeTruthy()
  expect(screen.queryByText('The price checks out.')).toBeNull()
})

test('verifies again on a press', async () => {
  serve(opened)
  await show()
  await screen.findByText('The price checks out.')
  const digest = vi.spyOn(crypto.subtle, 'digest')
  await userEvent.click(screen.getByRole('button', { name: 'Verify again' }))
  await waitFor(() => expect(digest).toHaveBeenCalled())
  expect(await screen.findByText('The price checks out.')).toBeTruthy()
})

test('a close shows its sums, its rate, and the way to the opening', async () => {
  const asked = serve(closed)
  await show()
  await screen.findByText('The price checks out.')
  expect(screen.getByText(/÷ 102\.4085/)).toBeTruthy()
  expect(screen.getByText('278.684 × 0.07 ÷ 0.20')).toBeTruthy()
  expect(screen.getByText('+0.54683')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Proof of the opening trade' }))
  await waitFor(() => expect(asked.at(-1)?.query.get('fillId')).not.toBe('1'))
  expect(screen.getByRole('button', { name: 'Back to the closing trade' })).toBeTruthy()
})

test('the rule of a stop loss names the gap, that of a stop-out the level', async () => {
  serve('NZDUSD sell closed by stop loss, with a gap')
  const { unmount } = await show()
  const rule = await screen.findByRole('region', { name: 'The rule' })
  expect(rule.textContent).toMatch(/rose to the stop loss at .*0\.87086/)
  expect(rule.textContent).toMatch(/gapped past it by .*0\.00009/)
  unmount()
  serve('EURUSD closed by stop-out')
  await show()
  const other = await screen.findByRole('region', { name: 'The rule' })
  expect(other.textContent).toMatch(/Equity fell to .*3,336\.80/)
})

test('the proof can be copied as it came', async () => {
  serve(opened)
  const user = userEvent.setup()
  await show()
  await screen.findByText('The price checks out.')
  await user.click(screen.getByRole('button', { name: 'Copy proof' }))
  const copied = JSON.parse(await navigator.clipboard.readText()) as Receipt
  expect(copied).toEqual(receiptOf(opened))
})

test('a refusal is shown with its reference, and can be tried again', async () => {
  const asked = fakeServer({
    'trade/findReceipt': () => refusal('fill.unknown', { traceId: 'abc123' }),
  })
  await show()
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText('abc123')).toBeTruthy()
  const before = asked.length
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))
})

test('a stop-out shows the warning, the level, and the positions in the order of closing', async () => {
  serve('USDCHF closed by stop-out, the largest loss of three')
  await show()
  await screen.findByText('The price checks out.')
  const rule = screen.getByRole('region', { name: 'The rule' })
  expect(within(rule).getByText('Margin call')).toBeTruthy()
  expect(within(rule).getByText('Margin level before').parentElement?.textContent).toMatch(
    /4\d\.\d\d%.*≤ 50%/,
  )
  const list = within(rule).getAllByRole('listitem')
  expect(list).toHaveLength(3)
  expect(list[0]?.textContent).toMatch(/USDCHF Buy 1\.10 · closed by this trade.*#/)
})

/** Serves a charge receipt with another amount if given. */
async function showCharge(name: keyof typeof chargeFixtures, amount?: string) {
  const receipt = structuredClone(chargeFixtures[name])
  if (amount !== undefined) receipt.charge.amount = amount
  fakeServer({ 'trade/findChargeReceipt': () => answer(receipt) })
  return renderPart(<ChargeReceiptSheet chargeId={1} onClose={() => {}} />)
}

test('a charge shows its rollover and its sum, and checks out on the device', async () => {
  await showCharge('EURJPY, a swap in points, converted')
  expect(await screen.findByText('The charge checks out.')).toBeTruthy()
  expect(screen.getByText('2026-11-24 22:00:00.000 UTC')).toBeTruthy()
  expect(screen.getByText(/× 0\.001 × 0\.13 × 100,000 EUR × 1 ÷ 102\.4085/)).toBeTruthy()
  expect(screen.getByText('Mid price of USDJPY')).toBeTruthy()
})

test('a charge that was altered names the step that does not fit', async () => {
  await showCharge('AAPL, a dividend', '26')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(/Check failed:.*Charge \d+ is in its sealed batch/)
  expect(screen.queryByText('The charge checks out.')).toBeNull()
})
