import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { clearAccount, useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { choose } from '@/testing/choose'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleProduct } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { usePairDraft } from '../../model/oco'
import { editDraft } from '../../model/pending-order-store'
import { editTicket } from '../../model/ticket-store'
import { ClosePositionSheet } from '../positions/close-position-sheet'
import { OrderTicket } from './order-ticket'

// A euro equals a dollar here, so one lot requires 1,000 at 1:100.
const euro = sampleProduct({ lotMax: '50', staleMs: 600_000 }) // a slow test must not outlive its price
const tiered = sampleProduct({ tiers: [{ upTo: '2', leverage: 100 }, { leverage: 20 }] })
const closing = sampleProduct({ mode: 'close_only' })

const statistics: Wire['Statistics'] = {
  ...{ balance: '10000', zengjin: '0', prepaidAmount: '1000', prepaidRatio: '1000' },
  ...{ totalProfit: '0', usablePrepaid: '9000', netValue: '10000' },
}
const held: Wire['Position'] = {
  ...{ positionId: 7, productId: 1, side: 'buy', lots: '1', lotsOpened: '1' },
  ...{ openPrice: '1.15824', price: '1.15824', leverage: 100, margin: '1000', swap: '0' },
  ...{ dividends: '0', commission: '0', profit: '0', state: 'open', openedAt: 1 },
}

const row = (name: string) => screen.getByText(name).nextElementSibling?.textContent
const most = async () => (await screen.findByRole('button', { name: /^Max \d/ })).textContent

beforeAll(async () => {
  await Promise.all([import('@/ui/sheet/sheet-surface')])
}, 30_000)

beforeEach(() => {
  setScreen('desktop')
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ statistics, positions: [held] })
  useLive.setState({ socket: 'open' })
  const line = { spread: '0.00012', sequence: 1, time: 1, seenAt: Date.now() }
  quoteStore.put({ productId: 1, bid: '1.15824', ask: '1.15836', ...line })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
  editTicket({ productId: 0, kind: 'market' })
  editDraft({ start: '' })
  usePairDraft.setState({ start: '', both: null })
})

async function show(product: Product, info = {}, foot = document.body, open = true) {
  fakeServer({
    'api/findProductList': () => answer([product]),
    'user/findUserInfo': () => answer({ leverageCaps: {}, ...info }),
    'api/getMarketStatus': () =>
      answer({
        marketTime: Date.now(),
        products: [{ productId: 1, open, halted: false, stale: false }],
      }),
  })
  return renderPart(<OrderTicket product={product} foot={foot} />)
}

async function pick(side: 'Buy' | 'Sell', lots: string) {
  await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${side}`) }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Volume' }), { target: { value: lots } })
}

describe('margin and the largest volume', () => {
  test('without tiers and hedges: lots by leverage, and what is free carries nine', async () => {
    await show(euro)
    await pick('Buy', '3')
    await waitFor(() => expect(row('Margin')).toBe('3,000.00 USDT'))
    expect(await most()).toBe('Max 9.00')
  })

  test('the slice beyond a tier pays its rate', async () => {
    await show(tiered)
    await pick('Buy', '3')
    // One lot at 1:100, two at 1:20.
    await waitFor(() => expect(row('Margin')).toBe('11,000.00 USDT'))
    expect(await most()).toBe('Max 2.60')
  })

  test('a hedged lot pays nothing more; beyond it each one does', async () => {
    await show(euro)
    await pick('Sell', '1')
    await waitFor(() => expect(row('Margin')).toMatch(/^No extra margin: hedges Buy .1\.00/))
    await pick('Sell', '3')
    await waitFor(() => expect(row('Margin')).toBe('2,000.00 USDT'))
    expect(await most()).toBe('Max 10.00')
  })

  test('in a netting account what adds to the position has its leverage, and the ticket says so', async () => {
    const joins = () => screen.findByText(/add to your open position use its leverage, .1:100/)
    await show(euro, { netting: true, leverageCeiling: 50 })
    act(() => editTicket({ leverage: 50 }))
    await pick('Buy', '1')
    expect(await joins()).toBeTruthy()
    await waitFor(() => expect(row('Margin')).toBe('1,000.00 USDT'))
    act(() => editTicket({ leverage: 100 }))
    expect(screen.queryByText(/add to your open position/)).toBeNull()
  })

  test('in a netting account what works against the position frees margin, and what turns it takes its own', async () => {
    await show(euro, { netting: true })
    await pick('Sell', '0.4')
    await waitFor(() => expect(row('Margin')).toBe('−400.00 USDT'))
    expect(row('Your position')).toMatch(/^Reduced to Buy .*0\.60/)
    await pick('Sell', '1')
    await waitFor(() => expect(row('Your position')).toBe('Closed'))
    expect(row('Margin')).toBe('−1,000.00 USDT')
    await pick('Sell', '4')
    await waitFor(() => expect(row('Your position')).toMatch(/^Reversed to Sell .*3/))
    expect(row('Margin')).toBe('2,000.00 USDT')
    // One lot that closes and ten more.
    expect(await most()).toBe('Max 11.00')
  })

  test('what only closes needs no free margin, what opens does', async () => {
    useAccount.setState({ statistics: { ...statistics, netValue: '600', usablePrepaid: '-400' } })
    await show(euro, { netting: true })
    await pick('Sell', '1')
    expect(await most()).toBe('Max 1.60')
    await pick('Buy', '1')
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Max \d/ })).toBeNull())
    expect(screen.getByRole('button', { name: 'Max' })).toHaveProperty('disabled', true)
  })
})

describe('an order that waits', () => {
  const kind = async (name: string) => {
    await userEvent.click(screen.getByRole('radio', { name }))
    await screen.findByText(/use no margin|uses no margin/)
  }

  test('says in a netting account what it will do, and that its fill decides', async () => {
    await show(euro, { netting: true })
    await kind('Limit')
    await pick('Sell', '0.4')
    await waitFor(() => expect(row('Your position')).toMatch(/^Reduced to Buy .*0\.60/))
    expect(row('Margin when filled')).toBe('−400.00 USDT')
    expect(screen.getByText(/depends on what is open when the order is filled/)).toBeTruthy()
  })

  test('says nothing of it in a hedging account', async () => {
    await show(euro)
    await kind('Limit')
    await pick('Sell', '0.4')
    await waitFor(() =>
      expect(row('Margin when filled')).toMatch(/^No extra margin: hedges Buy .0\.40/),
    )
    expect(screen.queryByText('Your position')).toBeNull()
    expect(screen.queryByText(/depends on what is open when the order is filled/)).toBeNull()
  })

  test('of a pair each says it for itself, and the account must carry either', async () => {
    await show(euro, { netting: true })
    await kind('OCO')
    await choose('Pair', 'Buy limit or sell limit')
    fireEvent.change(screen.getByRole('textbox', { name: 'Volume' }), { target: { value: '1' } })
    await waitFor(() => expect(row('Buy limit, your position')).toMatch(/^Increased to Buy .*2/))
    expect(row('Sell limit, your position')).toBe('Closed')
    expect(row('Margin when filled')).toBe('1,000.00 USDT')
    expect(await most()).toBe('Max 9.00')
    expect(screen.getByText(/depends on what is open when the order is filled/)).toBeTruthy()
  })
})

describe('the button of a ticket', () => {
  test.each(['Market', 'Limit', 'OCO'])('stands in the place below the form: %s', async (kind) => {
    const foot = document.body.appendChild(document.createElement('footer'))
    await show(euro, {}, foot)
    await userEvent.click(screen.getByRole('radio', { name: kind }))
    const button = await screen.findByRole('button', { name: /^Buy / })
    expect(foot.contains(button)).toBe(true)
    expect(foot.contains(screen.getByRole('textbox', { name: 'Volume' }))).toBe(false)
    foot.remove()
  })

  test('has beside it why it can’t be pressed', async () => {
    useLive.setState({ socket: 'connecting' })
    const foot = document.body.appendChild(document.createElement('footer'))
    await show(euro, {}, foot)
    const button = await within(foot).findByRole('button', { name: /^Buy / })
    expect(button).toHaveProperty('disabled', true)
    expect(within(foot).getByText(/You’re offline/)).toBeTruthy()
    foot.remove()
  })
})

describe('a volume that the product doesn’t allow', () => {
  const send = () => screen.findByRole('button', { name: /^Buy .* lots at/ })

  test.each([
    ['999999', /^Maximum \D?50\D? lots$/],
    ['0.015', /^Volume in steps of \D?0\.01\D? lots$/],
    ['0', /^Minimum \D?0\.01\D? lots$/],
  ])('stays as typed, and its field says the rule: %s', async (lots, rule) => {
    await show(euro)
    await pick('Buy', lots)
    const field = screen.getByRole('textbox', { name: 'Volume' })
    expect(field).toHaveProperty('value', lots === '999999' ? '999,999' : lots)
    const message = await screen.findByText(rule)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(message.closest(`[id="${field.getAttribute('aria-describedby')}"]`)).not.toBeNull()
    expect(await send()).toHaveProperty('disabled', true)
    expect(screen.queryByText(/^Not enough free margin/)).toBeNull()
    await pick('Buy', '0.02')
    await waitFor(() => expect(screen.queryByText(rule)).toBeNull())
    expect(await send()).toHaveProperty('disabled', false)
  })
})

describe('the protection of a market order', () => {
  const turnOn = async (name: string) => {
    await pick('Buy', '1')
    await userEvent.click(screen.getByRole('switch', { name }))
    return screen.findByRole('textbox', { name: `Price of ${name}` })
  }
  const send = () => screen.getByRole('button', { name: /^Buy .* lots at/ })

  test.each([
    ['Stop loss', '1.2', '1.1', /or below$/],
    ['Take profit', '1.1', '1.2', /or above$/],
  ])('is judged as it is typed: %s', async (name, wrong, right, rule) => {
    await show(euro)
    const field = await turnOn(name)
    for (const [price, off] of [
      [wrong, true],
      ['', true],
      [right, false],
    ] as const) {
      fireEvent.change(field, { target: { value: price } })
      expect(screen.getByText(rule)).toBeTruthy()
      expect(field.getAttribute('aria-invalid')).toBe(String(off))
      expect(send()).toHaveProperty('disabled', off)
    }
  })
})

describe('a trader who may open nothing new', () => {
  const kept = [{ kind: 'trade', reason: 'payment_dispute' }]
  const open = async (type: number, restrictions: object[]) => {
    startSession('token', { userId: '1', userName: 'a', type, authStatus: -1 })
    await show(euro, { restrictions })
    return screen.findByRole('button', { name: /^Buy .* at/ })
  }

  test('reads why, and can send nothing', async () => {
    const button = await open(1, kept)
    await screen.findByText('New orders are restricted')
    expect(button).toHaveProperty('disabled', true)
  })

  test('may still practise', async () => {
    expect(await open(5, kept)).toHaveProperty('disabled', false)
  })

  test('is nobody else', async () => {
    expect(await open(1, [])).toHaveProperty('disabled', false)
  })
})

describe('an order that the account can’t carry', () => {
  const send = (side: string) =>
    screen.findByRole('button', { name: new RegExp(`^${side} (.* )?at`) })
  const isOff = async (side: string, off: boolean) => {
    const button = await send(side)
    await waitFor(() => expect(button).toHaveProperty('disabled', off))
  }
  const short = () => screen.queryByText(/^Not enough free margin/)?.textContent

  test('is not sent: what it needs and what is free stand there, a smaller one is offered, and more play money', async () => {
    await show(euro)
    await pick('Buy', '9')
    await isOff('Buy', false)
    expect(short()).toBeUndefined()
    await pick('Buy', '9.5')
    await isOff('Buy', true)
    expect(short()).toMatch(
      /this needs \u20669,500.00\u2069 USDT, you have \u20669,000.00\u2069 USDT free/,
    )
    const way = screen.getByRole('link', { name: 'Top up demo' })
    expect(way.getAttribute('href')).toBe('/switchAccount')
    await userEvent.click(screen.getByRole('button', { name: /^Set .*9.* lots$/ }))
    await isOff('Buy', false)
    expect(short()).toBeUndefined()
  })

  test('offers a deposit where the money is real, and no volume where none is possible', async () => {
    startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: 1 })
    const nothing = { ...statistics, balance: '0', netValue: '0', usablePrepaid: '0' }
    useAccount.setState({ statistics: { ...nothing, prepaidAmount: '0' }, positions: [] })
    await show(euro)
    await pick('Buy', '1')
    await isOff('Buy', true)
    expect(screen.getByRole('link', { name: 'Deposit to trade' }).getAttribute('href')).toBe(
      '/deposite',
    )
    expect(screen.queryByRole('button', { name: /^Set / })).toBeNull()
  })

  test('because only a bonus is left for the commission says that, whatever margin is free', async () => {
    const credit = { ...statistics, balance: '2', zengjin: '9998' }
    useAccount.setState({ statistics: credit, positions: [] })
    await show({ ...euro, commissionPerLot: '7' })
    await pick('Buy', '1')
    await isOff('Buy', true)
    expect(
      screen.getByText(
        /^The commission, .7\.00. USDT, is paid from your balance, which is .2\.00. USDT/,
      ),
    ).toBeTruthy()
    expect(short()).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: /^Set .*0\.28.* lots$/ }))
    await isOff('Buy', false)
  })

  test('offers a transfer on an account that deposits do not arrive on', async () => {
    startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: 1 })
    const way = async (name: string) =>
      (await screen.findByRole('link', { name })).getAttribute('href')
    await show(euro, { accountNumber: 2 })
    await pick('Buy', '9.5')
    expect(await way('Transfer')).toBe('/mywallet?transfer=trade')
    const nothing = { ...statistics, balance: '0', netValue: '0', usablePrepaid: '0' }
    act(() =>
      useAccount.setState({ statistics: { ...nothing, prepaidAmount: '0' }, positions: [] }),
    )
    expect(await way('Transfer to trade')).toBe('/mywallet?transfer=trade')
    expect(screen.queryByRole('link', { name: /Deposit/ })).toBeNull()
  })

  test('may wait for its price: it is checked when it is filled', async () => {
    await show(euro)
    await userEvent.click(screen.getByRole('radio', { name: 'Limit' }))
    await pick('Buy', '9.5')
    await isOff('Buy', false)
    expect(short()).toBeUndefined()
  })
})

test('while the market is closed a market order turns into one that waits', async () => {
  await show(euro, {}, document.body, false)
  const closed = await screen.findByRole('button', { name: 'Market closed' })
  expect(closed).toHaveProperty('disabled', true)
  expect(screen.queryByRole('button', { name: /^Buy .* at/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Place a pending order' }))
  const place = await screen.findByRole('button', { name: /^Buy .* lots limit at/ })
  expect(place).toHaveProperty('disabled', false)
})

describe('a product that may only be closed', () => {
  test('says so before anything is sent, and offers to close what is open', async () => {
    useAccount.setState({ positions: [held, { ...held, positionId: 8, productId: 2 }] })
    await show(closing)
    await screen.findByText(/can only close positions in this product/)
    const list = await screen.findByRole('list', { name: 'Positions you can close' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(1)
    expect(screen.queryByRole('radio')).toBeNull()
    await userEvent.click(within(list).getByRole('button', { name: 'Close…' }))
    const sheet = within(await screen.findByRole('dialog'))
    const button = await sheet.findByRole('button', { name: /^Close 1\.00 lots at/ })
    expect(button).toHaveProperty('disabled', false)
  })

  test('has nothing to offer without a position, and no ticket', async () => {
    useAccount.setState({ positions: [] })
    await show(closing)
    expect(await screen.findByText('You have no open position in this product.')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('is not reversed; another one is', async () => {
    for (const product of [closing, euro]) {
      const view = await show(product)
      view.unmount()
      const sheet = await renderPart(<ClosePositionSheet position={held} onClose={() => {}} />)
      await userEvent.click(await screen.findByRole('tab', { name: 'Reverse' }))
      const button = await screen.findByRole('button', { name: /^Reverse to Sell/ })
      await waitFor(() => expect(button).toHaveProperty('disabled', product.mode === 'close_only'))
      expect(screen.queryByText(/can only close/) !== null).toBe(product.mode === 'close_only')
      sheet.unmount()
    }
  })
})
