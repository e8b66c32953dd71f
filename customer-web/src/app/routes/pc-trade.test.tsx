import { screen, waitFor } from '@testing-library/react'
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
