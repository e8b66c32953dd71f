import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { closeReceipt, useOpenReceipt } from '@/features/receipt/model/open-receipt'
import { dayOf, shiftDay, startOf } from '@/format/days'
import { clearSession, startSession } from '@/session/session-store'
import { choose } from '@/testing/choose'
import { enterDate } from '@/testing/enter-date'
import { answer, fakeServer, fileAnswer, type RecordedCall, refusal } from '@/testing/fake-server'
import { gold, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'
import { useToasts } from '@/ui/toast/toast-store'

const SIZE = 8

function closed(positionId: number, change: Partial<Wire['Position']> = {}): Wire['Position'] {
  return {
    positionId,
    productId: gold.productId,
    side: 'buy',
    lots: '0',
    lotsOpened: '0.2',
    openPrice: '4061.35',
    price: '4078.42',
    leverage: 100,
    margin: '0',
    swap: '0',
    dividends: '0.000000',
    commission: '1.4',
    profit: '10',
    state: 'closed',
    closeReason: 'manual',
    openedAt: Date.now() - 120_000,
    closedAt: Date.now() - 60_000,
    ...change,
  }
}

const all = Array.from({ length: 11 }, (_, index) => closed(100 - index))

const fills: Wire['Fill'][] = ['open', 'close'].map((entry, index) => ({
  fillId: 10 + index,
  orderId: 20 + index,
  positionId: 100,
  productId: gold.productId,
  side: entry === 'open' ? 'buy' : 'sell',
  entry: entry as 'open' | 'close',
  rule: 'market',
  lots: '0.2',
  price: '4061.35',
  margin: '0',
  commission: '0.7',
  profit: entry === 'open' ? '0' : '10',
  time: Date.now(),
  marketTime: Date.now(),
}))

function serve(list: Wire['Position'][] = all): RecordedCall[] {
  return fakeServer({
    ...sampleMarket(),
    'trade/findHistoryPage': ({ query }) => {
      const page = Number(query.get('page') ?? 1)
      const behind = list.findIndex(({ positionId }) => String(positionId) === query.get('next'))
      const start = query.has('next') ? behind + 1 : (page - 1) * SIZE
      const shown = list.slice(start, start + SIZE)
      const next = start + SIZE < list.length ? shown.at(-1)?.positionId : 0
      return answer({ list: shown, total: list.length, more: false, page, size: SIZE, next })
    },
    'trade/findFillPage': () => answer({ list: fills.toReversed(), next: 0 }),
    'trade/findPerformance': () => answer(performance),
  })
}

const asksOf = (asked: RecordedCall[]) =>
  asked.filter(({ path }) => path === 'trade/findHistoryPage')

/** Picks an option of the filters and waits until they show it; the address contains it by then. */
async function pick(field: string, option: string) {
  if (!screen.queryByRole('dialog')) await press(/^Filters/)
  await choose(field, option)
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: field }).textContent).toBe(option),
  )
}

async function press(name: string | RegExp) {
  await userEvent.click(await screen.findByRole('button', { name }))
}

/** Closes the filters and waits until the page behind them can be used again. */
async function showResults() {
  await press('Show results')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

async function download() {
  await press('More actions')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Download CSV' }))
}

const performance: Wire['Performance'] = {
  total: {
    trades: 11,
    wins: 9,
    losses: 2,
    net: '94.6',
    profit: '110',
    commission: '15.4',
    charges: '0',
  },
  grossProfit: '200',
  grossLoss: '-105.4',
  averageWin: '22.22',
  averageLoss: '-52.7',
  largestWin: '40',
  largestLoss: '-60',
  winRate: '81.81',
  profitFactor: '1.90',
  days: [
    {
      day: dayOf(Date.now() - 60_000, 'local'),
      earnings: {
        trades: 11,
        wins: 9,
        losses: 2,
        net: '94.6',
        profit: '110',
        commission: '15.4',
        charges: '0',
      },
    },
  ],
  products: [
    {
      productId: gold.productId,
      earnings: {
        trades: 11,
        wins: 9,
        losses: 2,
        net: '94.6',
        profit: '110',
        commission: '15.4',
        charges: '0',
      },
    },
  ],
}

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await Promise.all([
    import('./history-orders'),
    import('@/ui/sheet/sheet-surface'),
    import('@/ui/form/date-picker'),
  ])
}, 30_000)

beforeEach(() => startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 }))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  clearSession()
  closeReceipt()
  useToasts.setState({ shown: [] })
})

test('on a desktop: eight a page, with the totals of the page', async () => {
  setScreen('desktop')
  const asked = serve()
  const { history } = await renderApp('/historyOrders')
  expect(await screen.findAllByRole('row')).toHaveLength(1 + 1 + SIZE + 2)
  expect(screen.getByText('11 positions')).toBeTruthy()
  expect(await screen.findByRole('row', { name: /\+94\.60/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /Total on this page/ }).textContent).toContain('+80.00')
  expect(screen.getByRole('row', { name: /Net/ }).textContent).toContain('+68.80')
  await userEvent.click(screen.getByRole('button', { name: 'Page 2' }))
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(1 + 1 + 3 + 2))
  expect(history.location.search).toBe('?page=2')
  expect(asksOf(asked).at(-1)?.query.get('size')).toBe('8')
})

test('the filter stands in the address, and asks for thirty days at first', async () => {
  setScreen('desktop')
  const asked = serve()
  const { history } = await renderApp('/historyOrders?page=2')
  await screen.findAllByRole('row')
  const today = dayOf(Date.now(), 'local')
  expect(asksOf(asked)[0]?.query.get('startTime')).toBe(
    String(startOf(shiftDay(today, -29), 'local')),
  )
  expect(asksOf(asked)[0]?.query.get('endTime')).toBe(String(startOf(shiftDay(today, 1), 'local')))

  await pick('Product', 'XAUUSD')
  await pick('Side', 'Sell')
  expect(history.location.search).toBe('?product=101&side=sell')
  await waitFor(() => expect(asksOf(asked).at(-1)?.query.get('side')).toBe('sell'))
  expect(asksOf(asked).at(-1)?.query.get('page')).toBe('1')
  expect(asksOf(asked).at(-1)?.query.get('productId')).toBe('101')

  await pick('Opened by', 'Stop-limit')
  await pick('Closed by', 'Trailing stop')
  await waitFor(() => expect(asksOf(asked).at(-1)?.query.get('closeReason')).toBe('trailing'))
  expect(asksOf(asked).at(-1)?.query.get('openedBy')).toBe('stop_limit')
  await pick('Opened by', 'Any order')
  await waitFor(() => expect(asksOf(asked).at(-1)?.query.has('openedBy')).toBe(false))
  expect(history.location.search).toBe('?product=101&side=sell&closed=trailing')
})

test('a period is chosen by a press, and an active filter is removed by one', async () => {
  setScreen('phone')
  const asked = serve()
  const { history } = await renderApp('/historyOrders?side=sell')
  const thirty = await screen.findByRole('button', { name: '30 d' })
  expect(thirty.getAttribute('aria-pressed')).toBe('true')
  await press('7 d')
  const today = dayOf(Date.now(), 'local')
  expect(history.location.search).toBe(`?side=sell&from=${shiftDay(today, -6)}`)
  await waitFor(() =>
    expect(asksOf(asked).at(-1)?.query.get('startTime')).toBe(
      String(startOf(shiftDay(today, -6), 'local')),
    ),
  )
  await press('Remove filter: Sell')
  expect(history.location.search).toBe(`?from=${shiftDay(today, -6)}`)
  expect(screen.queryByRole('button', { name: /^Remove filter/ })).toBeNull()
})

test('days of the trader’s own are typed in the filters, and are no period of one press', async () => {
  setScreen('desktop')
  serve()
  const { history } = await renderApp('/historyOrders')
  await press(/^Filters/)
  await enterDate('To', '2026-02-10')
  await waitFor(() => expect(history.location.search).toContain('to=2026-02-10'))
  await enterDate('From', '2026-02-01')
  await waitFor(() => expect(history.location.search).toContain('from=2026-02-01'))
  await showResults()
  expect(screen.getByRole('button', { name: 'Feb 1 – Feb 10' })).toBeTruthy()
  for (const days of ['7 d', '30 d', '90 d'])
    expect(screen.getByRole('button', { name: days }).getAttribute('aria-pressed')).toBe('false')
})

test('the performance has its figures, each day and each product', async () => {
  setScreen('desktop')
  const asked = serve()
  await renderApp('/historyOrders?list=performance&side=buy')
  const call = () => asked.find(({ path }) => path === 'trade/findPerformance')?.query
  expect(await screen.findByText('81.81%')).toBeTruthy()
  expect(screen.getByText('1.90')).toBeTruthy()
  expect(call()?.get('zone')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(call()?.get('side')).toBe('buy')
  expect(screen.getAllByRole('cell', { name: /\+94\.60/ })).toHaveLength(1)
  expect(screen.getByText('11 trades, 9 won')).toBeTruthy()
  await press('How these figures are calculated')
  expect(screen.getByText(/Gross profit ÷ gross loss/)).toBeTruthy()
})

test('a performance without losses has no profit factor, and one without trades none at all', async () => {
  setScreen('desktop')
  const { profitFactor: _, ...spotless } = performance
  let data: Wire['Performance'] = spotless
  fakeServer({ ...sampleMarket(), 'trade/findPerformance': () => answer(data) })
  await renderApp('/historyOrders?list=performance')
  const factor = (await screen.findByText('Profit factor')).parentElement
  expect(factor?.textContent).toContain('–')

  data = { ...spotless, total: { ...spotless.total, trades: 0 }, days: [], products: [] }
  await press('7 d')
  expect(await screen.findByText('No positions were closed in this period.')).toBeTruthy()
  expect(screen.queryByText('Profit factor')).toBeNull()
})

test('on a phone: cards, and more of them on a press', async () => {
  setScreen('phone')
  serve()
  await renderApp('/historyOrders')
  const list = await screen.findByRole('list', { name: 'Order history' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(8)
  expect(screen.getByText('8 / 11')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(11))
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('a row opens its fills, each with its number and its proof; a stop-out is explained', async () => {
  setScreen('phone')
  serve([closed(100, { closeReason: 'stop_out', profit: '-50' })])
  const user = userEvent.setup()
  await renderApp('/historyOrders')
  await user.click(await screen.findByRole('button', { name: /XAUUSD/ }))
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText(/margin level fell to 50%/)).toBeTruthy()
  await user.click(await within(sheet).findByRole('button', { name: /Order 21/ }))
  expect(await navigator.clipboard.readText()).toBe('21')
  const proofs = within(sheet).getAllByRole('button', { name: 'Proof' })
  await user.click(proofs[1] as HTMLElement)
  expect(useOpenReceipt.getState().fillId).toBe(11)
})

test('is saved as a file of what the filter shows, and says when rows are missing', async () => {
  setScreen('desktop')
  const csv = 'position,product\r\n100,XAUUSD\r\n'
  let cut = {}
  const asked = fakeServer({
    ...sampleMarket(),
    'trade/findHistoryPage': () =>
      answer({ list: all.slice(0, 8), total: 11, more: false, page: 1, size: SIZE }),
    'trade/exportHistory': () => fileAnswer(csv, cut),
  })
  const saved: { file: Blob; name: string }[] = []
  URL.createObjectURL = (file: Blob) => `blob:${saved.push({ file, name: '' })}`
  URL.revokeObjectURL = vi.fn()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const last = saved.at(-1)
    if (last) last.name = this.download
    expect(this.href).not.toContain('token')
  })
  await renderApp('/historyOrders?side=sell&closed=sl&from=2026-01-01&to=2026-01-02')
  await download()
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await saved[0]?.file.text()).toBe(csv)
  expect(saved[0]?.name).toBe('candor-positions-2026-01-01-2026-01-02.csv')
  const call = asked.find(({ path }) => path === 'trade/exportHistory')
  expect(call?.token).toBe('token')
  expect(Object.fromEntries(call?.query ?? [])).toEqual({
    side: 'sell',
    closeReason: 'sl',
    startTime: String(startOf('2026-01-01', 'local')),
    endTime: String(startOf('2026-01-03', 'local')),
  })
  expect(screen.queryByText(/latest/)).toBeNull()

  cut = { 'Cut-At': '10000' }
  await download()
  expect(await screen.findByText(/the latest 10,000 rows/)).toBeTruthy()
  expect(saved).toHaveLength(2)
})

test('a file that is refused is not saved', async () => {
  setScreen('desktop')
  fakeServer({
    ...sampleMarket(),
    'trade/findHistoryPage': () =>
      answer({ list: all.slice(0, 8), total: 11, more: false, page: 1, size: SIZE }),
    'trade/exportHistory': () => refusal('busy'),
  })
  URL.createObjectURL = vi.fn(() => 'blob:none')
  await renderApp('/historyOrders')
  await download()
  expect(await screen.findByText(/very busy right now/)).toBeTruthy()
  expect(URL.createObjectURL).not.toHaveBeenCalled()
})

test.each(['desktop', 'phone'] as const)('fills have a list of their own on a %s', async (kind) => {
  const page = (next: number, ...ids: number[]) =>
    answer({ list: ids.map((fillId) => ({ ...fills[1], fillId })), next })
  setScreen(kind)
  const asked = fakeServer({
    ...sampleMarket(),
    'trade/findHistoryPage': () => answer({ list: [], total: 0, more: false, page: 1, size: SIZE }),
    'trade/findFillPage': ({ query }) => (query.get('next') === '3' ? page(0, 2) : page(3, 4, 3)),
    'trade/exportFills': () => fileAnswer('fill\r\n'),
  })
  URL.createObjectURL = vi.fn(() => 'blob:file')
  URL.revokeObjectURL = vi.fn()
  const { history } = await renderApp('/historyOrders?product=101&closed=sl')
  await userEvent.click(await screen.findByRole('tab', { name: 'Trades' }))
  expect(history.location.search).toBe('?product=101&closed=sl&list=fills')
  await pick('Type', 'Stop-out')
  expect(screen.queryByRole('combobox', { name: 'Closed by' })).toBeNull()
  await waitFor(() => {
    const call = asked.filter(({ path }) => path === 'trade/findFillPage').at(-1)
    expect(call?.query.get('rule')).toBe('stop_out')
    expect(call?.query.has('closeReason')).toBe(false)
  })
  await showResults()
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  const fill = kind === 'desktop' ? { name: 'Open price proof' } : { name: /^XAUUSD/ }
  await waitFor(() => expect(screen.getAllByRole('button', fill)).toHaveLength(3))
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  await download()
  await waitFor(() => {
    const call = asked.find(({ path }) => path === 'trade/exportFills')
    expect(call?.query.get('rule')).toBe('stop_out')
    expect(call?.query.get('productId')).toBe('101')
  })
  await userEvent.click(screen.getAllByRole('button', fill)[2] as HTMLElement)
  expect(useOpenReceipt.getState().fillId).toBe(2)
})

test('nothing found leads back to everything', async () => {
  setScreen('desktop')
  serve([])
  const { history } = await renderApp('/historyOrders?side=sell&from=2026-01-01&to=2026-01-02')
  await userEvent.click(await screen.findByRole('button', { name: /^Show all from the last/ }))
  expect(history.location.search).toBe('')
})

test('a failure says why and can be tried again', async () => {
  setScreen('desktop')
  fakeServer({
    ...sampleMarket(),
    'trade/findHistoryPage': () => refusal('unavailable', { traceId: 'trace-1' }),
  })
  await renderApp('/historyOrders')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('trace-1')
  expect(within(alert).getByRole('button', { name: 'Try again' })).toBeTruthy()
})

const order = (orderId: number, change: Partial<Wire['Order']> = {}): Wire['Order'] => ({
  orderId,
  productId: gold.productId,
  type: 'limit',
  side: 'buy',
  lots: '0.1',
  leverage: 100,
  price: '4000',
  timeInForce: 'gtc',
  status: 'cancelled',
  reason: 'trader',
  revision: 1,
  createdAt: 1_795_000_000_000,
  endedAt: 1_795_000_060_000,
  ...change,
})

function serveOrders(pages: Wire['OrderPage'][]): RecordedCall[] {
  return fakeServer({
    ...sampleMarket(),
    'trade/findHistoryPage': () => answer({ list: [], total: 0, more: false, page: 1, size: SIZE }),
    'trade/findOrderPage': ({ query }) => answer(pages[query.get('next') ? 1 : 0]),
    'trade/exportOrders': () => fileAnswer('order\r\n'),
  })
}

const ordersOf = (asked: RecordedCall[]) =>
  asked.filter(({ path }) => path === 'trade/findOrderPage')

/** Start and end time of the default range, as sent to the server. */
function thirtyDays() {
  const today = dayOf(Date.now(), 'local')
  return {
    startTime: String(startOf(shiftDay(today, -29), 'local')),
    endTime: String(startOf(shiftDay(today, 1), 'local')),
  }
}

test.each(['desktop', 'phone'] as const)(
  'on a %s: orders that ended without a fill say why, and no others are asked for',
  async (kind) => {
    setScreen(kind)
    const asked = serveOrders([
      {
        next: 0,
        list: [
          order(1),
          order(2, { reason: 'no_margin' }),
          order(3, { status: 'expired', reason: 'expired' }),
          order(4, { reason: 'oco' }),
          order(5, { reason: 'too_many_positions' }),
        ],
      },
    ])
    const { history } = await renderApp('/historyOrders')
    await userEvent.click(await screen.findByRole('tab', { name: 'Unfilled' }))
    const rows = await screen.findAllByRole(kind === 'desktop' ? 'row' : 'article')
    const shown = kind === 'desktop' ? rows.slice(1) : rows
    expect(shown).toHaveLength(5)
    const words = [
      /Cancelled by you/,
      /not enough free margin/,
      /Expired/,
      /other order in the pair/,
    ]
    for (const [index, text] of words.entries())
      expect(within(shown[index] as HTMLElement).getByText(text)).toBeTruthy()
    expect(within(shown[4] as HTMLElement).getByText(/too many open positions/)).toBeTruthy()
    expect(history.location.search).toBe('?list=orders')
    expect(Object.fromEntries(ordersOf(asked)[0]?.query ?? [])).toEqual({
      status: 'unfilled',
      ...thirtyDays(),
    })
  },
)

test.each(['desktop', 'phone'] as const)(
  'on a %s they are narrowed like the other lists, page by page, and taken as a file of the same',
  async (kind) => {
    setScreen(kind)
    const asked = serveOrders([
      { next: 50, list: [order(60)] },
      { next: 0, list: [order(40)] },
    ])
    URL.createObjectURL = vi.fn(() => 'blob:file')
    URL.revokeObjectURL = vi.fn()
    const { history } = await renderApp('/historyOrders?list=orders&closed=sl&rule=tp')
    const rows = () => screen.findAllByRole(kind === 'desktop' ? 'row' : 'article')
    const head = kind === 'desktop' ? 1 : 0
    expect(await rows()).toHaveLength(head + 1)
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(async () => expect(await rows()).toHaveLength(head + 2))
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
    expect(ordersOf(asked)[1]?.query.get('next')).toBe('50')
    await press(/^Filters/)
    for (const field of ['Opened by', 'Closed by', 'Type'])
      expect(screen.queryByRole('combobox', { name: field })).toBeNull()

    await pick('Product', 'XAUUSD')
    await pick('Side', 'Sell')
    await pick('Order type', 'Stop-limit')
    await pick('Reason', 'Not enough free margin')
    expect(history.location.search).toContain('type=stop_limit&reason=no_margin')
    const wished = {
      ...{ productId: '101', side: 'sell', type: 'stop_limit', reason: 'no_margin' },
      ...{ status: 'unfilled', ...thirtyDays() },
    }
    await waitFor(() =>
      expect(Object.fromEntries(ordersOf(asked).at(-1)?.query ?? [])).toEqual(wished),
    )
    await showResults()
    await download()
    await waitFor(() => {
      const file = asked.find(({ path }) => path === 'trade/exportOrders')
      expect(Object.fromEntries(file?.query ?? [])).toEqual(wished)
    })
    await pick('Reason', 'Any reason')
    expect(history.location.search).not.toContain('reason')
  },
)

test('without any it says so, and takes the wishes back on a press', async () => {
  setScreen('desktop')
  serveOrders([{ next: 0, list: [] }])
  const { history } = await renderApp('/historyOrders?side=sell&list=orders')
  expect(await screen.findByText(/No cancelled or expired orders/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show all from the last 30 days' }))
  await waitFor(() => expect(history.location.search).toBe('?list=orders'))
})

test('a page that failed leaves the ones before, and is asked for again', async () => {
  setScreen('phone')
  let broken = true
  fakeServer({
    ...sampleMarket(),
    'trade/findOrderPage': ({ query }) => {
      if (!query.get('next')) return answer({ list: [order(60)], next: 60 })
      return broken ? refusal('unavailable') : answer({ list: [order(40)], next: 0 })
    },
  })
  await renderApp('/historyOrders?list=orders')
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  const alert = await screen.findByRole('alert')
  expect(screen.getAllByRole('article')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  broken = false
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2))
  expect(screen.queryByRole('alert')).toBeNull()
})
