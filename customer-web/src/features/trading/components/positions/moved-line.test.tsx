import { act, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import type { TradeLine } from '@/features/chart/model/trade-line'
import { clearAccount, useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { useMovedLine } from '../../model/use-moved-line'
import { useTradeLines } from '../../model/use-trade-lines'
import { MovedLineSheet } from './moved-line-sheet'

const position: Wire['Position'] = {
  positionId: 7,
  productId: eurusd.productId,
  side: 'buy',
  lots: '0.2',
  lotsOpened: '0.2',
  openPrice: '1.15800',
  leverage: 100,
  margin: '0',
  stopLoss: '1.15000',
  takeProfit: '1.17000',
  swap: '0',
  dividends: '0.000000',
  commission: '0',
  profit: '0',
  state: 'open',
  openedAt: 0,
}

const order = (change: Partial<Wire['Order']>): Wire['Order'] => ({
  orderId: 9,
  productId: eurusd.productId,
  type: 'limit',
  side: 'buy',
  lots: '0.1',
  leverage: 100,
  price: '1.14000',
  timeInForce: 'gtc',
  status: 'working',
  revision: 1,
  createdAt: 0,
  ...change,
})

/** A chart of buttons: pressing a line moves it to a price, which opens its form. */
function Chart({ to, fixed = false }: { to: string; fixed?: boolean }) {
  const { moved, move, end } = useMovedLine()
  const lines = useTradeLines(eurusd, fixed ? undefined : moved)
  const press = (line: TradeLine) => line.moves && move(line, to)
  return (
    <>
      {lines.map((line) => (
        <button key={line.id} type="button" onClick={() => press(line)}>
          {line.id} {line.price} {line.text}
        </button>
      ))}
      {moved && <MovedLineSheet moved={moved} product={eurusd} onClose={end} />}
    </>
  )
}

const lines = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const press = (name: RegExp) => act(async () => screen.getByRole('button', { name }).click())

beforeAll(async () => {
  await Promise.all([import('@/ui/sheet/sheet-surface')])
}, 30_000)

beforeEach(() => {
  setScreen('desktop')
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ statistics: null, positions: [position] })
  useLive.setState({ socket: 'open' })
  const line = { bid: '1.15824', ask: '1.15836', spread: '0.00012' }
  quoteStore.put({ productId: 1, ...line, sequence: 1, time: 1, seenAt: Date.now() })
  fakeServer({
    'api/findProductList': () => answer([eurusd]),
    'trade/findOrderPage': () =>
      answer({
        list: [
          order({}),
          order({ orderId: 10, type: 'stop_limit', price: '1.16000', limitPrice: '1.15500' }),
        ],
        next: 0,
      }),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
})

test('lines show what is held and what waits; an armed order stands at its limit', async () => {
  await renderPart(<Chart to="1" />)
  await screen.findByRole('button', { name: /9-order/ })
  expect(lines()).toEqual([
    '7-entry 1.158 Buy 0.20',
    '7-sl 1.15 SL',
    '7-tp 1.17 TP',
    '9-order 1.14 Buy limit 0.10',
    '10-order 1.155 Buy stop-limit 0.10',
  ])
})

test.each([
  ['sl', 'Stop loss: price', '1.15300', '1.153 SL'],
  ['tp', 'Take profit: price', '1.16500', '1.165 TP'],
  ['9-order', 'Limit price', '1.13000', '1.13 Buy limit'],
  ['10-order', 'Limit price', '1.15400', '1.154 Buy stop-limit'],
])(
  'a dragged %s opens its form with the new price, and stays there until it is closed',
  async (line, field, to, shown) => {
    await renderPart(<Chart to={to} />)
    await screen.findByRole('button', { name: /9-order/ })
    await press(new RegExp(line))
    expect(await screen.findByRole('textbox', { name: field })).toHaveProperty('value', to)
    expect(document.body.textContent).toContain(shown)
    await press(/^Close$/)
    expect(document.body.textContent).not.toContain(shown)
  },
)

test('a trailing stop has a line where it stands, which follows it and can’t be dragged', async () => {
  const trailing = { ...position, trailingStop: '0.00100' }
  useAccount.setState({ positions: [trailing] })
  await renderPart(<Chart to="1.15300" />)
  expect(lines().some((line) => line?.includes('trail'))).toBe(false)
  for (const level of ['1.15700', '1.15750']) {
    act(() => useAccount.setState({ positions: [{ ...trailing, trailingLevel: level }] }))
    expect(lines()).toContain(`7-trail ${Number(level)} Trailing stop`)
  }
  await press(/7-trail/)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('an entry can’t be dragged, nor anything where nothing is saved', async () => {
  const view = await renderPart(<Chart to="1.15300" />)
  await press(/entry/)
  expect(screen.queryByRole('dialog')).toBeNull()
  view.unmount()
  await renderPart(<Chart to="1.15300" fixed />)
  await press(/sl/)
  expect(screen.queryByRole('dialog')).toBeNull()
})
