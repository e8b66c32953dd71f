import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import type { PriceChartProps } from '@/features/chart/components/price-chart'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd, gold, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

vi.mock('@/features/chart/components/lazy-chart', () => ({
  LazyChart: ({ marks = [] }: Pick<PriceChartProps, 'marks'>) => (
    <ul aria-label="Marks">
      {marks.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  ),
}))

const fill: Wire['Fill'] = {
  fillId: 11,
  orderId: 12,
  positionId: 7,
  productId: gold.productId,
  side: 'buy',
  entry: 'open',
  rule: 'market',
  lots: '0.20',
  price: '4011.5',
  margin: '100',
  commission: '0',
  profit: '0',
  time: 1_795_000_000_000,
  marketTime: 1_795_000_000_000,
}

afterEach(clearSession)

test('a press on one of the last trades shows it in the chart of its product', async () => {
  setScreen('desktop')
  startSession('token', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  fakeServer({
    ...sampleMarket(),
    'trade/findFillPage': () => answer({ list: [fill], next: 0 }),
  })
  const { history } = await renderApp(`/pc/trade?product=${eurusd.productId}`)
  await userEvent.click(await screen.findByRole('tab', { name: 'History' }))
  expect(screen.queryByText('Buy 0.20')).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: /XAUUSD.*show chart/ }))
  expect(await screen.findByText('Buy 0.20')).toBeTruthy()
  await waitFor(() =>
    expect(history.location).toMatchObject({
      pathname: '/pc/trade',
      search: `?product=${gold.productId}&position=7`,
    }),
  )
})

test.each([
  ['phone', '/pc/trade', '/trade'],
  ['tablet', '/pc/trade', '/trade'],
  ['landscape', '/trade', '/pc/trade'],
  ['desktop', '/trade', '/pc/trade'],
] as const)('on a %s %s is %s', async (kind, from, to) => {
  setScreen(kind)
  fakeServer(sampleMarket())
  const { history } = await renderApp(`${from}?product=${gold.productId}`)
  await waitFor(() =>
    expect(history.location).toMatchObject({
      pathname: to,
      search: `?product=${gold.productId}`,
    }),
  )
})

test('an upright tablet has the products beside the chart, and a phone has not', async () => {
  setScreen('tablet')
  fakeServer(sampleMarket())
  const view = await renderApp(`/trade?product=${gold.productId}`)
  const list = await screen.findByRole('group', { name: 'Products' })
  await userEvent.click(await screen.findByRole('button', { name: eurusd.productNo }))
  await waitFor(() => expect(view.history.location.search).toBe(`?product=${eurusd.productId}`))
  expect(list.isConnected).toBe(true)
  view.unmount()
  setScreen('phone')
  await renderApp(`/trade?product=${gold.productId}`)
  await screen.findAllByText(gold.productNo)
  expect(screen.queryByRole('group', { name: 'Products' })).toBeNull()
})

test('the star in the bar keeps the product as a favourite', async () => {
  setScreen('desktop')
  fakeServer(sampleMarket())
  await renderApp(`/pc/trade?product=${gold.productId}`)
  const chart = within(await screen.findByRole('region', { name: 'Chart' }))
  const star = await chart.findByRole('button', { name: /XAUUSD.*favourites/ })
  const before = star.getAttribute('aria-label')
  await userEvent.click(star)
  expect(star.getAttribute('aria-label')).not.toBe(before)
})
