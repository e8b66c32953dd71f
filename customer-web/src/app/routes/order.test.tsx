import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { closeReceipt, useOpenReceipt } from '@/features/receipt/model/open-receipt'
import { clearAccount, useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd, gold, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'
import { useNavBadges } from '../nav/nav-badges'
import { trackOpenPositions } from '../parts/order-badge'

const statistics: Wire['Statistics'] = {
  balance: '10412.60',
  zengjin: '0',
  prepaidAmount: '1945.22',
  prepaidRatio: '561.99',
  totalProfit: '519.43',
  usablePrepaid: '8986.81',
  netValue: '10932.03',
}

function position(change: Partial<Wire['Position']>): Wire['Position'] {
  return {
    positionId: 1,
    productId: gold.productId,
    side: 'buy',
    lots: '0.2',
    lotsOpened: '0.2',
    openPrice: '4061.35',
    price: '4078.42',
    leverage: 100,
    margin: '812.27',
    stopLoss: '4046.00',
    swap: '0',
    dividends: '0.000000',
    commission: '0.7',
    profit: '341.4',
    state: 'open',
    openedAt: Date.now() - 60_000,
    ...change,
  }
}

const gain = position({})
const loss = position({
  positionId: 2,
  productId: eurusd.productId,
  side: 'sell',
  lots: '0.5',
  openPrice: '1.15612',
  price: '1.15836',
  margin: '578.06',
  profit: '-112',
})
const opening: Wire['Fill'] = {
  fillId: 41,
  orderId: 40,
  positionId: 1,
  productId: gold.productId,
  side: 'buy',
  entry: 'open',
  rule: 'market',
  lots: '0.2',
  price: '4061.35',
  margin: '812.27',
  commission: '0.7',
  profit: '0',
  time: 1,
  marketTime: 1,
}

const closing: Wire['Fill'] = { ...opening, fillId: 42, entry: 'close', lots: '0.1', side: 'sell' }

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await Promise.all([import('./order'), import('@/ui/sheet/sheet-surface')])
}, 30_000)

beforeEach(() => {
  fakeServer({
    ...sampleMarket(),
    'trade/findFillPage': () => answer({ list: [closing, opening], next: 0 }),
  })
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useLive.setState({ socket: 'open', lastMessageAt: Date.now() })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
  closeReceipt()
})

test('on a phone: the account, and a card for each position, the newest open', async () => {
  setScreen('phone')
  useAccount.setState({ statistics, positions: [gain, loss] })
  await renderApp('/order')
  const summary = await screen.findByRole('region', { name: 'Account' })
  expect(within(summary).getByText('+519.43')).toBeTruthy()
  expect(within(summary).getByText('561.99%')).toBeTruthy()
  expect(within(summary).getByText(/EURUSD Sell/)).toBeTruthy()

  const cards = within(screen.getByRole('list', { name: 'Open positions' })).getAllByRole('article')
  expect(cards).toHaveLength(2)
  const [newest, older] = cards as [HTMLElement, HTMLElement]
  expect(within(newest).getByText('−112.00')).toBeTruthy()
  expect(within(newest).getByText('−19.37%')).toBeTruthy()
  expect(within(newest).getByRole('button', { name: 'Close…' })).toBeTruthy()
  expect(within(older).queryByRole('button', { name: 'Close…' })).toBeNull()
  await userEvent.click(within(older).getByRole('button', { name: /XAUUSD/ }))
  expect(within(older).getByText('4,046.00')).toBeTruthy()
})

test('what a stop-out would close first, and from which price of its product', async () => {
  setScreen('phone')
  for (const [product, bid, ask] of [
    [gold, '4078.42', '4078.77'],
    [eurusd, '1.15824', '1.15836'],
  ] as const) {
    const line = { bid, ask, spread: '0', sequence: 1, time: 1, seenAt: Date.now() }
    quoteStore.put({ productId: product.productId, ...line })
  }
  useAccount.setState({ statistics, positions: [gain, loss] })
  await renderApp('/order')
  const summary = await screen.findByRole('region', { name: 'Account' })
  // Half a lot loses 10,932.03 less half of 1,945.22 after 1,991.8 pips.
  expect(within(summary).getByText(/EURUSD Sell/).textContent).toMatch(
    /EURUSD Sell 0\.50 · ask ≥ .*1\.35755/,
  )
})

test('prices and profits follow what the server pushes, and the badge the number of positions', async () => {
  setScreen('phone')
  trackOpenPositions()
  useAccount.setState({ statistics, positions: [gain, loss] })
  await renderApp('/order')
  await screen.findByText('+341.40')
  expect(useNavBadges.getState()['/order']).toBe(2)
  useAccount.setState({
    statistics: { ...statistics, totalProfit: '-7.5' },
    positions: [position({ profit: '12.34' })],
  })
  expect(await screen.findByText('+12.34')).toBeTruthy()
  expect(screen.getByText('−7.50')).toBeTruthy()
  expect(useNavBadges.getState()['/order']).toBe(1)
})

test('on a desktop: a table with everything in one line', async () => {
  setScreen('desktop')
  useAccount.setState({ statistics, positions: [gain, loss] })
  await renderApp('/order')
  const row = await screen.findByRole('row', { name: /XAUUSD/ })
  expect(within(row).getByText('+42.03%')).toBeTruthy()
  expect(within(row).getByText('0.70')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Order history' })).toBeTruthy()
})

test('the proof of a position is that of its opening fill', async () => {
  setScreen('desktop')
  useAccount.setState({ statistics, positions: [gain] })
  await renderApp('/order')
  await userEvent.click(await screen.findByRole('button', { name: 'Open price proof' }))
  await waitFor(() => expect(useOpenReceipt.getState().fillId).toBe(41))
})

test('without positions the next step is to trade', async () => {
  setScreen('desktop')
  useAccount.setState({ statistics, positions: [] })
  await renderApp('/order')
  expect(await screen.findByText('No open positions.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open a trade' }).getAttribute('href')).toBe('/pc/trade')
})

test('while the line is down what is known stays, with its time', async () => {
  setScreen('phone')
  useAccount.setState({ statistics, positions: [gain] })
  useLive.setState({ socket: 'closed' })
  await renderApp('/order')
  expect(await screen.findByText('+341.40')).toBeTruthy()
  await waitFor(() =>
    expect(
      screen.getAllByRole('status').some(({ textContent }) => /\d\d:\d\d:\d\d/.test(textContent)),
    ).toBe(true),
  )
})
