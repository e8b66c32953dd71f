import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import type { PriceChartProps } from '@/features/chart/components/price-chart'
import { clearAccount, useAccount } from '@/live/account-store'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

// jsdom draws no canvas, so each line is a button; pressing it moves the line.
vi.mock('@/features/chart/components/lazy-chart', () => ({
  LazyChart: ({ lines, onMove }: PriceChartProps) =>
    lines?.map((line) => (
      <button key={line.id} type="button" onClick={() => onMove?.(line, '1.13000')}>
        {line.id} {line.price} {line.moves ? 'moves' : 'stays'}
      </button>
    )),
}))

const order: Wire['Order'] = {
  ...{ orderId: 9, productId: eurusd.productId, type: 'limit', side: 'buy', lots: '0.1' },
  ...{ leverage: 100, price: '1.14000', timeInForce: 'gtc', status: 'working' },
  ...{ revision: 1, createdAt: 0 },
}

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })

beforeAll(async () => {
  await Promise.all([import('../parts/trade-deals'), import('@/ui/sheet/sheet-surface')])
}, 30_000)

beforeEach(() => {
  setScreen('phone')
  fakeServer({ ...sampleMarket(), 'trade/findOrderPage': () => answer({ list: [order] }) })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
})

test('a line of the full-screen chart is dragged, and nothing changes before it is saved', async () => {
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ positions: [] })
  await renderApp(`/webview/chart?product=${eurusd.productId}`)
  const line = await screen.findByRole('button', { name: '9-order 1.14 moves' })
  await act(async () => line.click())
  const form = within(await screen.findByRole('dialog', { name: /Edit order/ }))
  expect(form.getByRole('textbox', { name: 'Limit price' })).toHaveProperty('value', '1.13000')
  await userEvent.click(form.getByRole('button', { name: 'Close' }))
  expect(await screen.findByText('9-order 1.14 moves')).toBeTruthy()
})

test('the lines of the full-screen chart are listed, and their prices are typed', async () => {
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ positions: [] })
  await renderApp(`/webview/chart?product=${eurusd.productId}`)
  const button = await screen.findByRole('button', { name: 'Positions and orders in EURUSD' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  const list = within(await screen.findByRole('dialog'))
  await userEvent.click(await list.findByRole('tab', { name: /^Pending/ }))
  await userEvent.click(await list.findByRole('button', { name: 'Edit…' }))
  const form = within(await screen.findByRole('dialog', { name: /Edit order/ }))
  expect(form.getByRole('textbox', { name: 'Limit price' })).toHaveProperty('value', '1.14000')
})

test('a guest, who has no lines, has no list of them', async () => {
  await renderApp(`/webview/chart?product=${eurusd.productId}`)
  await screen.findByRole('button', { name: 'Back' })
  await screen.findByText('Simulated prices')
  expect(screen.queryByRole('button', { name: /^Positions and orders/ })).toBeNull()
})
