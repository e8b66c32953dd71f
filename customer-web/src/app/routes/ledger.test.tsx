import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { startOf } from '@/format/days'
import { clearSession, startSession } from '@/session/session-store'
import { choose } from '@/testing/choose'
import { enterDate } from '@/testing/enter-date'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

const statistics: Wire['Statistics'] = {
  balance: '1000',
  zengjin: '50',
  prepaidAmount: '100',
  totalProfit: '-12.5',
  usablePrepaid: '937.5',
  netValue: '1037.5',
}
const money: Wire['Money'] = {
  balance: '1000',
  zengjin: '50',
  underWay: '0',
  deficit: '0',
  owed: '0',
  available: '980',
}
const usdt = { currency: 'USDT', bucket: 'cash' } as const
const lines: Wire['LedgerLine'][] = [
  {
    ...usdt,
    id: 9,
    time: 3,
    kind: 'trade_close',
    cause: 'order:7',
    bucket: 'deficit',
    amount: '-0.493',
  },
  { ...usdt, id: 8, time: 2, kind: 'deposit', cause: 'deposit:50001', amount: '500.5' },
  { ...usdt, id: 7, time: 1, kind: 'mock_top_up', cause: 'account:2', amount: '10000' },
]
const ids = { USDT: 101, USD: 102, BTC: 103, ETH: 104 }
const kept = (
  currency: Wire['WalletCurrency'],
  balance: string,
  valueUsdt: string,
): Wire['WalletAccount'] => ({
  accountId: balance === '0' ? 0 : ids[currency],
  kind: 'funding',
  number: 1,
  name: '',
  currency,
  scale: currency === 'BTC' || currency === 'ETH' ? 8 : 6,
  balance,
  bonus: '0',
  deficit: '0',
  available: balance,
  valueUsdt,
})
const contract: Wire['WalletAccount'] = {
  ...kept('USDT', '1000', '1037.5'),
  accountId: 7,
  kind: 'contract',
  bonus: '50',
  available: '880',
}
const wallet: Wire['Wallet'] = {
  total: '46038.5',
  totals: [
    { currency: 'USD', amount: '46038.5', perUsdt: '1' },
    { currency: 'BTC', amount: '0.51148205', perUsdt: '0.00001111' },
  ],
  complete: true,
  accounts: [
    contract,
    kept('USDT', '60', '60'),
    kept('USD', '0.5', '0.5'),
    kept('BTC', '0.50000001', '44940.5'),
    kept('ETH', '0', '0'),
  ],
}
/** A trader without funding accounts. */
const bare: Wire['Wallet'] = {
  ...wallet,
  accounts: [contract, ...wallet.accounts.slice(1).map((one) => kept(one.currency, '0', '0'))],
}
const charges: Wire['ChargePage'] = {
  list: [
    {
      chargeId: 3,
      kind: 'swap',
      positionId: 12,
      productId: 1,
      side: 'sell',
      lots: '0.5',
      day: '2026-11-18',
      nights: 3,
      rate: '2.4',
      unit: 'points',
      amount: '3.6',
      terms: 1,
      time: 4,
      marketTime: 4,
    },
  ],
  next: 0,
}

function serve(
  more: {
    money?: Partial<Wire['Money']>
    ledger?: (next: string | null, kind: string | null) => Wire['LedgerPage']
    wallet?: Wire['Wallet']
    calls?: Parameters<typeof fakeServer>[0]
  } = {},
) {
  return fakeServer({
    'common/platformRunningStatus': () => answer(1),
    'trade/findStatistics': () => answer(statistics),
    'userMoney/findUserMoneyOnly': () => answer({ ...money, ...more.money }),
    'api/findProductList': () => answer([eurusd]),
    'trade/findChargePage': () => answer(charges),
    'wallet/findByWalletList': () => answer(more.wallet ?? bare),
    'config/findFrontConfigList': () =>
      answer([{ key: 'exchange.enabled', value: 'true', type: 'bool' }]),
    ...more.calls,
    'wallet/findLedgerPage': ({ query }) =>
      answer(more.ledger?.(query.get('next'), query.get('kind')) ?? { list: lines, next: 0 }),
  })
}

// Sheets with fields are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await Promise.all([import('./ledger'), import('@/ui/sheet/sheet-surface')])
}, 30_000)

beforeEach(() => {
  setScreen('phone')
  clearSession()
  startSession('token', { userId: '7', userName: 'a***z', type: 1, authStatus: 3 })
})

describe('swaps and dividends', () => {
  test('say of which position, for which nights, at which rate', async () => {
    const asked = serve()
    await renderApp('/ledger?list=charges')
    const row = (await screen.findByText(/EURUSD/)).closest('li')
    expect(row?.textContent).toMatch(
      /EURUSD Sell 0\.50.*\+3\.60.*Nov 18, 2026.*3 nights.*Rate in points per lot per night 2\.40Proof$/,
    )
    const [page] = asked.filter(({ path }) => path === 'trade/findChargePage')
    expect(page?.query.has('positionId')).toBe(false)
  })
})

describe('the ledger', () => {
  test('says what was booked, from which bucket, and links the cause', async () => {
    serve()
    await renderApp('/ledger')
    expect(
      await screen.findByText('Realised P/L (net of commission)', { selector: 'li span' }),
    ).toBeTruthy()
    const loss = screen.getByText('−0.49')
    expect(loss.className).toContain('down')
    expect(loss.closest('[title]')?.getAttribute('title')).toBe('−0.493 USDT')
    expect(screen.getByText('+10,000.00').className).toContain('up')
    expect(screen.getAllByText('Deficit')).toHaveLength(1)
    expect(screen.getByRole('link', { name: 'Deposit DP-50001' }).getAttribute('href')).toBe(
      '/deposite?id=50001',
    )
  })

  test('of another account shows its currency, and what an entry was booked for', async () => {
    const asked = serve({
      wallet,
      ledger: () => ({
        list: [
          {
            id: 5,
            time: 3,
            kind: 'exchange',
            cause: 'exchange:70001',
            bucket: 'cash',
            amount: '0.50000001',
            currency: 'BTC',
          },
        ],
        next: 0,
      }),
      calls: {
        'wallet/findExchange': () =>
          answer({
            exchangeId: 70001,
            exchangeNo: 'EX-70001',
            from: 'USDT',
            to: 'BTC',
            fromAmount: '45000',
            toAmount: '0.50000001',
            rate: '0.0000111',
            spread: '0.5',
            fee: '0.0025',
            bought: { productId: 1, sequence: 77, price: '90000' },
            time: 5,
          }),
      },
    })
    await renderApp('/ledger')
    await screen.findByText('+0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Filters' }))
    await choose('Account', `BTC · ${bidiIsolateAuto('Funding account')}`)
    expect(screen.getByRole('button', { name: 'Filters (1)' })).toBeTruthy()
    await waitFor(() => {
      const last = asked.filter(({ path }) => path === 'wallet/findLedgerPage').at(-1)
      expect(last?.query.get('accountId')).toBe('103')
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Conversion EX-70001' }))
    const sheet = within(await screen.findByRole('dialog'))
    expect(await sheet.findByText('45,000')).toBeTruthy()
    expect(sheet.getByText('77')).toBeTruthy()
  })

  test('goes on from where the last page ended', async () => {
    const asked = serve({
      ledger: (next) =>
        next === '8' ? { list: lines.slice(2), next: 0 } : { list: lines.slice(0, 2), next: 8 },
    })
    await renderApp('/ledger')
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('Demo money added', { selector: 'li span' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
    const pages = asked.filter(({ path }) => path === 'wallet/findLedgerPage')
    expect(pages.map(({ query }) => query.get('next'))).toEqual([null, '8'])
  })

  test('is narrowed by kind and days, and shown whole again', async () => {
    const asked = serve({
      ledger: (_, kind) => ({ list: kind === null ? lines : [], next: 0 }),
    })
    await renderApp('/ledger')
    await screen.findByText('+500.50')
    await userEvent.click(screen.getByRole('button', { name: 'Filters' }))
    await choose('Type', 'Deposit')
    expect(await screen.findByText('No matching entries.')).toBeTruthy()
    expect(screen.queryByText(/No entries in this account/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(await screen.findByText('+500.50')).toBeTruthy()
    await enterDate('From', '2026-01-02')
    await enterDate('To', '2026-01-03')
    const last = () => asked.filter(({ path }) => path === 'wallet/findLedgerPage').at(-1)?.query
    await waitFor(() => expect(last()?.get('endTime')).toBe(String(startOf('2026-01-04', 'local'))))
    expect(last()?.get('startTime')).toBe(String(startOf('2026-01-02', 'local')))
    expect(last()?.has('kind')).toBe(false)
  })

  test('is asked for as a file with the same wishes', async () => {
    const asked = serve()
    await renderApp('/ledger')
    await screen.findByText('+500.50')
    await userEvent.click(screen.getByRole('button', { name: 'Filters' }))
    await choose('Type', 'Deposit')
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
    await waitFor(() => {
      const call = asked.find(({ path }) => path === 'wallet/exportLedger')
      expect(Object.fromEntries(call?.query ?? [])).toEqual({ kind: 'deposit' })
    })
  })

  test('that is empty leads to a deposit', async () => {
    serve({ ledger: () => ({ list: [], next: 0 }) })
    await renderApp('/ledger')
    expect(await screen.findByText(/No entries in this account/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposite')
  })
})
