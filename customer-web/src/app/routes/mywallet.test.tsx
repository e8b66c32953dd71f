import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import { clearSession, startSession } from '@/features/session/model/session-store'
import { setBalanceHidden } from '@/features/trading/model/balance-hidden'
import { startOf } from '@/format/days'
import { useAccount } from '@/live/account-store'
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
  frozen: '20',
  deficit: '0',
  available: '980',
}
const lines: Wire['LedgerLine'][] = [
  { id: 9, time: 3, kind: 'trade_close', cause: 'order:7', bucket: 'deficit', amount: '-0.493' },
  { id: 8, time: 2, kind: 'deposit', cause: 'deposit:50001', bucket: 'cash', amount: '500.5' },
  { id: 7, time: 1, kind: 'mock_top_up', cause: 'account:2', bucket: 'cash', amount: '10000' },
]
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
  } = {},
) {
  return fakeServer({
    'common/platformRunningStatus': () => answer(1),
    'trade/findStatistics': () => answer(statistics),
    'userMoney/findUserMoneyOnly': () => answer({ ...money, ...more.money }),
    'api/findProductList': () => answer([eurusd]),
    'trade/findChargePage': () => answer(charges),
    'wallet/findLedgerPage': ({ query }) =>
      answer(more.ledger?.(query.get('next'), query.get('kind')) ?? { list: lines, next: 0 }),
  })
}

const row = async (label: string) => (await screen.findByText(label)).closest('div')?.textContent

beforeEach(() => {
  setScreen('phone')
  clearSession()
  setBalanceHidden(false)
  useAccount.setState({ statistics: null, positions: null })
  startSession('token', { userId: '7', userName: 'a***z', type: 1, authStatus: 3 })
})

describe('the account', () => {
  test('shows its equity and the parts of it', async () => {
    serve()
    await renderApp('/mywallet')
    expect(await screen.findByText('1,037.50')).toBeTruthy()
    expect(await row('Balance')).toContain('1,000.00')
    expect(await row('Bonus')).toMatch(/cannot be withdrawn.*50\.00/)
    expect(await row('Floating P/L')).toContain('−12.50')
    expect(await row('On hold')).toContain('20.00')
    expect(await row('Free margin')).toContain('937.50')
    expect(screen.queryByText(/pay it first/)).toBeNull()
    expect(screen.getByText('Real')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposite')
  })

  test('follows what is pushed', async () => {
    serve()
    await renderApp('/mywallet')
    await screen.findByText('1,037.50')
    act(() => useAccount.setState({ statistics: { ...statistics, netValue: '2000.999' } }))
    expect(screen.getByText('2,000.99')).toBeTruthy()
  })

  test('shows a deficit only where there is one', async () => {
    serve({ money: { deficit: '-3.2' } })
    await renderApp('/mywallet')
    expect(await screen.findByText('−3.20')).toBeTruthy()
    expect(screen.getByText(/pay it first/)).toBeTruthy()
  })

  test('covers every amount on request', async () => {
    serve()
    await renderApp('/mywallet')
    await screen.findByText('+500.50')
    await userEvent.click(screen.getByRole('button', { name: 'Hide amounts' }))
    expect(document.querySelector('main')?.textContent).not.toMatch(/037|500\.50|937|3\.60/)
    await userEvent.click(screen.getByRole('button', { name: 'Show amounts' }))
    expect(screen.getByText('+500.50')).toBeTruthy()
  })

  test('of practice money says so and offers no deposit', async () => {
    startSession('token', { userId: '7', userName: 'a***z', type: 5, authStatus: 3 })
    serve()
    await renderApp('/mywallet')
    await screen.findByText('1,037.50')
    expect(screen.getAllByText('DEMO').length).toBeGreaterThan(0)
    expect(screen.queryByRole('link', { name: 'Deposit' })).toBeNull()
  })
})

describe('swaps and dividends', () => {
  test('say of which position, for which nights, at which rate', async () => {
    const asked = serve()
    await renderApp('/mywallet')
    const row = (await screen.findByText(/EURUSD/)).closest('li')
    expect(row?.textContent).toMatch(
      /EURUSD Sell 0\.50.*\+3\.60.*Nov 18, 2026.*3 nights.*Rate in points for a lot and night 2\.40Proof$/,
    )
    const [page] = asked.filter(({ path }) => path === 'trade/findChargePage')
    expect(page?.query.has('positionId')).toBe(false)
  })
})

describe('the ledger', () => {
  test('says what was booked, from which bucket, and links the cause', async () => {
    serve()
    await renderApp('/mywallet')
    expect(
      await screen.findByText('Closed trade, after commission', { selector: 'li span' }),
    ).toBeTruthy()
    expect(screen.getByText('−0.493').className).toContain('down')
    expect(screen.getByText('+10,000').className).toContain('up')
    expect(screen.getAllByText('Deficit')).toHaveLength(1)
    expect(screen.getByRole('link', { name: 'Deposit DP-50001' }).getAttribute('href')).toBe(
      '/deposite?id=50001',
    )
  })

  test('goes on from where the last page ended', async () => {
    const asked = serve({
      ledger: (next) =>
        next === '8' ? { list: lines.slice(2), next: 0 } : { list: lines.slice(0, 2), next: 8 },
    })
    await renderApp('/mywallet')
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
    await renderApp('/mywallet')
    await screen.findByText('+500.50')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Deposit')
    expect(await screen.findByText('Nothing was booked that fits.')).toBeTruthy()
    expect(screen.queryByText(/Nothing has been booked/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show everything' }))
    expect(await screen.findByText('+500.50')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-02' } })
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-03' } })
    const last = () => asked.filter(({ path }) => path === 'wallet/findLedgerPage').at(-1)?.query
    await waitFor(() => expect(last()?.get('endTime')).toBe(String(startOf('2026-01-04', 'local'))))
    expect(last()?.get('startTime')).toBe(String(startOf('2026-01-02', 'local')))
    expect(last()?.has('kind')).toBe(false)
  })

  test('is asked for as a file with the same wishes', async () => {
    const asked = serve()
    await renderApp('/mywallet')
    await screen.findByText('+500.50')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Deposit')
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
    await waitFor(() => {
      const call = asked.find(({ path }) => path === 'wallet/exportLedger')
      expect(Object.fromEntries(call?.query ?? [])).toEqual({ kind: 'deposit' })
    })
  })

  test('that is empty leads to a deposit', async () => {
    serve({ ledger: () => ({ list: [], next: 0 }) })
    await renderApp('/mywallet')
    expect(await screen.findByText(/Nothing has been booked/)).toBeTruthy()
    expect(screen.getAllByRole('link', { name: 'Deposit' })).toHaveLength(2)
  })
})
