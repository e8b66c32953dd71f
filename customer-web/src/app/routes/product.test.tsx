import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { clearSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderApp } from '@/testing/render-app'

vi.mock('@/features/chart/components/lazy-chart', () => ({ LazyChart: () => null }))

const HOUR_MS = 3_600_000
const candle = (time: number, open: string, low: string, high: string) => ({
  ...{ time, open, low, high, close: open, volume: 1 },
})

beforeEach(clearSession)

const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent

/** Gold's sample price is 4,075.41 at the bid. */
async function show(path: string, candles: Record<string, object[]> = {}) {
  fakeServer({
    ...sampleMarket(),
    'api/findKline': ({ query }) => answer(candles[query.get('period') ?? ''] ?? []),
  })
  await renderApp(path)
}

test('a visitor reads changes, ranges, what the product is and its terms', async () => {
  const now = Date.now()
  await show('/product?product=101', {
    '1h': [candle(now - 3 * HOUR_MS, '2000.00', '1990.00', '2010.00')],
    '1d': [candle(now - 400 * 24 * HOUR_MS, '1000.00', '900.00', '5000.00')],
  })
  expect(await screen.findByRole('heading', { name: 'XAUUSD' })).toBeTruthy()
  await waitFor(() => expect(figure('1 year')).toMatch(/^\+\d{3}/))
  expect(figure('1 hour')).toMatch(/^\+/)
  expect(figure('7 days')).toBe('–') // the hours don't reach back that far
  expect(figure('1 year low – high')).toContain('5,000.00')
  expect(screen.getByText(/one troy ounce in USD/)).toBeTruthy()
  const trade = screen.getByRole('link', { name: 'Trade XAUUSD' })
  expect(trade.getAttribute('href')).toContain('product=101')
  const terms = within(screen.getByRole('region', { name: 'Margin' }))
  expect(terms.getByText('Leverage options')).toBeTruthy()
})

test('a product that does not exist is not shown as another one', async () => {
  await show('/product?product=999')
  expect(await screen.findByText('This product does not exist.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: /^Trade / })).toBeNull()
})
