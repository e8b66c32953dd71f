import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearSession, startSession } from '@/session/session-store'
import { choose } from '@/testing/choose'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { gold, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'
import { setPreferences } from '@/theme/preferences'

vi.setConfig({ testTimeout: 60_000 })

const closedAt = Date.UTC(2026, 0, 15, 12)

const position: Wire['Position'] = {
  positionId: 100,
  productId: gold.productId,
  side: 'buy',
  lots: '0',
  lotsOpened: '0.2',
  openPrice: '4061.35',
  price: '4078.42',
  leverage: 100,
  margin: '0',
  swap: '-0.25',
  dividends: '0',
  commission: '1.4',
  profit: '10',
  state: 'closed',
  closeReason: 'manual',
  openedAt: closedAt - 60_000,
  closedAt,
}

const line = (id: number, kind: string, amount: string): Wire['LedgerLine'] => ({
  ...{ id, kind, amount, time: closedAt, cause: 'deposit:1' },
  ...{ bucket: 'cash', currency: 'USDT' },
})

const total = {
  ...{ trades: 1, wins: 1, losses: 0, net: '8.35' },
  ...{ profit: '10', commission: '1.4', charges: '-0.25' },
}

function serve() {
  return fakeServer({
    ...sampleMarket(),
    'user/findUserInfo': () => answer({ userName: 'A*** L***', accountId: 5001 }),
    'wallet/findStatement': () =>
      answer({
        ...{ accountId: 5001, currency: 'USDT', opening: '1000', closing: '1508.35' },
        movements: [
          { kind: 'deposit', entries: 1, amount: '500' },
          { kind: 'trade_close', entries: 1, amount: '8.6' },
          { kind: 'swap', entries: 1, amount: '-0.25' },
        ],
      }),
    'trade/findPerformance': () =>
      answer({
        ...{ total, grossProfit: '8.35', grossLoss: '0', averageWin: '8.35', averageLoss: '0' },
        ...{ largestWin: '8.35', largestLoss: '0', winRate: '100.00', days: [], products: [] },
      }),
    'trade/findHistoryPage': () =>
      answer({ list: [position], total: 1, more: false, page: 1, size: 100, next: 0 }),
    'wallet/findLedgerPage': ({ query }) =>
      query.has('next')
        ? answer({ list: [line(1, 'deposit', '500')], next: 0 })
        : answer({ list: [line(2, 'trade_close', '8.6')], next: 2 }),
  })
}

beforeEach(() => {
  setScreen('desktop')
  setPreferences({ timeZone: 'Asia/Tokyo' })
  startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: 3 })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  setPreferences({ timeZone: 'local' })
})

test('has the account, its balances, costs, positions and movements of the month', async () => {
  const asked = serve()
  await renderApp('/statement?month=2026-01')
  const sheet = await screen.findByRole('article')
  const rows = (caption: string) =>
    within(within(sheet).getByRole('table', { name: caption })).getAllByRole('row')
  const balance = rows('Balance').map(({ textContent }) => textContent)
  expect(balance[0]).toContain('1,000')
  expect(balance.at(-1)).toBe('Closing balance1,508.35')
  expect(rows('Result of closed positions').at(-1)?.textContent).toContain('8.35')
  expect(rows('Closed positions')[1]?.textContent).toContain('4,061.35 → 4,078.42')
  // The entries of a position stand in its own row.
  expect(rows('Deposits, withdrawals and other movements')).toHaveLength(1)
  expect(within(sheet).getByText('A*** L***')).toBeTruthy()
  expect(within(sheet).getByText('(UTC+9)')).toBeTruthy()
  for (const path of ['wallet/findStatement', 'trade/findPerformance', 'wallet/findLedgerPage']) {
    const query = asked.find((call) => call.path === path)?.query
    expect(query?.get('startTime')).toBe(String(Date.UTC(2025, 11, 31, 15)))
    expect(query?.get('endTime')).toBe(String(Date.UTC(2026, 0, 31, 15)))
  }
})

test('is printed on a press, and another month is another statement', async () => {
  const asked = serve()
  const print = vi.fn()
  vi.stubGlobal('print', print)
  const { history } = await renderApp('/statement?month=2026-01')
  const button = await screen.findByRole('button', { name: 'Print or save as PDF' })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await userEvent.click(button)
  expect(print).toHaveBeenCalledOnce()
  expect(document.title).toContain('2026-01')

  await choose('Month', 'February 2026')
  expect(history.location.search).toBe('?month=2026-02')
  await waitFor(() =>
    expect(
      asked.findLast(({ path }) => path === 'wallet/findStatement')?.query.get('startTime'),
    ).toBe(String(Date.UTC(2026, 0, 31, 15))),
  )
})

test('that could not be loaded is not printed', async () => {
  serve()
  fakeServer({
    ...sampleMarket(),
    'user/findUserInfo': () => answer({ userName: 'A*** L***', accountId: 5001 }),
    'wallet/findStatement': () => refusal('unavailable'),
  })
  await renderApp('/statement?month=2026-01')
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Print or save as PDF' })).toHaveProperty(
    'disabled',
    true,
  )
})
