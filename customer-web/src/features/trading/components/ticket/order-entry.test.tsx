import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearAccount, useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { clearSession, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleProduct } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { setPreferences, usePreferences } from '@/theme/preferences'
import { setDefaultLots } from '../../model/default-lots'
import { editTicket } from '../../model/ticket-store'
import { OrderTicket } from './order-ticket'

const euro = sampleProduct({
  ...{ lotMin: '0.01', lotMax: '50', lotStep: '0.01' },
  staleMs: 600_000, // a slow test must not outlive its price
})

const statistics: Wire['Statistics'] = {
  ...{ balance: '10000', zengjin: '0', prepaidAmount: '0', prepaidRatio: '0' },
  ...{ totalProfit: '0', usablePrepaid: '10000', netValue: '10000' },
}

beforeAll(async () => {
  await Promise.all([import('@/ui/sheet/sheet-surface'), import('./order-settings-sheet')])
}, 30_000)

beforeEach(() => {
  setScreen('desktop')
  editTicket({ productId: 0, kind: 'market' })
  startSession('token', { userId: '1', userName: 'a', type: 5, authStatus: -1 })
  useAccount.setState({ statistics, positions: [] })
  useLive.setState({ socket: 'open' })
  const line = { spread: '0.00012', sequence: 1, time: 1, seenAt: Date.now() }
  quoteStore.put({ productId: 1, bid: '1.15824', ask: '1.15836', ...line })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  clearAccount()
  usePreferences.setState({ orderEntry: null, shortcuts: true })
  storage.remove('preferences', 'defaultLots')
})

/** Shows the ticket; the orders that arrive at the server are returned. */
async function show(config: Record<string, string> = {}) {
  const orders: Wire['InsertOrder'][] = []
  fakeServer({
    'api/findProductList': () => answer([euro]),
    'config/findFrontConfigList': () =>
      answer(Object.entries(config).map(([key, value]) => ({ key, value }))),
    'user/findUserInfo': () => answer({ leverageCaps: {} }),
    'api/getMarketStatus': () =>
      answer({
        marketTime: Date.now(),
        products: [{ productId: 1, open: true, halted: false, stale: false }],
      }),
    'trade/insertOrder': ({ body }) => {
      orders.push(body as Wire['InsertOrder'])
      return answer({ statistics, position: { positionId: 7, state: 'closed' } })
    },
  })
  await renderPart(<OrderTicket product={euro} foot={document.body} />)
  return orders
}

const side = (name: 'Buy' | 'Sell') => screen.findByRole('radio', { name: new RegExp(`^${name}`) })
const submit = (name: 'Buy' | 'Sell') =>
  screen.findByRole('button', { name: new RegExp(`^${name} .* lots at`) })

describe('in two steps', () => {
  test('choosing a side sends nothing, the button does', async () => {
    const orders = await show()
    await userEvent.click(await side('Sell'))
    expect(orders).toEqual([])
    await userEvent.click(await submit('Sell'))
    await waitFor(() => expect(orders).toHaveLength(1))
    expect(orders[0]).toMatchObject({ side: 'sell', lots: '0.01', price: '1.15824' })
  })

  test('two clicks in one tick send one order', async () => {
    const orders = await show()
    const button = await submit('Buy')
    act(() => {
      button.click()
      button.click()
    })
    await waitFor(() => expect(orders).toHaveLength(1))
    await waitFor(() => expect(button).toHaveProperty('disabled', false))
    expect(orders).toHaveLength(1)
  })

  test('keys choose the side and the volume, and Enter presses the button', async () => {
    const orders = await show()
    await submit('Buy')
    await userEvent.keyboard('s++-')
    expect(orders).toEqual([])
    expect(document.activeElement).toBe(await submit('Sell'))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(orders).toHaveLength(1))
    expect(orders[0]).toMatchObject({ side: 'sell', lots: '0.02' })
  })

  test('keys do nothing once shortcuts are off', async () => {
    setPreferences({ shortcuts: false })
    await show()
    await submit('Buy')
    await userEvent.keyboard('s')
    expect(await submit('Buy')).toBeTruthy()
  })
})

describe('with one click', () => {
  beforeEach(() => setPreferences({ orderEntry: 'one-click' }))

  test('Buy sends a market order at once, without protection', async () => {
    editTicket({ productId: 1, lots: '0.5', stopLoss: { on: true, price: '1.1' } })
    const orders = await show()
    await userEvent.click(await screen.findByRole('button', { name: /^Buy/ }))
    await waitFor(() => expect(orders).toHaveLength(1))
    expect(orders[0]).toMatchObject({ side: 'buy', lots: '0.5', price: '1.15836' })
    expect(orders[0]).not.toHaveProperty('stopLoss')
  })

  test('a key alone sends nothing', async () => {
    const orders = await show()
    const buy = await screen.findByRole('button', { name: /^Buy/ })
    await userEvent.keyboard('b')
    expect(document.activeElement).toBe(buy)
    expect(orders).toEqual([])
  })

  test('nothing is sent while offline', async () => {
    useLive.setState({ socket: 'connecting' })
    const orders = await show()
    await userEvent.click(await screen.findByRole('button', { name: /^Buy/ }))
    expect(screen.getByText(/You’re offline/)).toBeTruthy()
    expect(orders).toEqual([])
  })

  test('a pending order still has its ticket', async () => {
    await show()
    await userEvent.click(await screen.findByRole('radio', { name: 'Limit' }))
    expect(await screen.findByRole('button', { name: /^Buy .* lots limit at/ })).toBeTruthy()
  })
})

describe('with a review', () => {
  beforeEach(() => setPreferences({ orderEntry: 'review' }))

  test('the order is shown before it is sent', async () => {
    const orders = await show()
    await userEvent.click(await submit('Buy'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Review order' }))
    expect(dialog.getByText('Take profit').nextElementSibling?.textContent).toBe('None')
    expect(dialog.getByText('Margin').nextElementSibling?.textContent).toMatch(/USDT/)
    expect(orders).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: /^Buy .* lots at/ }))
    await waitFor(() => expect(orders).toHaveLength(1))
  })

  test('going back sends nothing', async () => {
    const orders = await show()
    await userEvent.click(await submit('Buy'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Review order' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(orders).toEqual([])
  })
})

describe('a trader who has not chosen', () => {
  test('reviews where the platform asks for it', async () => {
    await show({ 'trade_verify.enabled': 'true' })
    await userEvent.click(await submit('Buy'))
    expect(await screen.findByRole('dialog', { name: 'Review order' })).toBeTruthy()
  })

  test('does not review where it does not', async () => {
    const orders = await show({ 'trade_verify.enabled': 'false' })
    await userEvent.click(await submit('Buy'))
    await waitFor(() => expect(orders).toHaveLength(1))
  })
})

describe('the default volume', () => {
  test('is the volume of a new order', async () => {
    setDefaultLots(euro, '0.3')
    await show()
    expect(await screen.findByRole('textbox', { name: 'Volume' })).toHaveProperty('value', '0.3')
  })

  test('is set in the settings, but only to a volume the product allows', async () => {
    await show()
    await userEvent.click(await screen.findByRole('button', { name: 'Order settings' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Order settings' }))
    const volume = dialog.getByRole('textbox', { name: /^Default volume/ })
    const save = dialog.getByRole('button', { name: 'Save default volume' })
    fireEvent.change(volume, { target: { value: '50.01' } })
    expect(save).toHaveProperty('disabled', true)
    fireEvent.change(volume, { target: { value: '0.25' } })
    await userEvent.click(save)
    expect(storage.read('defaultLots')).toEqual({ 1: '0.25' })
    expect(await screen.findByRole('textbox', { name: 'Volume' })).toHaveProperty('value', '0.25')
  })
})
