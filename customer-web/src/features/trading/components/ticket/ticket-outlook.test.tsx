import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearAccount, useAccount } from '@/live/account-store'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleProduct } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { TicketOutlook } from './ticket-outlook'

const euro = sampleProduct({ marginConversion: { productId: 1, inverse: false, point: 5 } })
const held: Wire['Position'] = {
  ...{ positionId: 7, productId: 1, side: 'buy', lots: '0.4', lotsOpened: '0.4' },
  ...{ openPrice: '1.15824', price: '1.15824', leverage: 100, margin: '463.3', swap: '0' },
  ...{ dividends: '0', commission: '0', profit: '0', state: 'open', openedAt: 1 },
}
const statistics: Wire['Statistics'] = {
  ...{ balance: '1000', zengjin: '0', prepaidAmount: '463.3', prepaidRatio: '215.84' },
  ...{ totalProfit: '0', usablePrepaid: '536.7', netValue: '1000' },
}
const sell = { side: 'sell', lots: '0.1', leverage: 100, price: '1.15824' } as const

const row = async (name: string) => (await screen.findByText(name)).nextElementSibling?.textContent

async function show(netting: boolean, deal: { side: 'buy' | 'sell'; lots: string } = sell) {
  fakeServer({ 'user/findUserInfo': () => answer({ netting, leverageCaps: {} }) })
  await renderPart(
    <dl>
      <TicketOutlook product={euro} deal={{ ...sell, ...deal }} />
    </dl>,
  )
}

beforeEach(() => {
  startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: -1 })
  useAccount.setState({ statistics, positions: [held] })
  const line = { spread: '0.00012', sequence: 1, time: 1, seenAt: Date.now() }
  quoteStore.put({ productId: 1, bid: '1.15824', ask: '1.15836', ...line })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
})

test('in a netting account the order works against the position', async () => {
  await show(true)
  expect(await row('Your position')).toMatch(/^Reduced to Buy .*0\.30/)
  // 1,000 of equity on 347.475 of margin.
  expect(await row('Margin level after')).toBe('215.84% → 287.80%')
  expect(await row('Stop-out price after')).toMatch(/^bid ≤ .*1\.13069/)
})

test('in a hedging account it stands beside it', async () => {
  await show(false)
  expect(await row('Margin level after')).toMatch(/^215\.84% → /)
  expect(await row('Stop-out price after')).toMatch(/^bid ≤ /)
  expect(screen.queryByText('Your position')).toBeNull()
})

test('an order that closes all leaves no stop-out behind', async () => {
  await show(true, { side: 'sell', lots: '0.4' })
  expect(await row('Your position')).toBe('Closed')
  expect(screen.queryByText('Stop-out price after')).toBeNull()
})
