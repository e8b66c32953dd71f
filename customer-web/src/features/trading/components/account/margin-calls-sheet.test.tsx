import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd, sampleMarket } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { MarginCallsSheet } from './margin-calls-sheet'

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })
beforeAll(() => import('@/ui/sheet/sheet-surface'), 30_000)

const at = Date.UTC(2026, 10, 20, 12)
const calls: Wire['MarginCall'][] = [
  { marginCallId: 2, equity: '95', usedMargin: '100', time: at + 60_000, marketTime: at },
  {
    marginCallId: 1,
    ...{ equity: '99.9', usedMargin: '100', time: at, marketTime: at },
    recoveredAt: at + 9_000,
  },
]
const closed = (
  positionId: number,
  closeReason: Wire['Position']['closeReason'],
): Wire['Position'] => ({
  ...{ positionId, productId: eurusd.productId, side: 'buy', lots: '0', lotsOpened: '0.5' },
  ...{ openPrice: '1.16', price: '1.15', leverage: 100, margin: '0', swap: '0', dividends: '0' },
  ...{ commission: '0', profit: '-500', state: 'closed', openedAt: at, closedAt: at + 1_000 },
  ...(closeReason ? { closeReason } : {}),
})

beforeEach(() => setScreen('phone'))
afterEach(() => vi.unstubAllGlobals())

test('each warning with what was stopped out before the level recovered', async () => {
  const asked = fakeServer({
    ...sampleMarket(),
    'trade/findMarginCallPage': () => answer({ list: calls, next: 0 }),
    'trade/findHistoryPage': ({ query }) =>
      answer({
        list:
          query.get('startTime') === String(at)
            ? [closed(9, 'manual'), closed(8, 'stop_out')].filter(
                ({ closeReason }) => closeReason === query.get('closeReason'),
              )
            : [],
        ...{ total: 2, more: false, page: 1, size: 100, next: 0 },
      }),
  })
  await renderPart(<MarginCallsSheet onClose={() => {}} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Margin calls' }))
  expect(await dialog.findByText(/EURUSD/)).toBeTruthy()
  const [open, over] = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(open).toMatch(/Margin level 95\.00%.*Not recovered yet/)
  expect(open).not.toContain('Stop-out')
  expect(over).toMatch(/99\.90%.*Stop-out EURUSD Buy 0\.50 × 1\.15000−500\.00.*Recovered/)
  expect(dialog.getAllByText('Stop-out')).toHaveLength(1)
  const windows = asked.filter(({ path }) => path === 'trade/findHistoryPage')
  expect(windows.map(({ query }) => query.get('endTime'))).toEqual([null, String(at + 9_001)])
})

test('an account that was never warned is told so', async () => {
  fakeServer({ ...sampleMarket(), 'trade/findMarginCallPage': () => answer({ list: [], next: 0 }) })
  await renderPart(<MarginCallsSheet onClose={() => {}} />)
  expect(await screen.findByText(/No margin calls so far/)).toBeTruthy()
  expect(screen.queryByRole('listitem')).toBeNull()
})
