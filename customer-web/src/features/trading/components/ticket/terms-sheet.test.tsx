import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Product } from '@/features/market/api/products'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleMarket, sampleProduct } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { TermsSheet } from './terms-sheet'

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })
beforeAll(() => import('@/ui/sheet/sheet-surface'), 30_000)

const monday = Date.UTC(2026, 10, 23)
const HOUR_MS = 3_600_000

async function show(change: Partial<Product>, caps = {}) {
  fakeServer({
    ...sampleMarket(),
    'api/findProductList': () => answer([sampleProduct(change)]),
    'api/findTimeTrade': () =>
      answer({
        productId: 1,
        open: true,
        until: monday + HOUR_MS,
        intervals: [
          { open: monday, close: monday + 22 * HOUR_MS },
          { open: monday + 23 * HOUR_MS, close: monday + 46 * HOUR_MS },
        ],
      }),
    'user/findUserInfo': () => answer({ leverageCaps: caps }),
  })
  await renderPart(<TermsSheet productId={1} onClose={() => {}} />)
  return within(await screen.findByRole('dialog', { name: /EURUSD contract specifications/ }))
}

type Sheet = Awaited<ReturnType<typeof show>>
const said = (sheet: Sheet, name: string | RegExp) =>
  sheet.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

beforeEach(() => {
  setScreen('phone')
  startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: -1 })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

test('says every term in its unit', async () => {
  const sheet = await show({
    multiple: '100,50',
    tiers: [{ upTo: '20', leverage: 100 }, { leverage: 50 }],
    hedgedRatio: '0.5',
    spreadMarkup: 3,
    commissionPerLot: '3.5',
    stopLevel: 20,
    staleMs: 2_500,
  })
  expect(said(sheet, 'Contract size')).toMatch(/1 lot = .*100,000.* EUR/)
  expect(said(sheet, 'Maximum volume, lots')).toBe('50')
  expect(said(sheet, /^Minimum distance/)).toMatch(/^.2\.0. pips$/)
  expect(said(sheet, 'Spread markup')).toMatch(/^.0\.3. pips$/)
  expect(said(sheet, /Quote expires after/)).toBe('2.50')
  expect(said(sheet, 'Leverage options')).toBe('1:50, 1:100')
  expect(said(sheet, 'Maximum leverage by volume')).toMatch(
    /Up to .*20.* lots: .*1:100.*Above that: .*1:50/,
  )
  expect(said(sheet, /^Margin on hedged lots/)).toBe('50.00%')
  expect(said(sheet, 'Commission per lot, USDT')).toBe('3.50')
  expect(said(sheet, 'Swap unit')).toMatch(/Points/)
  expect(said(sheet, 'Swap, buy position')).toBe('−8.90')
  expect(said(sheet, 'Triple-swap day')).toBe('Wednesday')
  expect(await sheet.findAllByRole('listitem')).toHaveLength(2)
})

test('leaves out what the product does not have', async () => {
  const sheet = await show({
    swapModel: 'none',
    commissionPerLot: '0',
    commissionBps: 10,
    commissionMin: '1',
  })
  expect(said(sheet, 'Swap unit')).toBe('No swaps')
  expect(sheet.queryByText('Swap, buy position')).toBeNull()
  expect(said(sheet, 'Commission, share of value')).toBe('0.10%')
  expect(said(sheet, 'Minimum commission, USDT')).toBe('1')
  expect(sheet.queryByText('Commission per lot, USDT')).toBeNull()
  expect(said(sheet, 'Maximum leverage by volume')).toBe('None')
  expect(sheet.queryByText(/country of residence/)).toBeNull()
  expect(sheet.queryByRole('region', { name: /^For all traders/ })).toBeNull()
})

test('says what will be different, and the cap of the country', async () => {
  const sheet = await show(
    {
      mode: 'full',
      upcoming: {
        effectiveAt: monday,
        changes: [
          { term: 'mode', before: 'full', after: 'close_only' },
          { term: 'tiers', before: '', after: '20:100,50:50' },
          { term: 'triple_day', before: '3', after: '' },
          { term: 'hedged_ratio_bps', before: '5000', after: '10000' },
        ],
      },
    },
    { forex: 30 },
  )
  const upcoming = within(sheet.getByRole('region', { name: /^For all traders/ }))
  const change = (name: string | RegExp) => said(upcoming as Sheet, name)
  expect(change('Trading mode')).toBe('Open and closeClose only')
  expect(change('Maximum leverage by volume')).toMatch(/^None.*20.*1:100.*Above that: .*1:50/)
  expect(change('Triple-swap day')).toBe('WednesdayNone')
  expect(change(/^Margin on hedged lots/)).toBe('50.00%100.00%')
  expect(await sheet.findByText(/Up to .*1:30.* in your country/)).toBeTruthy()
})
