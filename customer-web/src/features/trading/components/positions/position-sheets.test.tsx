import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { closeReceipt, useOpenReceipt } from '@/features/receipt/model/open-receipt'
import { clearAccount, useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { eurusd } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { useToasts } from '@/ui/toast/toast-store'
import { ClosePositionSheet } from './close-position-sheet'
import { ProtectSheet } from './protect-sheet'

const position: Wire['Position'] = {
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
  lots: '0.1',
  price: '1.15824',
  margin: '115.8',
  commission: '0',
  profit: '2.4',
  time: 1_795_000_000_000,
  marketTime: 1_795_000_000_000,
}

type Answers = Parameters<typeof fakeServer>[0]

function serve(answers: Answers = {}) {
  return fakeServer({
    'api/findProductList': () => answer([{ ...eurusd, staleMs: 600_000 }]), // a slow test must not outlive its price
    'api/getMarketStatus': () =>
      answer({ products: [{ productId: 1, open: true, halted: false, stale: false }] }),
    ...answers,
  })
}

let sequence = 0

function tick(bid: string, ask: string) {
  sequence += 1
  quoteStore.put({
    productId: eurusd.productId,
    bid,
    ask,
    spread: '0.00012',
    sequence,
    time: sequence,
    seenAt: Date.now(),
  })
}

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await import('@/ui/sheet/sheet-surface')
}, 30_000)

beforeEach(() => {
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ statistics, positions: [position] })
  useLive.setState({ socket: 'open' })
  tick('1.15824', '1.15836')
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
  closeReceipt()
  useToasts.setState({ shown: [] })
})

const closings = (asked: ReturnType<typeof serve>) =>
  asked.filter(({ path }) => path === 'trade/closePosition')

test('closes all of it at the price that was seen', async () => {
  const asked = serve({
    'trade/closePosition': () =>
      answer({ fill, statistics, position: { ...position, state: 'closed', lots: '0' } }),
  })
  const onClose = vi.fn()
  await renderPart(<ClosePositionSheet position={position} onClose={onClose} />)
  const button = await screen.findByRole('button', { name: 'Close 0.20 lots at 1.15824' })
  expect(screen.getByText('+4.80')).toBeTruthy()
  await userEvent.click(button)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(closings(asked)[0]?.body).toEqual({ positionId: 7, price: '1.15824', slippageBps: 50 })

  const [toast] = useToasts.getState().shown
  expect(toast?.text).toMatch(/^EURUSD 0\.10 closed at 1\.15824 · .[+\u2212]?\d+\.\d\d. USDT$/)
  toast?.action?.onPress()
  expect(useOpenReceipt.getState().fillId).toBe(70)
})

test('closes a part on the product’s steps and says what stays', async () => {
  const asked = serve({ 'trade/closePosition': () => answer({ fill, statistics, position }) })
  await renderPart(<ClosePositionSheet position={position} onClose={() => {}} />)
  await userEvent.click(await screen.findByRole('button', { name: '25%' }))
  expect(screen.getByText('0.15')).toBeTruthy()
  expect(screen.getByText('+1.20')).toBeTruthy()
  const volume = screen.getByRole('textbox', { name: 'Volume to close' })
  await userEvent.clear(volume)
  await userEvent.type(volume, '0.3')
  expect(await screen.findByText('Volume: 0.01 to 0.20 lots in steps of 0.01.')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Close 0.30/ })).toHaveProperty('disabled', true)
  await userEvent.clear(volume)
  await userEvent.type(volume, '0.1')
  const button = screen.getByRole('button', { name: /^Close 0.10/ })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await userEvent.click(button)
  await waitFor(() => expect(closings(asked)).toHaveLength(1))
  expect(closings(asked)[0]?.body).toMatchObject({ lots: '0.1' })
})

test('a refusal stays in the sheet with its reference', async () => {
  serve({
    'trade/closePosition': () =>
      refusal('order.slippage', { args: { price: '1.15701' }, traceId: 'trace-9' }),
  })
  const onClose = vi.fn()
  await renderPart(<ClosePositionSheet position={position} onClose={onClose} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Close 0.20/ }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The price moved to 1.15701')
  expect(alert.textContent).toContain('trace-9')
  expect(onClose).not.toHaveBeenCalled()
})

test('without an answer it is checked, and asked for again as it was', async () => {
  let down = true
  const asked = serve({
    'trade/closePosition': () =>
      down
        ? { httpStatus: 504 }
        : answer({ fill, statistics, position: { ...position, state: 'closed' } }),
  })
  const onClose = vi.fn()
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  await renderPart(<ClosePositionSheet position={position} onClose={onClose} />)
  await user.click(await screen.findByRole('button', { name: /^Close 0.20/ }))
  expect(await screen.findByRole('button', { name: 'Checking…' })).toBeTruthy()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await screen.findByText(/No response yet/)).toBeTruthy()

  tick('1.15900', '1.15912')
  down = false
  await user.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  vi.useRealTimers()
  const bodies = closings(asked).map(({ body }) => JSON.stringify(body))
  expect(bodies.length).toBeGreaterThan(4)
  expect(new Set(bodies).size).toBe(1)
})

test('a position that ended meanwhile can’t be closed again', async () => {
  serve()
  useAccount.setState({ positions: [] })
  await renderPart(<ClosePositionSheet position={position} onClose={() => {}} />)
  expect(await screen.findByText('This position is closed.')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Close 0.20/ })).toHaveProperty('disabled', true)
})

test('waits while the line is down', async () => {
  serve()
  useLive.setState({ socket: 'closed' })
  await renderPart(<ClosePositionSheet position={position} onClose={() => {}} />)
  expect(await screen.findByRole('button', { name: /^Close 0.20/ })).toHaveProperty(
    'disabled',
    true,
  )
  expect(screen.getByText(/You’re offline/)).toBeTruthy()
})

test('an amount sets the price, a price the amount, and both are saved', async () => {
  const asked = serve({ 'trade/updatePosition': () => answer({ statistics, position }) })
  const onClose = vi.fn()
  await renderPart(<ProtectSheet position={position} onClose={onClose} />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Stop loss' }))
  const amount = screen.getByRole('textbox', { name: 'Stop loss: P/L in USDT' })
  const price = screen.getByRole<HTMLInputElement>('textbox', { name: 'Stop loss: price' })
  expect(price.value).toBe('1.15245')
  await userEvent.clear(amount)
  await userEvent.type(amount, '20')
  expect(price.value).toBe('1.15700')
  expect(screen.getByText(/Price at .*1\.15804.* or below/)).toBeTruthy()

  await userEvent.click(screen.getByRole('switch', { name: 'Take profit' }))
  const target = screen.getByRole('textbox', { name: 'Take profit: price' })
  await userEvent.clear(target)
  await userEvent.type(target, '1.16000')
  expect(
    screen.getByRole<HTMLInputElement>('textbox', { name: 'Take profit: P/L in USDT' }).value,
  ).toBe('+40.00')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(asked.find(({ path }) => path === 'trade/updatePosition')?.body).toEqual({
    positionId: 7,
    stopLoss: '1.15700',
    takeProfit: '1.16000',
  })
})

test('one that is switched off is cleared', async () => {
  const asked = serve({ 'trade/updatePosition': () => answer({ statistics, position }) })
  const guarded = { ...position, stopLoss: '1.15700', takeProfit: '1.16000' }
  useAccount.setState({ positions: [guarded] })
  await renderPart(<ProtectSheet position={guarded} onClose={() => {}} />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Stop loss' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(asked.some(({ path }) => path === 'trade/updatePosition')).toBe(true))
  expect(asked.at(-1)?.body).toEqual({ positionId: 7, takeProfit: '1.16000' })
})

test('what is wrong with one of them stands at its field', async () => {
  serve({
    'trade/updatePosition': () => refusal('order.take_profit', { args: { limit: '1.15844' } }),
  })
  await renderPart(<ProtectSheet position={position} onClose={() => {}} />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Take profit' }))
  const price = screen.getByRole('textbox', { name: 'Take profit: price' })
  await userEvent.clear(price)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a price or turn it off.')).toBeTruthy()
  expect(document.activeElement).toBe(price)
  await userEvent.type(price, '1.15')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const problem = await screen.findByText(/nearest allowed price is 1\.15844/)
  expect(price.getAttribute('aria-describedby')).toBe(problem.closest('[id]')?.id)
  expect(price.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(price))
  await userEvent.type(price, '9')
  await waitFor(() => expect(price.getAttribute('aria-invalid')).toBe('false'))
  expect(screen.queryByRole('alert')).toBeNull()
})
