import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server'
import { apple, sampleMarket } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import type { Charge } from '../../api/charges'
import { ChargesText } from './charges-text'

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })
beforeAll(() => import('@/ui/sheet/sheet-surface'), 30_000)

const swap: Charge = {
  chargeId: 2,
  kind: 'swap',
  positionId: 12,
  productId: apple.productId,
  side: 'buy',
  lots: '10',
  day: '2026-11-18',
  nights: 3,
  rate: '-3.5',
  unit: 'percent',
  price: '235.82',
  amount: '-0.687808',
  terms: 1,
  time: 2,
  marketTime: 2,
}
const { price: _, ...unpriced } = swap
const dividend: Charge = {
  ...unpriced,
  chargeId: 1,
  kind: 'dividend',
  nights: 1,
  rate: '0.26',
  unit: 'dividend',
  amount: '2.6',
}

function serve() {
  return fakeServer({
    ...sampleMarket(),
    'trade/findChargePage': ({ query }) =>
      answer(query.get('next') ? { list: [dividend], next: 0 } : { list: [swap], next: 2 }),
  })
}

beforeEach(() => setScreen('phone'))
afterEach(() => vi.unstubAllGlobals())

test('a position that was charged lists its nights, rates and amounts, more on a press', async () => {
  const asked = serve()
  const position = { positionId: 12, swap: '-0.687808', dividends: '2.6' }
  await renderPart(<ChargesText position={position} product={apple} />)
  await userEvent.click(screen.getByRole('button', { name: /−0\.68 · Dividends 2\.60/ }))
  const sheet = within(await screen.findByRole('dialog', { name: 'AAPL swaps and dividends' }))
  const [first] = await sheet.findAllByRole('listitem')
  expect(first?.textContent).toMatch(
    /Swap−0\.68.*Nov 18, 2026.*3 nights.*Annual rate −3\.50% × 235\.82/,
  )
  await userEvent.click(sheet.getByRole('button', { name: 'Load more' }))
  const second = (await sheet.findByText('Dividend')).closest('li')
  expect(second?.textContent).toMatch(/Dividend\+2\.60.*Dividend per unit 0\.26 USD/)
  expect(second?.textContent).not.toMatch(/night|%/)
  const pages = asked.filter(({ path }) => path === 'trade/findChargePage')
  expect(pages.map(({ query }) => query.get('positionId'))).toEqual(['12', '12'])
})

test.each([
  ['points', /Rate in points per lot per night −8\.90(?! USDT)/],
  ['money', /Rate per lot per night −8\.90 USDT/],
] as const)('a rate in %s names its unit', async (unit, words) => {
  fakeServer({
    ...sampleMarket(),
    'trade/findChargePage': () => answer({ list: [{ ...unpriced, rate: '-8.9', unit }], next: 0 }),
  })
  const position = { positionId: 12, swap: '-8.9', dividends: '0' }
  await renderPart(<ChargesText position={position} product={apple} />)
  await userEvent.click(screen.getByRole('button'))
  const row = await within(await screen.findByRole('dialog')).findByRole('listitem')
  expect(row.textContent).toMatch(words)
  expect(row.textContent).not.toContain('%')
})

test('a position that was never charged has nothing to list', async () => {
  serve()
  await renderPart(
    <ChargesText position={{ positionId: 12, swap: '0', dividends: '0.000000' }} product={apple} />,
  )
  expect(screen.getByText('0.00')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
