import { QueryClient } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { closeReceipt, useOpenReceipt } from '@/features/receipt/model/open-receipt'
import { clearAccount, useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { choose } from '@/testing/choose'
import { enterDate } from '@/testing/enter-date'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { eurusd } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { useToasts } from '@/ui/toast/toast-store'
import { editPair, usePairDraft } from '../../model/oco'
import { notifyOrderEvent } from '../../model/order-notifications'
import { editDraft } from '../../model/pending-order-store'
import { editTicket } from '../../model/ticket-store'
import { OrderTicket } from '../ticket/order-ticket'
import { PendingOrderList } from './pending-order-list'

const statistics: Wire['Statistics'] = {
  balance: '10000',
  zengjin: '0',
  prepaidAmount: '0',
  prepaidRatio: '0',
  totalProfit: '0',
  usablePrepaid: '10000',
  netValue: '10000',
}

function order(change: Partial<Wire['Order']> = {}): Wire['Order'] {
  return {
    orderId: 9,
    productId: eurusd.productId,
    type: 'limit',
    side: 'buy',
    lots: '0.1',
    leverage: 100,
    price: '1.15000',
    timeInForce: 'gtc',
    status: 'working',
    revision: 1,
    createdAt: 1_795_000_000_000,
    ...change,
  }
}

function serve(answers: Parameters<typeof fakeServer>[0] = {}) {
  return fakeServer({
    'api/findProductList': () => answer([eurusd]),
    'api/getMarketStatus': () =>
      answer({
        marketTime: Date.now(),
        products: [{ productId: 1, open: true, halted: false, stale: false }],
      }),
    'trade/insertPendingOrder': () => answer({ order: order(), statistics }),
    ...answers,
  })
}

const sent = (asked: ReturnType<typeof serve>, path: string) =>
  asked.filter((one) => one.path === path).map(({ body }) => body)

const toasts = () => useToasts.getState().shown.map(({ text }) => text)

let sequence = 0

beforeAll(async () => {
  await Promise.all([import('@/ui/sheet/sheet-surface'), import('@/ui/form/date-time-picker')])
}, 30_000)

beforeEach(() => {
  setScreen('desktop')
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ statistics, positions: [] })
  useLive.setState({ socket: 'open' })
  sequence += 1
  const line = { bid: '1.15824', ask: '1.15836', spread: '0.00012' }
  quoteStore.put({ productId: 1, ...line, sequence, time: sequence, seenAt: Date.now() })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
  editTicket({ productId: 0, kind: 'market' })
  editDraft({ start: '', force: 'gtc', until: '' })
  usePairDraft.setState({ start: '', both: null })
  editPair(0, { force: 'gtc' })
  useToasts.setState({ shown: [] })
})

async function ticketOf(kind: string) {
  await renderPart(<OrderTicket product={eurusd} foot={document.body} />)
  await userEvent.click(screen.getByRole('radio', { name: kind }))
  await screen.findByText(/uses no margin/)
  await suggested()
}

/** Waits until prices are suggested, which happens after the form is shown. */
const suggested = () =>
  waitFor(() => {
    const prices = screen.getAllByRole<HTMLInputElement>('textbox', {
      name: /^(Limit|Stop) price$/,
    })
    for (const { value } of prices) expect(value).not.toBe('')
  })

async function type(label: string, text: string) {
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value: text } })
}

test('places a buy limit with what was typed, and says so', async () => {
  const asked = serve()
  await ticketOf('Limit')
  const price = screen.getByRole('textbox', { name: 'Limit price' })
  expect(price).toHaveProperty('value', '1.15795')
  await type('Limit price', '1.15')
  expect(screen.getByText(/^.83\.6. pips$/)).toBeTruthy()
  await userEvent.click(
    await screen.findByRole('button', { name: /^Buy 0\.\d\d lots limit at 1\.15000/ }),
  )
  await waitFor(() => expect(toasts()).toEqual(['Buy limit 0.10 EURUSD placed at 1.15000']))
  expect(sent(asked, 'trade/insertPendingOrder')).toEqual([
    {
      productId: 1,
      type: 'limit',
      side: 'buy',
      lots: '0.01',
      leverage: 100,
      price: '1.15',
      timeInForce: 'gtc',
    },
  ])
})

test('places a sell stop for today, with its stop loss judged against its price', async () => {
  const asked = serve()
  await ticketOf('Stop')
  await userEvent.click(screen.getByRole('radio', { name: /^Sell/ }))
  await type('Stop price', '1.15')
  await userEvent.click(screen.getByRole('switch', { name: 'Stop loss' }))
  await type('Price of Stop loss', '1.15010')
  expect(screen.getByText(/The nearest allowed price is 1.15020/)).toBeTruthy()
  const button = await screen.findByRole('button', { name: /^Sell 0\.\d\d lots stop at 1\.15000/ })
  expect(button).toHaveProperty('disabled', true)
  await type('Price of Stop loss', '1.15100')
  await choose('Expiry', 'Today')
  await userEvent.click(button)
  await waitFor(() => expect(sent(asked, 'trade/insertPendingOrder')).toHaveLength(1))
  expect(sent(asked, 'trade/insertPendingOrder')[0]).toMatchObject({
    type: 'stop',
    side: 'sell',
    stopLoss: '1.15100',
    timeInForce: 'day',
  })
})

test('places a stop-limit until a moment that must lie ahead', async () => {
  const asked = serve()
  await ticketOf('Stop-limit')
  await userEvent.click(screen.getByRole('radio', { name: /^Buy/ }))
  await type('Stop price', '1.16000')
  await type('Limit price', '1.16050')
  await choose('Expiry', 'Date and time')
  await enterDate('Expires at', '2020-01-01', '10:00')
  expect(await screen.findByText('Choose a time in the future.')).toBeTruthy()
  await enterDate('Expires at', '2099-01-01', '10:00')
  await userEvent.click(
    await screen.findByRole('button', { name: /^Buy 0\.\d\d lots stop-limit at 1\.16000/ }),
  )
  await waitFor(() => expect(sent(asked, 'trade/insertPendingOrder')).toHaveLength(1))
  expect(sent(asked, 'trade/insertPendingOrder')[0]).toMatchObject({
    type: 'stop_limit',
    price: '1.16000',
    limitPrice: '1.16050',
    timeInForce: 'date',
    expiresAt: new Date('2099-01-01T10:00').getTime(),
  })
})

test('a price on the wrong side is named before it is sent', async () => {
  serve()
  await ticketOf('Limit')
  await type('Limit price', '1.16')
  expect(screen.getByText('The price must be 1.15816 or lower.')).toBeTruthy()
  const button = await screen.findByRole('button', { name: /^Buy 0\.\d\d lots limit at 1\.16000/ })
  expect(button).toHaveProperty('disabled', true)
})

test('a refusal of the server is shown in the ticket', async () => {
  serve({
    'trade/insertPendingOrder': () => refusal('order.too_many_orders', { args: { limit: '200' } }),
  })
  await ticketOf('Limit')
  await userEvent.click(screen.getByRole('button', { name: /^Buy .* lots limit/ }))
  expect(await screen.findByText(/You have 200 pending orders/)).toBeTruthy()
})

test('lists what waits; one press cancels', async () => {
  const asked = serve({
    'trade/findOrderPage': () => answer({ list: [order({ stopLoss: '1.14000' })], next: 0 }),
    'trade/cancelOrder': () =>
      answer({ order: order({ status: 'cancelled', reason: 'trader' }), statistics }),
  })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  const row = await screen.findByRole('row', { name: /EURUSD/ })
  expect(within(row).getAllByText(/83\.6. pips/)[0]).toBeTruthy()
  expect(within(row).getByText('Good till cancelled')).toBeTruthy()
  await userEvent.click(within(row).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(toasts()).toEqual(['EURUSD: Buy limit cancelled']))
  expect(sent(asked, 'trade/cancelOrder')).toEqual([{ orderId: 9 }])
})

test('edits; of an armed stop-limit only the limit price moves', async () => {
  setScreen('phone')
  const armed = order({ type: 'stop_limit', price: '1.15800', limitPrice: '1.15700' })
  const asked = serve({
    'trade/findOrderPage': () => answer({ list: [armed], next: 0 }),
    'trade/updateOrder': () => answer({ order: armed, statistics }),
  })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Edit…' }))
  expect(await screen.findByText(/Only the limit price can be changed/)).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Stop price' })).toHaveProperty('disabled', true)
  await type('Limit price', '1.15650')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(toasts()).toEqual(['EURUSD: order updated']))
  expect(sent(asked, 'trade/updateOrder')).toEqual([
    { orderId: 9, price: '1.15800', limitPrice: '1.15650', timeInForce: 'gtc' },
  ])
})

test('an edit without a price is not sent; what the server refuses stands at its field', async () => {
  setScreen('phone')
  const asked = serve({
    'trade/findOrderPage': () => answer({ list: [order()], next: 0 }),
    'trade/updateOrder': () => refusal('order.price_below', { args: { limit: '1.15700' } }),
  })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Edit…' }))
  await screen.findByRole('textbox', { name: 'Limit price' })
  await type('Limit price', '')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a value above 0.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Limit price' }))
  expect(sent(asked, 'trade/updateOrder')).toEqual([])
  await type('Limit price', '1.15750')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The price must be 1.15700 or lower.')).toBeTruthy()
  const price = screen.getByRole('textbox', { name: 'Limit price' })
  await waitFor(() => expect(document.activeElement).toBe(price))
  expect(sent(asked, 'trade/updateOrder')).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.type(price, '{Backspace}')
  await waitFor(() => expect(screen.queryByText('The price must be 1.15700 or lower.')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a refusal that belongs to no field ends with the next edit', async () => {
  setScreen('phone')
  serve({
    'trade/findOrderPage': () => answer({ list: [order()], next: 0 }),
    'trade/updateOrder': () => refusal('order.too_many_orders', { args: { limit: '200' } }),
  })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Edit…' }))
  await screen.findByRole('textbox', { name: 'Limit price' })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toContain('You have 200 pending orders')
  await type('Limit price', '1.15750')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an edit whose outcome is unknown is sent again as it was', async () => {
  setScreen('phone')
  let down = true
  const asked = serve({
    'trade/findOrderPage': () =>
      answer({ list: [order({ timeInForce: 'date', expiresAt: 4_070_908_800_000 })], next: 0 }),
    'trade/updateOrder': () =>
      down ? { httpStatus: 504 } : answer({ order: order(), statistics }),
  })
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  await user.click(await screen.findByRole('button', { name: 'Edit…' }))
  const price = await screen.findByRole('textbox', { name: 'Limit price' })
  const off = () =>
    [
      price,
      screen.getByRole('button', { name: /0\.1%$/ }),
      screen.getByRole('switch', { name: 'Stop loss' }),
      screen.getByRole('switch', { name: 'Take profit' }),
    ].map((field) => (field as HTMLInputElement).disabled)
  expect(off()).toEqual([false, false, false, false])
  await type('Limit price', '1.15650')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(off()).toEqual([true, true, true, true]))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await screen.findByText(/No response yet/)).toBeTruthy()
  expect(off()).toEqual([true, true, true, true])
  expect(screen.getByRole('combobox', { name: 'Expiry' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  const until = screen.getByRole('group', { name: 'Expires at' })
  for (const part of within(until).getAllByRole('spinbutton'))
    expect(part.getAttribute('aria-disabled')).toBe('true')
  down = false
  await user.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(toasts()).toEqual(['EURUSD: order updated']))
  vi.useRealTimers()
  const bodies = sent(asked, 'trade/updateOrder').map((body) => JSON.stringify(body))
  expect(bodies.length).toBeGreaterThan(4)
  expect(new Set(bodies).size).toBe(1)
})

test('Enter sends nothing while the market refuses a price', async () => {
  setScreen('phone')
  const asked = serve({
    'trade/findOrderPage': () => answer({ list: [order()], next: 0 }),
    'trade/updateOrder': () => answer({ order: order(), statistics }),
  })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Edit…' }))
  const price = await screen.findByRole('textbox', { name: 'Limit price' })
  await type('Limit price', '1.16')
  expect(screen.getByText('The price must be 1.15816 or lower.')).toBeTruthy()
  await userEvent.type(price, '{Enter}')
  await type('Limit price', '1.15650')
  await userEvent.type(price, '{Enter}')
  await waitFor(() => expect(toasts()).toEqual(['EURUSD: order updated']))
  expect(sent(asked, 'trade/updateOrder')).toEqual([
    { orderId: 9, price: '1.15650', timeInForce: 'gtc' },
  ])
})

test('cancels all after a look at the list', async () => {
  const asked = serve({
    'trade/findOrderPage': () =>
      answer({ list: [order(), order({ orderId: 8, side: 'sell', price: '1.17' })], next: 0 }),
    'trade/cancelAllOrders': () => answer({ orderIds: [8, 9] }),
  })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel all' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('Cancel 2 pending orders?')).toBeTruthy()
  expect(within(dialog).getByText(/Sell limit/)).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel all' }))
  await waitFor(() => expect(toasts()).toEqual(['2 pending orders cancelled']))
  expect(sent(asked, 'trade/cancelAllOrders')).toEqual([{}])
})

const leg = (name: string) => within(screen.getByRole('group', { name }))
const pairOf = () => [
  order({ orderId: 11, ocoId: 10, type: 'stop', price: '1.16' }),
  order({ orderId: 10, ocoId: 10 }),
]

test('places a pair: two prices, two protections, one expiry', async () => {
  const asked = serve({ 'trade/insertOcoOrders': () => answer({ orders: pairOf(), statistics }) })
  await renderPart(<OrderTicket product={eurusd} foot={document.body} />)
  await userEvent.click(screen.getByRole('radio', { name: /^Buy/ }))
  await userEvent.click(screen.getByRole('radio', { name: 'OCO' }))
  await screen.findByText(/One cancels the other/)
  await suggested()
  const price = leg('Buy limit').getByRole('textbox', { name: 'Limit price' })
  expect(price).toHaveProperty('value', '1.15795')
  fireEvent.change(price, { target: { value: '1.16' } })
  expect(screen.getByText('The price must be 1.15816 or lower.')).toBeTruthy()
  const button = await screen.findByRole('button', { name: /^(Buy|Sell) .* or (Buy|Sell) / })
  expect(button).toHaveProperty('disabled', true)
  fireEvent.change(price, { target: { value: '1.15' } })
  await userEvent.click(leg('Buy stop').getByRole('switch', { name: 'Take profit' }))
  await choose('Expiry', 'Today')
  await userEvent.click(button)
  await waitFor(() =>
    expect(toasts()).toEqual(['Buy limit and Buy stop 0.01 EURUSD placed as a pair']),
  )
  const shared = { productId: 1, side: 'buy', lots: '0.01', leverage: 100, timeInForce: 'day' }
  expect(sent(asked, 'trade/insertOcoOrders')).toEqual([
    {
      orders: [
        { ...shared, type: 'limit', price: '1.15' },
        { ...shared, type: 'stop', price: '1.15880', takeProfit: '1.16459' },
      ],
    },
  ])
})

test('a pair may span both sides', async () => {
  const asked = serve({ 'trade/insertOcoOrders': () => answer({ orders: pairOf(), statistics }) })
  await renderPart(<OrderTicket product={eurusd} foot={document.body} />)
  await userEvent.click(screen.getByRole('radio', { name: 'OCO' }))
  await choose('Pair', 'Buy stop or sell stop')
  await userEvent.click(
    await screen.findByRole('button', { name: /^(Buy|Sell) .* or (Buy|Sell) / }),
  )
  await waitFor(() => expect(sent(asked, 'trade/insertOcoOrders')).toHaveLength(1))
  expect(sent(asked, 'trade/insertOcoOrders')[0]).toMatchObject({
    orders: [
      { side: 'buy', type: 'stop', price: '1.15880' },
      { side: 'sell', type: 'stop', price: '1.15780' },
    ],
  })
  // Choosing a side makes it a limit and a stop again.
  await userEvent.click(screen.getByRole('button', { name: /^Sell/ }))
  expect(screen.getByRole('group', { name: 'Sell limit' })).toBeTruthy()
})

test('a pair is listed as one, and cancelled as one', async () => {
  let waiting = [...pairOf(), order()]
  const asked = serve({
    'trade/findOrderPage': () => answer({ list: waiting, next: 0 }),
    'trade/cancelOrder': () => {
      waiting = [order()]
      return answer({
        order: { ...pairOf()[0], status: 'cancelled', reason: 'trader' },
        statistics,
      })
    },
  })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  const row = await screen.findByRole('row', { name: /Buy stop.*OCO.*with Buy limit at 1.15000/ })
  expect(screen.getAllByRole('button', { name: 'Cancel both' })).toHaveLength(2)
  expect(screen.getAllByRole('button', { name: 'Cancel' })).toHaveLength(1)
  await userEvent.click(within(row).getByRole('button', { name: 'Cancel both' }))
  await waitFor(() => expect(toasts()).toEqual(['EURUSD: Buy stop and its paired order cancelled']))
  expect(sent(asked, 'trade/cancelOrder')).toEqual([{ orderId: 11 }])
  await waitFor(() => expect(screen.queryByText('OCO')).toBeNull())
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
})

test('shows one product’s orders alone, and cancels them alone', async () => {
  const asked = serve({
    'trade/findOrderPage': () =>
      answer({ list: [order(), order({ orderId: 8, productId: 101 })], next: 0 }),
    'trade/cancelAllOrders': () => answer({ orderIds: [9] }),
  })
  await renderPart(<PendingOrderList products={[eurusd]} productId={1} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel all' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel 1 pending order?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel all' }))
  await waitFor(() => expect(sent(asked, 'trade/cancelAllOrders')).toEqual([{ productId: 1 }]))
})

test('says how to place one when none waits', async () => {
  serve({ 'trade/findOrderPage': () => answer({ list: [], next: 0 }) })
  await renderPart(<PendingOrderList products={[eurusd]} />)
  expect(await screen.findByText(/^No pending orders/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Cancel all' })).toBeNull()
})

test('tells what became of an order by itself, and nothing else', async () => {
  serve()
  await renderPart(<p />)
  const client = new QueryClient()
  const ended = (change: Partial<Wire['Order']>) =>
    notifyOrderEvent(client, { event: 'order', order: order(change) })
  await ended({})
  await ended({ status: 'cancelled', reason: 'trader' })
  expect(toasts()).toEqual([])
  await ended({ status: 'cancelled', reason: 'no_margin' })
  await ended({ status: 'cancelled', reason: 'too_many_positions' })
  await ended({ status: 'expired', reason: 'expired' })
  expect(toasts()).toEqual([
    'EURUSD: Buy limit cancelled: not enough free margin',
    'EURUSD: Buy limit cancelled: too many positions',
    'EURUSD: Buy limit expired',
  ])
})

const closing = (rule: Wire['Fill']['rule']): Wire['Fill'] => ({
  fillId: 70,
  orderId: 71,
  positionId: 7,
  productId: 1,
  side: 'sell',
  entry: 'close',
  rule,
  lots: '0.2',
  price: '1.157',
  margin: '0',
  commission: '0',
  profit: '-2',
  time: 1,
  marketTime: 1,
})

test('tells which rule closed a position, with its proof; a press of one’s own is not told twice', async () => {
  serve()
  await renderPart(<p />)
  const client = new QueryClient()
  const tell = (rule: Wire['Fill']['rule']) =>
    notifyOrderEvent(client, { event: 'fill', fill: closing(rule) })
  await tell('market')
  await tell('close_by')
  expect(toasts()).toEqual([])
  for (const rule of ['sl', 'tp', 'trailing'] as const) await tell(rule)
  expect(toasts()).toEqual([
    'EURUSD 0.20 closed by its stop loss at 1.15700 · \u2066\u22122.00\u2069 USDT',
    'EURUSD 0.20 closed by its take profit at 1.15700 · \u2066\u22122.00\u2069 USDT',
    'EURUSD 0.20 closed by its trailing stop at 1.15700 · \u2066\u22122.00\u2069 USDT',
  ])
  await tell('stop_out')
  const last = useToasts.getState().shown.at(-1)
  expect(last).toMatchObject({
    kind: 'error',
    text: 'EURUSD 0.20 closed by stop-out at 1.15700 · \u2066\u22122.00\u2069 USDT. The margin level was too low.',
    action: { label: 'Price proof' },
  })
  last?.action?.onPress()
  expect(useOpenReceipt.getState().fillId).toBe(70)
  closeReceipt()
})

test('tells an order that was filled by its own name', async () => {
  serve()
  await renderPart(<p />)
  await notifyOrderEvent(new QueryClient(), {
    event: 'fill',
    order: order({ type: 'stop', side: 'sell', status: 'filled' }),
    fill: { ...closing('stop'), entry: 'open' },
  })
  expect(toasts()).toEqual(['Sell stop 0.20 EURUSD filled at 1.15700'])
})
