import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { quoteStore } from '@/live/quote-store'
import { answer, fakeServer } from '@/testing/fake-server'
import {
  apple,
  bitcoin,
  eurusd,
  hongKong,
  sampleMarket,
  sampleStatus,
} from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { ProductList } from './product-list'
import { QuoteList } from './quote-list'
import { QuoteTable } from './quote-table'
import { isSameRow } from './row-memo'
import { SimulatedTag } from './simulated-tag'

let sequence = 0

/** A quote as the socket delivers it. */
function quote(productId: number, bid: string, ask: string, ageMs = 0) {
  sequence += 1
  const time = Date.now() - ageMs
  quoteStore.put({ productId, bid, ask, spread: '0.00012', sequence, time, seenAt: time })
}

const list = {
  label: 'Products',
  products: [eurusd, bitcoin, hongKong],
  favourites: [201],
  onToggle: vi.fn(),
  linkOf: (id: number) => `/trade?product=${id}`,
}
const sorted = { ...list, sort: null, onSort: vi.fn() }

beforeEach(() => {
  setScreen('phone')
  fakeServer(sampleMarket())
})
afterEach(() => vi.unstubAllGlobals())

describe('a row', () => {
  test('shows symbol, name, price and signed change, and leads to its product', async () => {
    await renderPart(<ProductList {...list} />)
    const link = await screen.findByRole('link', { name: 'EURUSD' })
    expect(link.getAttribute('href')).toBe('/trade?product=1')
    expect(screen.getByText('Euro / US dollar')).toBeTruthy()
    expect(screen.getByText('1.15824')).toBeTruthy()
    expect(screen.getByText('\u22120.21%')).toBeTruthy()
    expect(screen.getByText('+1.96%')).toBeTruthy()
  })

  test('is no link where there is no trade screen', async () => {
    await renderPart(<ProductList {...list} linkOf={() => undefined} />)
    expect(await screen.findByText('EURUSD')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('follows the price, and tells how old it is', async () => {
    await renderPart(<ProductList {...list} />)
    await screen.findByText('EURUSD')
    await act(async () => {
      quote(1, '1.15999', '1.16011')
      await new Promise((resolve) => setTimeout(resolve, 60))
    })
    expect(screen.getByText('1.15999')).toBeTruthy()
    expect(screen.getByRole('img', { name: 'Live price' })).toBeTruthy()
    await act(async () => {
      quote(201, '92000.00', '92001.00', 4_000)
      await new Promise((resolve) => setTimeout(resolve, 60))
    })
    expect(screen.getByRole('img', { name: 'Price a few seconds old' })).toBeTruthy()
  })

  test('of a closed market says from when it opens', async () => {
    await renderPart(<ProductList {...list} />)
    expect(await screen.findByText(/^Opens \u2068?(\w{3}|today) \d\d:\d\d/)).toBeTruthy()
    expect(screen.getByRole('img', { name: 'Closed' })).toBeTruthy()
  })
})

describe('rows off the screen', () => {
  /** Rows are visible when the test says so. */
  function observed() {
    const callbacks: IntersectionObserverCallback[] = []
    const elements: Element[] = []
    const thresholds: unknown[] = []
    class Observer {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        callbacks.push(callback)
        thresholds.push(options?.threshold)
      }
      observe(element: Element) {
        elements.push(element)
      }
      unobserve() {}
      disconnect() {}
    }
    vi.stubGlobal('IntersectionObserver', Observer)
    const show = (element: Element | undefined, isIntersecting: boolean) =>
      act(() => {
        const entry = { target: element, isIntersecting } as IntersectionObserverEntry
        for (const callback of callbacks) callback([entry], {} as IntersectionObserver)
      })
    return { elements, thresholds, show }
  }

  test('neither subscribe to prices nor draw them', async () => {
    const { elements, thresholds, show } = observed()
    const { unmount } = await renderPart(<QuoteList {...sorted} />)
    await screen.findByText('EURUSD')
    const rows = elements.filter(({ tagName }) => tagName === 'LI')
    expect(rows).toHaveLength(3)
    expect(thresholds).toContain(0.01)
    expect(quoteStore.watched()).toEqual([])
    show(rows[0], true)
    expect(quoteStore.watched()).toEqual([1])

    await act(async () => {
      quote(1, '1.11111', '1.22222')
      quote(201, '77777.77', '88888.88')
      await new Promise((resolve) => setTimeout(resolve, 60))
    })
    expect(screen.getByText('1.111')).toBeTruthy()
    expect(screen.queryByText('77,777.')).toBeNull()

    show(rows[0], false)
    expect(quoteStore.watched()).toEqual([])
    unmount()
  })
})

describe('figures of the day', () => {
  test('come to a row from the tickers, without a new list', async () => {
    await renderPart(<QuoteList {...sorted} products={[apple, bitcoin]} />)
    expect(await screen.findByText('272.10')).toBeTruthy()
    quoteStore.putDay({ productId: 301, open24Hours: '200.00', high24Hours: '299.99' })
    expect(await screen.findByText('299.99')).toBeTruthy()
    expect(screen.getByText('+35.68%')).toBeTruthy()
    // The other row keeps its own price.
    expect(screen.getByText('92,640.00')).toBeTruthy()
  })
})

describe('a row that is told anew', () => {
  const told = { product: eurusd, status: undefined, line: undefined, favourite: false }

  test('stays when only the figures of the day differ, which its cells follow', () => {
    const product = { ...eurusd, high24Hours: '2', close24Hours: '2' }
    expect(isSameRow(told, { ...told, product })).toBe(true)
  })

  test('is drawn when anything else differs', () => {
    expect(isSameRow(told, { ...told, favourite: true })).toBe(false)
    expect(isSameRow(told, { ...told, product: { ...eurusd, mode: 'close_only' } })).toBe(false)
    expect(isSameRow(told, { ...told, product: bitcoin })).toBe(false)
  })
})

describe('the list of quotes', () => {
  test('shows both sides with the bounds of the day, and the last price where closed', async () => {
    await renderPart(<QuoteList {...sorted} />)
    await screen.findByText('EURUSD')
    expect(await screen.findByText('Last')).toBeTruthy()
    expect(screen.getAllByText('Bid')).toHaveLength(2)
    expect(screen.getByText('92,640.00')).toBeTruthy()
    expect(screen.getByText('Closed')).toBeTruthy()
  })

  test('sorts by its heads, and stars a product', async () => {
    await renderPart(<QuoteList {...sorted} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Product' }))
    expect(sorted.onSort).toHaveBeenLastCalledWith('symbol')
    await userEvent.click(screen.getByRole('button', { name: '24 h' }))
    expect(sorted.onSort).toHaveBeenLastCalledWith('-change')
    await userEvent.click(screen.getByRole('button', { name: 'Add EURUSD to favourites' }))
    expect(list.onToggle).toHaveBeenLastCalledWith(1)
    expect(screen.getByRole('button', { name: 'Remove BTCUSD from favourites' })).toBeTruthy()
  })
})

test("the desktop's table has every column, and fewer where there is less room", async () => {
  setScreen('desktop')
  const { unmount } = await renderPart(<QuoteTable {...sorted} sort="-change" />)
  const heads = (await screen.findAllByRole('columnheader')).map(({ textContent }) => textContent)
  expect(heads).toEqual([
    'Favourite',
    'Product',
    'Name',
    '24 h',
    'Bid',
    'Ask',
    'Spread',
    'Change',
    '24h low – high',
    'Trading hours',
  ])
  expect(screen.getByRole('columnheader', { name: 'Change' }).getAttribute('aria-sort')).toBe(
    'descending',
  )
  expect(screen.getAllByRole('row')).toHaveLength(4)
  unmount()
  await renderPart(<QuoteTable {...sorted} compact />)
  expect(await screen.findAllByRole('columnheader')).toHaveLength(7)
})

describe('prices that no market makes', () => {
  test('are called simulated', async () => {
    await renderPart(<SimulatedTag />)
    expect(await screen.findByText('Simulated prices')).toBeTruthy()
  })

  test('or replayed, with their day', async () => {
    const status = { ...sampleStatus('replay'), marketTime: Date.UTC(2014, 4, 6, 12) }
    fakeServer({ ...sampleMarket(), 'api/getMarketStatus': () => answer(status) })
    await renderPart(<SimulatedTag />)
    expect(await screen.findByText('Replayed prices of May 6, 2014')).toBeTruthy()
  })

  test('real ones need no word', async () => {
    const asked = fakeServer({
      ...sampleMarket(),
      'api/getMarketStatus': () => answer(sampleStatus('live')),
    })
    const { container } = await renderPart(<SimulatedTag />)
    await waitFor(() => expect(asked).toHaveLength(1))
    await act(async () => {})
    expect(container.textContent).toBe('')
  })
})
