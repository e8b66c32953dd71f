import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import { useChartSettings } from '@/features/chart/model/chart-store'
import { DEFAULT_PERIOD } from '@/features/chart/model/periods'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { gold } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { showingTrade, useShownTrade } from './use-shown-trade'

const opened = Date.now() - 3 * 86_400_000

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
  time: opened,
  marketTime: opened,
}
const fills = [
  { ...fill, fillId: 21, side: 'sell', entry: 'close', price: '4020', marketTime: opened + 60_000 },
  fill,
]

function Marks() {
  const marks = useShownTrade(gold)
  return (
    <ul>
      {marks.map(({ id, at, price, text, closes }) => (
        <li key={id}>{[text, at - opened, price, closes].join(' ')}</li>
      ))}
    </ul>
  )
}

const path = (positionId: number) => showingTrade(`/trade?product=${gold.productId}`, positionId)

beforeEach(() => {
  startSession('token', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  useChartSettings.setState({ period: DEFAULT_PERIOD })
})
afterEach(clearSession)

test('marks the fills of the position in the address, in a period that shows them', async () => {
  const asked = fakeServer({ 'trade/findFillPage': () => answer({ list: fills, next: 0 }) })
  await renderPart(<Marks />, path(7))
  expect(await screen.findByText('Buy 0.20 0 4011.5 false')).toBeTruthy()
  expect(screen.getByText('Close 0.20 60000 4020 true')).toBeTruthy()
  expect(asked[0]?.query.get('positionId')).toBe('7')
  expect(useChartSettings.getState().period).toBe('1m')
})

test('marks nothing of another product', async () => {
  const other = fills.map((one) => ({ ...one, productId: gold.productId + 1 }))
  const asked = fakeServer({ 'trade/findFillPage': () => answer({ list: other, next: 0 }) })
  await renderPart(<Marks />, path(7))
  await expect
    .poll(() => asked.some(({ path: asking }) => asking === 'trade/findFillPage'))
    .toBe(true)
  expect(screen.queryAllByRole('listitem')).toEqual([])
})

test.each(['', '&position=x', '&position=-1'])(
  'asks for nothing and keeps the period with %j',
  async (rest) => {
    const asked = fakeServer({})
    await renderPart(<Marks />, `/trade?product=${gold.productId}${rest}`)
    expect(screen.queryAllByRole('listitem')).toEqual([])
    expect(asked).toEqual([])
    expect(useChartSettings.getState().period).toBe(DEFAULT_PERIOD)
  },
)
