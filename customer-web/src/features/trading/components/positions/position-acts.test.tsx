import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearAccount, useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { choose } from '@/testing/choose'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { eurusd, gold } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { setPreferences } from '@/theme/preferences'
import { useToasts } from '@/ui/toast/toast-store'
import { CloseAllButton } from './close-all-button'
import { CloseAllSheet } from './close-all-sheet'
import { ClosePositionSheet } from './close-position-sheet'
import { ProtectSheet } from './protect-sheet'

const buy: Wire['Position'] = {
  positionId: 7,
  productId: eurusd.productId,
  side: 'buy',
  lots: '0.2',
  lotsOpened: '0.2',
  openPrice: '1.15800',
  price: '1.15824',
  leverage: 100,
  margin: '231.6',
  swap: '0',
  dividends: '0.000000',
  commission: '0',
  profit: '4.8',
  state: 'open',
  openedAt: 1_795_000_000_000,
}
const sell: Wire['Position'] = {
  ...buy,
  positionId: 8,
  side: 'sell',
  lots: '0.05',
  openPrice: '1.15900',
  profit: '3.2',
}
const held: Wire['Position'] = { ...buy, positionId: 9, productId: gold.productId, profit: '-2' }

const statistics: Wire['Statistics'] = {
  balance: '10000',
  zengjin: '0',
  prepaidAmount: '231.6',
  prepaidRatio: '4319.85',
  totalProfit: '4.8',
  usablePrepaid: '9773.2',
  netValue: '10004.8',
}

const fill: Wire['Fill'] = {
  fillId: 70,
  orderId: 71,
  positionId: 7,
  productId: eurusd.productId,
  side: 'sell',
  entry: 'close',
  rule: 'market',
  lots: '0.2',
  price: '1.15824',
  margin: '0',
  commission: '0',
  profit: '4.8',
  time: 1,
  marketTime: 1,
}

function serve(answers: Parameters<typeof fakeServer>[0] = {}) {
  return fakeServer({
    'api/findProductList': () => answer([eurusd, gold]),
    'api/getMarketStatus': () =>
      answer({ products: [{ productId: 1, open: true, halted: false, stale: false }] }),
    'trade/findStatistics': () => answer(statistics),
    'trade/findPositionList': () => answer(useAccount.getState().positions),
    ...answers,
  })
}

const sent = (asked: ReturnType<typeof serve>, path: string) =>
  asked.filter((one) => one.path === path).map(({ body }) => body)

const toasts = () => useToasts.getState().shown.map(({ text }) => text)

let sequence = 0

beforeAll(async () => {
  await import('@/ui/sheet/sheet-surface')
}, 30_000)

beforeEach(() => {
  setScreen('desktop')
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ statistics, positions: [buy, sell, held] })
  useLive.setState({ socket: 'open' })
  quote('1.15824', '1.15836')
})

function quote(bid: string, ask: string) {
  sequence += 1
  const line = { bid, ask, spread: '0.00012' }
  quoteStore.put({ productId: 1, ...line, sequence, time: sequence, seenAt: Date.now() })
}

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
  useToasts.setState({ shown: [] })
})

async function openWay(name: string, position = buy) {
  const onClose = vi.fn()
  await renderPart(<ClosePositionSheet position={position} onClose={onClose} />)
  await userEvent.click(await screen.findByRole('tab', { name }))
  return onClose
}

test('reverses at the price that was seen, and proves the opening fill', async () => {
  const opened = { ...fill, fillId: 72, entry: 'open' as const }
  const asked = serve({
    'trade/reversePosition': () => answer({ fills: [fill, opened], skipped: [], statistics }),
  })
  const onClose = await openWay('Reverse')
  expect(screen.getByText('200.00')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Reverse to Sell 0.20 at 1.15824' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent(asked, 'trade/reversePosition')).toEqual([
    { positionId: 7, price: '1.15824', slippageBps: 50 },
  ])
  expect(toasts()).toEqual([
    'EURUSD reversed: Sell 0.20 filled at 1.15824 · \u2066+4.80\u2069 USDT realised',
  ])
})

test('a reversal above the leverage ceiling is not offered, and says why', async () => {
  startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: 1 })
  serve({ 'user/findUserInfo': () => answer({ leverageCaps: {}, leverageCeiling: 50 }) })
  await openWay('Reverse')
  expect(await screen.findByText(/same leverage, .1:100.*up to .1:50/)).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Reverse to Sell/ })).toHaveProperty('disabled', true)
})

test('a reversal at the leverage ceiling is offered', async () => {
  startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: 1 })
  serve({ 'user/findUserInfo': () => answer({ leverageCaps: {}, leverageCeiling: 100 }) })
  await openWay('Reverse')
  expect(screen.getByRole('button', { name: /^Reverse to Sell/ })).toHaveProperty('disabled', false)
  expect(screen.queryByText(/same leverage/)).toBeNull()
})

test('a refused reversal says why and leaves the sheet open', async () => {
  serve({
    'trade/reversePosition': () =>
      refusal('order.no_margin', { args: { needed: '231.65', free: '10' } }),
  })
  const onClose = await openWay('Reverse')
  await userEvent.click(screen.getByRole('button', { name: /^Reverse to Sell/ }))
  expect((await screen.findByRole('alert')).textContent).toContain('Not enough free margin')
  expect(onClose).not.toHaveBeenCalled()
})

test('closes against the opposite position: what it realises, and what stays', async () => {
  const asked = serve({
    'trade/closeByPosition': () =>
      answer({
        fills: [
          { ...fill, lots: '0.05', price: '1.15900', profit: '5.5' },
          { ...fill, fillId: 73, lots: '0.05', price: '1.15900', profit: '-0.5' },
        ],
        skipped: [],
        statistics,
      }),
  })
  const onClose = await openWay('Close by')
  expect(screen.getAllByRole('radio')).toHaveLength(1)
  expect(screen.getByText('+5.00')).toBeTruthy()
  expect(screen.getByText('Stays open').nextSibling?.textContent).toBe('Buy 0.15 lots')
  await userEvent.click(screen.getByRole('button', { name: 'Close 0.05 lots against each other' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent(asked, 'trade/closeByPosition')).toEqual([{ positionId: 7, byPositionId: 8 }])
  expect(toasts()).toEqual([
    'EURUSD 0.05 closed against the opposite position at 1.15900 · \u2066+5.00\u2069 USDT',
  ])
})

test('the opposite position is chosen among several', async () => {
  const other = { ...sell, positionId: 12, lots: '0.2', openPrice: '1.15700' }
  useAccount.setState({ positions: [buy, sell, other] })
  const asked = serve({
    'trade/closeByPosition': () => answer({ fills: [fill], skipped: [], statistics }),
  })
  await openWay('Close by')
  await userEvent.click(screen.getAllByRole('radio')[1] as HTMLElement)
  expect(screen.getByText('−20.00')).toBeTruthy()
  expect(screen.getByText('Nothing')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^Close 0.20 lots against/ }))
  await waitFor(() =>
    expect(sent(asked, 'trade/closeByPosition')).toEqual([{ positionId: 7, byPositionId: 12 }]),
  )
})

test('a chosen opposite position that closes is not replaced by another', async () => {
  const other = { ...sell, positionId: 12, lots: '0.2', openPrice: '1.15700' }
  useAccount.setState({ positions: [buy, sell, other] })
  const asked = serve({
    'trade/closeByPosition': () => answer({ fills: [fill], skipped: [], statistics }),
  })
  await openWay('Close by')
  const [first, second] = screen.getAllByRole('radio')
  expect(first).toHaveProperty('checked', true)
  act(() => useAccount.setState({ positions: [buy, other] }))
  expect(screen.getByText('The selected position is closed. Choose another one.')).toBeTruthy()
  const button = screen.getByRole('button', { name: /against each other$/ })
  expect(button).toHaveProperty('disabled', true)
  expect(second).toHaveProperty('checked', false)
  await userEvent.click(second as HTMLElement)
  expect(screen.queryByText(/is closed/)).toBeNull()
  await userEvent.click(button)
  await waitFor(() =>
    expect(sent(asked, 'trade/closeByPosition')).toEqual([{ positionId: 7, byPositionId: 12 }]),
  )
})

test('without an opposite position there is nothing to press', async () => {
  serve()
  useAccount.setState({ positions: [buy, held] })
  await openWay('Close by')
  expect(screen.getByText('There is no opposite position in EURUSD to close against.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /against each other/ })).toBeNull()
})

test('closes one side of one product', async () => {
  const asked = serve({
    'trade/closeAllPositions': () => answer({ fills: [fill], skipped: [], statistics }),
  })
  const onClose = vi.fn()
  await renderPart(<CloseAllSheet onClose={onClose} />)
  await screen.findByRole('button', { name: 'Close 3 positions' })
  await choose('Product', 'EURUSD')
  expect(screen.getByText('+8.00')).toBeTruthy()
  await choose('Side', 'Buy')
  await userEvent.click(screen.getByRole('button', { name: 'Close 1 position' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent(asked, 'trade/closeAllPositions')).toEqual([{ productId: 1, side: 'buy' }])
  expect(toasts()).toEqual(['1 position closed'])
})

test('positions that had to stay open are listed with the reason', async () => {
  serve({
    'trade/closeAllPositions': () => {
      useAccount.setState({ positions: [held] })
      return answer({
        fills: [fill, fill],
        skipped: [{ positionId: 9, code: 'market.closed' }],
        statistics,
      })
    },
  })
  const onClose = vi.fn()
  await renderPart(<CloseAllSheet onClose={onClose} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Close 3 positions' }))
  const sheet = await screen.findByRole('dialog', { name: '1 position stays open' })
  expect(await within(sheet).findByText('XAUUSD')).toBeTruthy()
  expect(within(sheet).getByText(/The market is closed now/)).toBeTruthy()
  expect(toasts()).toEqual(['2 positions closed'])
  expect(onClose).not.toHaveBeenCalled()
})

test('closing together is offered where there is more than one position', async () => {
  serve()
  await renderPart(<CloseAllButton />)
  expect(screen.getByRole('button', { name: 'Close all…' })).toBeTruthy()
  useAccount.setState({ positions: [buy] })
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
})

test('sets a trailing stop by its distance', async () => {
  const asked = serve({ 'trade/updatePosition': () => answer({ statistics, position: buy }) })
  await renderPart(<ProtectSheet position={buy} onClose={() => {}} />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Trailing stop' }))
  const distance = screen.getByRole('textbox', { name: 'Trailing stop: distance (Pips)' })
  expect(distance).toHaveProperty('value', '57.9')
  fireEvent.change(distance, { target: { value: '1.9' } })
  expect(screen.getByText(/must be between \W?2\.0\W? pips and \W?11,582\.3\W? pips/)).toBeTruthy()
  fireEvent.change(distance, { target: { value: '10' } })
  expect(screen.getByText('1.15724')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent(asked, 'trade/updatePosition')).toEqual([
      { positionId: 7, trailingStop: '0.00100' },
    ]),
  )
})

test('a trailing stop is typed in percent, and stays as typed while the price moves', async () => {
  const asked = serve({ 'trade/updatePosition': () => answer({ statistics, position: buy }) })
  await renderPart(<ProtectSheet position={buy} onClose={() => {}} />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Trailing stop' }))
  await userEvent.click(screen.getByRole('radio', { name: '%' }))
  const distance = screen.getByRole('textbox', { name: 'Trailing stop: distance (%)' })
  expect(distance).toHaveProperty('value', '0.50')
  await userEvent.clear(distance)
  await userEvent.type(distance, '0.1')
  act(() => quote('1.25824', '1.25836'))
  fireEvent.blur(distance)
  expect(distance).toHaveProperty('value', '0.1')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent(asked, 'trade/updatePosition')).toEqual([
      { positionId: 7, trailingStop: '0.00116' },
    ]),
  )
  setPreferences({ protectionUnit: 'price' })
})

test('a trailing stop is kept with the rest, and cleared when it is switched off', async () => {
  const trailing = {
    ...{ ...buy, trailingStop: '0.00100', stopLoss: '1.15000' },
    trailingLevel: '1.15790',
  }
  useAccount.setState({ positions: [trailing] })
  const asked = serve({ 'trade/updatePosition': () => answer({ statistics, position: trailing }) })
  const view = await renderPart(<ProtectSheet position={trailing} onClose={() => {}} />)
  const start = () => document.querySelector('output[for]')?.textContent
  const distance = await screen.findByRole('textbox', { name: 'Trailing stop: distance (Pips)' })
  expect(start()).toBe('1.15790')
  expect(screen.queryByText(/restarts the trailing stop/)).toBeNull()
  act(() => useAccount.setState({ positions: [{ ...trailing, trailingLevel: '1.15795' }] }))
  expect(start()).toBe('1.15795')
  fireEvent.change(distance, { target: { value: '20' } })
  expect(screen.getByText(/restarts the trailing stop/)).toBeTruthy()
  expect(start()).toBe('1.15624')
  fireEvent.change(distance, { target: { value: '10' } })
  expect(start()).toBe('1.15795')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent(asked, 'trade/updatePosition')).toHaveLength(1))
  view.unmount()
  await renderPart(<ProtectSheet position={trailing} onClose={() => {}} />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Trailing stop' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent(asked, 'trade/updatePosition')).toHaveLength(2))
  expect(sent(asked, 'trade/updatePosition')).toEqual([
    { positionId: 7, stopLoss: '1.15000', trailingStop: '0.00100' },
    { positionId: 7, stopLoss: '1.15000' },
  ])
})

test('a distance that is missing or refused is said at its field', async () => {
  serve({
    'trade/updatePosition': () =>
      refusal('order.trail', { args: { min: '0.00300', max: '1.15823' } }),
  })
  await renderPart(<ProtectSheet position={buy} onClose={() => {}} />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Trailing stop' }))
  const distance = screen.getByRole('textbox', { name: 'Trailing stop: distance (Pips)' })
  await userEvent.clear(distance)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a distance or turn it off.')).toBeTruthy()
  fireEvent.change(distance, { target: { value: '10' } })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const problem = await screen.findByText(/between \W?30\.0\W? pips and/)
  expect(distance.getAttribute('aria-describedby')).toBe(problem.closest('[id]')?.id)
})
