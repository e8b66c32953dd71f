import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { useAccount } from '@/live/account-store'
import { clearSession, startSession } from '@/session/session-store'
import { setBalanceHidden } from '@/storage/balance-hidden'
import { choose } from '@/testing/choose'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
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

const row = async (label: string) =>
  (await screen.findByText(label, { selector: 'dt' })).closest('div')?.textContent

// Sheets with fields are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await Promise.all([import('./mywallet'), import('@/ui/sheet/sheet-surface')])
}, 30_000)

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
    expect((await screen.findAllByText('1,037.50')).length).toBeGreaterThan(1)
    expect(await row('Available')).toMatch(/Available to transfer or withdraw.*880\.00/)
    expect(await row('Balance')).toContain('1,000.00')
    expect(screen.queryByText('Free margin')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Margin and bonus' }))
    expect(await row('Bonus')).toMatch(/can’t be withdrawn.*50\.00/)
    expect(await row('Floating P/L')).toContain('−12.50')
    expect(await row('Free margin')).toContain('937.50')
    expect(await row('Equity')).toContain('1,037.50')
    expect(screen.queryByText(/cover it first/)).toBeNull()
    expect(screen.getByRole('heading', { name: 'Real account' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposite')
  })

  test('says what is on its way out of it, and leads there', async () => {
    serve({ money: { underWay: '1200' } })
    await renderApp('/mywallet')
    expect(await row('Pending withdrawals')).toMatch(/Not included in the balances.*1,200\.00/)
    expect(screen.getByRole('link', { name: 'All withdrawals' }).getAttribute('href')).toBe(
      '/withdraw?tab=history',
    )
  })

  test('says nothing of that where nothing is', async () => {
    serve()
    await renderApp('/mywallet')
    await screen.findAllByText('1,037.50')
    await row('Balance')
    expect(screen.queryByText('Pending withdrawals')).toBeNull()
  })

  test('follows what is pushed', async () => {
    serve()
    await renderApp('/mywallet')
    await screen.findAllByText('1,037.50')
    act(() => useAccount.setState({ statistics: { ...statistics, netValue: '2000.999' } }))
    expect(screen.getAllByText('2,000.99').length).toBeGreaterThan(1)
  })

  test('shows a deficit only where there is one', async () => {
    serve({ money: { deficit: '-3.2' } })
    await renderApp('/mywallet')
    expect(await screen.findByText('−3.20')).toBeTruthy()
    expect(screen.getByText(/A loss beyond your balance/)).toBeTruthy()
  })

  test('says what of a deficit a deposit left that was taken back', async () => {
    serve({ money: { deficit: '-3.2', owed: '-2' } })
    await renderApp('/mywallet')
    expect(
      await screen.findByText(/2\.00 of this comes from a deposit that was reversed/),
    ).toBeTruthy()
  })

  test('covers every amount on request', async () => {
    serve()
    await renderApp('/mywallet')
    await screen.findByText('+500.50')
    await userEvent.click(screen.getByRole('button', { name: 'Hide amounts' }))
    expect(document.querySelector('main')?.textContent).not.toMatch(/037|500\.50|937/)
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

describe('what is kept', () => {
  test('counts in the total, which is also told in another currency', async () => {
    serve({ wallet })
    await renderApp('/mywallet')
    expect((await screen.findAllByText('46,038.50')).length).toBeGreaterThan(0)
    await choose('Show total in', 'BTC')
    expect(await screen.findByText('0.51148773')).toBeTruthy()
    await choose('Show total in', 'USD')
  })

  test('is listed with every decimal; small balances are folded', async () => {
    serve({ wallet })
    await renderApp('/mywallet')
    expect(await screen.findByText('0.50000001')).toBeTruthy()
    expect(screen.getByText(/^Bitcoin/)).toBeTruthy()
    expect(screen.queryByText(/^Ether/)).toBeNull()
    expect(screen.queryByText(/^US dollar/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show all (+2)' }))
    expect(screen.getByText(/^Ether/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Hide small balances' }))
    expect(screen.queryByText(/^Ether/)).toBeNull()
  })

  test('offers with each asset what is possible with it, and nothing else', async () => {
    serve({ wallet })
    await renderApp('/mywallet')
    await screen.findByText('0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Show all (+2)' }))
    const acts = [...document.querySelectorAll('main li [aria-label*=": "]')].map((act) =>
      act.getAttribute('aria-label'),
    )
    expect(acts).toEqual([
      'Deposit: Real account',
      'Withdraw: Real account',
      'Transfer: Real account',
      'Transfer: USDT, Funding account',
      'Convert: USDT, Funding account',
      'Convert: USD, Funding account',
      'Convert: BTC, Funding account',
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Hide small balances' }))
  })

  test('of a trader without money offers a deposit alone', async () => {
    serve({
      wallet: { ...bare, accounts: bare.accounts.map((one) => ({ ...one, available: '0' })) },
    })
    await renderApp('/mywallet')
    await screen.findByRole('link', { name: 'Deposit: Real account' })
    expect(screen.queryByRole('button', { name: /^Transfer|^Convert/ })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Withdraw: Real account' })).toBeNull()
  })

  test('is nothing of a practice session', async () => {
    startSession('token', { userId: '7', userName: 'a***z', type: 5, authStatus: 3 })
    serve({ wallet: { ...wallet, accounts: [contract] } })
    await renderApp('/mywallet')
    await screen.findByText('1,037.50')
    expect(screen.queryByText('Assets')).toBeNull()
    expect(screen.queryByRole('button', { name: /^Transfer/ })).toBeNull()
  })
})

describe('a transfer', () => {
  test('is refused here beyond what is available, and sent once', async () => {
    const asked = serve({
      wallet,
      calls: {
        'wallet/insertTransfer': () =>
          answer({
            transferId: 90001,
            transferNo: 'TR-90001',
            from: 'contract',
            to: 'funding',
            currency: 'USDT',
            amount: '880',
            time: 5,
          }),
      },
    })
    await renderApp('/mywallet')
    await screen.findByText('0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Transfer: Real account' }))
    const sheet = within(await screen.findByRole('dialog'))
    const field = sheet.getByRole('textbox', { name: 'Amount' })
    await userEvent.type(field, '880.01')
    await userEvent.click(sheet.getByRole('button', { name: /^Transfer/ }))
    expect(await sheet.findByText(/Only .*880.* USDT is available/)).toBeTruthy()
    expect(asked.some(({ path }) => path === 'wallet/insertTransfer')).toBe(false)
    await userEvent.click(sheet.getByRole('button', { name: 'Max: use the full available amount' }))
    await userEvent.click(sheet.getByRole('button', { name: /^Transfer.*880/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const sent = asked.filter(({ path }) => path === 'wallet/insertTransfer')
    expect(sent.map(({ body }) => body)).toEqual([
      { from: 'contract', fromAccount: 7, to: 'funding', amount: '880' },
    ])
  })

  test('goes between any two trading accounts of several', async () => {
    const second = { ...contract, accountId: 12, number: 2, name: 'Swing', available: '40' }
    const asked = serve({
      wallet: { ...wallet, accounts: [contract, second, ...wallet.accounts.slice(1)] },
      calls: { 'wallet/insertTransfer': () => answer({ amount: '40', currency: 'USDT' }) },
    })
    await renderApp('/mywallet')
    await userEvent.click(await screen.findByRole('button', { name: 'Transfer: Swing' }))
    const sheet = within(await screen.findByRole('dialog'))
    const choose = async (end: string, name: RegExp) => {
      await userEvent.click(sheet.getByRole('combobox', { name: end }))
      await userEvent.click(screen.getByRole('option', { name }))
    }
    await choose('To', /Real account.* · 7 · .*880.* USDT/)
    await choose('From', /Real account/)
    expect(sheet.getByRole('combobox', { name: 'To' }).textContent).toMatch(
      /Swing.* · 12 · .*40.* USDT/,
    )
    await choose('From', /Swing/)
    await userEvent.click(sheet.getByRole('button', { name: 'Max: use the full available amount' }))
    await userEvent.click(sheet.getByRole('button', { name: /^Transfer.*40/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked.find(({ path }) => path === 'wallet/insertTransfer')?.body).toEqual({
      from: 'contract',
      fromAccount: 12,
      to: 'contract',
      toAccount: 7,
      amount: '40',
    })
  })

  test('opens towards the trading account where a link asks for it', async () => {
    serve({ wallet })
    const { history } = await renderApp('/mywallet?transfer=trade')
    const sheet = within(await screen.findByRole('dialog'))
    expect(sheet.getByText(/60.* USDT/)).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(history.location.search).toBe(''))
  })

  test('fills up a second account in use from the account with the most', async () => {
    const second = { ...contract, accountId: 12, number: 2, available: '40' }
    serve({ wallet: { ...wallet, accounts: [second, contract, ...wallet.accounts.slice(1)] } })
    await renderApp('/mywallet?transfer=trade')
    const sheet = within(await screen.findByRole('dialog'))
    const end = (name: string) => sheet.getByRole('combobox', { name }).textContent
    expect(end('From')).toMatch(/^.Real account. · 7 · .880/)
    expect(end('To')).toMatch(/^.Real account 2. · 12 · .40/)
  })

  test('that the server refuses says why in its place', async () => {
    serve({
      wallet,
      calls: {
        'wallet/insertTransfer': () =>
          refusal('wallet.funds', { args: { free: '10', currency: 'USDT' } }),
      },
    })
    await renderApp('/mywallet')
    await screen.findByText('0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Transfer: Real account' }))
    const sheet = within(await screen.findByRole('dialog'))
    await userEvent.type(sheet.getByRole('textbox', { name: 'Amount' }), '5')
    await userEvent.click(sheet.getByRole('button', { name: /^Transfer.*5/ }))
    expect((await sheet.findByRole('alert')).textContent).toMatch(/Only 10 USDT is available/)
  })
})

describe('an exchange', () => {
  const quote: Wire['ExchangeQuote'] = {
    quoteId: 60001,
    from: 'USDT',
    to: 'BTC',
    fromAmount: '50',
    toAmount: '0.00055271',
    rate: '0.0000110542',
    spread: '0.5',
    fee: '0.00000278',
    expiresAt: 0,
    lifeMs: 15_000,
  }

  test('shows its rate and uses that very quote', async () => {
    const asked = serve({
      wallet,
      calls: {
        'wallet/findNewWalletExchange': () => answer(quote),
        'wallet/insertExchange': () =>
          answer({ ...quote, exchangeId: 70001, exchangeNo: 'EX-70001', time: 5 }),
      },
    })
    await renderApp('/mywallet')
    await screen.findByText('0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Convert: USDT, Funding account' }))
    const sheet = within(await screen.findByRole('dialog'))
    await userEvent.type(sheet.getByRole('textbox', { name: 'You pay' }), '50')
    expect(await sheet.findByText('0.00055271')).toBeTruthy()
    expect(sheet.getByText(/1 BTC = 90,463\.35 USDT/)).toBeTruthy()
    expect(sheet.getByText(/Rate valid for/)).toBeTruthy()
    await userEvent.click(sheet.getByRole('button', { name: /^Convert.*50/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [wish] = asked.filter(({ path }) => path === 'wallet/findNewWalletExchange')
    expect(Object.fromEntries(wish?.query ?? [])).toEqual({ from: 'USDT', to: 'BTC', amount: '50' })
    const sent = asked.filter(({ path }) => path === 'wallet/insertExchange')
    expect(sent.map(({ body }) => body)).toEqual([{ quoteId: 60001 }])
  })

  test('whose rate has expired says so and asks for a new one', async () => {
    const asked = serve({
      wallet,
      calls: {
        'wallet/findNewWalletExchange': () => answer(quote),
        'wallet/insertExchange': () => refusal('wallet.quote_expired'),
      },
    })
    await renderApp('/mywallet')
    await screen.findByText('0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Convert: USDT, Funding account' }))
    const sheet = within(await screen.findByRole('dialog'))
    await userEvent.type(sheet.getByRole('textbox', { name: 'You pay' }), '50')
    await userEvent.click(await sheet.findByRole('button', { name: /^Convert.*50/ }))
    expect((await sheet.findByRole('alert')).textContent).toMatch(/expired/)
    await waitFor(() =>
      expect(asked.filter(({ path }) => path === 'wallet/findNewWalletExchange')).toHaveLength(2),
    )
  })

  test('that nobody has answered is asked for again with its very quote, whatever time has passed', async () => {
    let quoteId = 60000
    let answered = false
    const asked = serve({
      wallet,
      calls: {
        'wallet/findNewWalletExchange': () => answer({ ...quote, quoteId: ++quoteId }),
        'wallet/insertExchange': () =>
          answered
            ? answer({ ...quote, exchangeId: 70001, exchangeNo: 'EX-70001', time: 5 })
            : { httpStatus: 503 },
      },
    })
    await renderApp('/mywallet')
    await screen.findByText('0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Convert: USDT, Funding account' }))
    const sheet = within(await screen.findByRole('dialog'))
    await userEvent.type(sheet.getByRole('textbox', { name: 'You pay' }), '50')
    const convert = await sheet.findByRole('button', { name: /^Convert.*50/ })
    const sent = () => asked.filter(({ path }) => path === 'wallet/insertExchange')
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      await act(async () => fireEvent.click(convert))
      await act(() => vi.advanceTimersByTimeAsync(40_000))
      expect(sheet.getByText(/Press the button again/)).toBeTruthy()
      expect(sheet.getByRole('textbox', { name: 'You pay' }).matches(':disabled')).toBe(true)
      answered = true
      await act(async () => fireEvent.click(convert))
      await act(() => vi.advanceTimersByTimeAsync(1_000))
    } finally {
      vi.useRealTimers()
    }
    expect(sent()).toHaveLength(5)
    expect(new Set(sent().map(({ body }) => JSON.stringify(body)))).toEqual(
      new Set(['{"quoteId":60001}']),
    )
  })

  test('beyond what is kept can not be confirmed', async () => {
    serve({ wallet, calls: { 'wallet/findNewWalletExchange': () => answer(quote) } })
    await renderApp('/mywallet')
    await screen.findByText('0.50000001')
    await userEvent.click(screen.getByRole('button', { name: 'Convert: USDT, Funding account' }))
    const sheet = within(await screen.findByRole('dialog'))
    await userEvent.type(sheet.getByRole('textbox', { name: 'You pay' }), '60.01')
    expect(await sheet.findByText(/Only .*60.* USDT is available/)).toBeTruthy()
    expect(sheet.getByRole('button', { name: /^Convert/ })).toHaveProperty('disabled', true)
  })
})

describe('the newest movements', () => {
  test('are five with the balance after each, and lead to all of them', async () => {
    serve({
      ledger: () => ({
        list: [1, 2, 3, 4, 5, 6].map((id) => ({
          ...usdt,
          id,
          time: id,
          kind: 'deposit',
          cause: `deposit:${id}`,
          amount: String(id),
          balanceAfter: `100${id}.2389`,
        })),
        next: 0,
      }),
    })
    await renderApp('/mywallet')
    const first = (await screen.findByText('+1.00')).closest('li')
    expect(first?.textContent).toMatch(/Balance.*1,001\.23/)
    expect(screen.getByText('+5.00')).toBeTruthy()
    expect(screen.queryByText('+6.00')).toBeNull()
    expect(screen.getByRole('link', { name: 'All movements' }).getAttribute('href')).toBe('/ledger')
  })

  test('have no balance where the server knows none', async () => {
    serve()
    await renderApp('/mywallet')
    const line = (await screen.findByText('+500.50')).closest('li')
    expect(line?.textContent).not.toContain('Balance')
  })

  test('of an empty account lead to a deposit', async () => {
    serve({ ledger: () => ({ list: [], next: 0 }) })
    await renderApp('/mywallet')
    expect(await screen.findByText(/No entries in this account/)).toBeTruthy()
    expect(screen.getAllByRole('link', { name: 'Deposit' })).toHaveLength(2)
  })
})
