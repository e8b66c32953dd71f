import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearAccount, useAccount } from '@/live/account-store'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { TradeDeals } from './trade-deals'

const held: Wire['Position'] = {
  ...{ positionId: 7, productId: 1, side: 'buy', lots: '0.2', lotsOpened: '0.2' },
  ...{ openPrice: '1.15824', price: '1.15824', leverage: 100, margin: '200', swap: '0' },
  ...{ dividends: '0', commission: '0', profit: '0', state: 'open', openedAt: 1 },
}

beforeEach(() => {
  setScreen('phone')
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  fakeServer({ 'api/findProductList': () => answer([eurusd]) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
})

test('the only position of a product shows its actions at once', async () => {
  useAccount.setState({ positions: [held, { ...held, positionId: 8, productId: 2 }] })
  await renderPart(<TradeDeals product={eurusd} />)
  expect(await screen.findByRole('button', { name: 'Close…' })).toBeTruthy()
})

test('several show them when they are opened', async () => {
  useAccount.setState({ positions: [held, { ...held, positionId: 8 }] })
  await renderPart(<TradeDeals product={eurusd} />)
  expect(await screen.findAllByRole('article')).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Close…' })).toBeNull()
})
