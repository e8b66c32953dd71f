import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { PositionCard } from './position-card'
import { PositionTable } from './position-table'

const position: Wire['Position'] = {
  ...{ positionId: 7, productId: eurusd.productId, side: 'buy', leverage: 100, margin: '0' },
  ...{ lots: '0.2', lotsOpened: '0.2', openPrice: '1.15800', price: '1.15824', profit: '0' },
  ...{ swap: '0', dividends: '0', commission: '0', state: 'open', openedAt: 0 },
}

const shown = (one: Wire['Position']) => (
  <>
    <PositionCard position={one} product={eurusd} open />
    <PositionTable positions={[one]} products={[eurusd]} />
  </>
)

beforeEach(() => {
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  fakeServer({ 'api/findProductList': () => answer([eurusd]) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

test('a position tells where its trailing stop stands and how far behind, on a phone and on a desktop', async () => {
  const trailing = { ...position, trailingStop: '0.00100', trailingLevel: '1.15724' }
  await renderPart(shown(trailing))
  expect(await screen.findAllByText('1.15724')).toHaveLength(2)
  expect(screen.getAllByText(/10\.0.* pips behind/)).toHaveLength(2)
})

test('while its best price is not known it tells the distance alone', async () => {
  await renderPart(shown({ ...position, trailingStop: '0.00100' }))
  expect(await screen.findAllByText(/10\.0.* pips behind/)).toHaveLength(2)
  expect(screen.queryByText('1.15724')).toBeNull()
})

test('a position without a trailing stop says nothing of one', async () => {
  await renderPart(shown(position))
  expect(await screen.findAllByText('EURUSD')).toHaveLength(2)
  expect(screen.queryByText(/behind|Trailing/)).toBeNull()
})
