import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useSearchRecords } from '@/features/market/model/search-records'
import { loadTexts } from '@/i18n/i18n'
import { useAccount } from '@/live/account-store'
import { clearSession, startSession } from '@/session/session-store'
import { setBalanceHidden } from '@/storage/balance-hidden'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'
import { hasRoute } from '../routes'

vi.mock('@/features/chart/components/lazy-chart', () => ({ LazyChart: () => null }))

const failing = () => refusal('internal', { httpStatus: 500, traceId: 'abc123' })
const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }
const statistics = {
  balance: '6231.85',
  zengjin: '0',
  prepaidRatio: '570.04',
  prepaidAmount: '1102.40',
  totalProfit: '52.30',
  usablePrepaid: '5181.75',
  netValue: '6284.15',
}

/** The symbols of the list of products. */
const symbols = () =>
  within(screen.queryByRole('tabpanel') ?? document.body)
    .getAllByText(/^[A-Z0-9]{4,7}$/)
    .map(({ textContent }) => textContent)

beforeEach(() => {
  setScreen('phone')
  clearSession()
  setBalanceHidden(false)
  useAccount.setState({ statistics: null, positions: null })
  useSearchRecords.setState({ records: [] })
  storage.write('favourites', [])
  fakeServer(sampleMarket())
})

describe('/home/index', () => {
  test('shows a guest the ways in and the most traded products', async () => {
    await renderApp('/home/index')
    expect(await screen.findByRole('link', { name: 'Search products' })).toBeTruthy()
    const bar = screen.getByRole('region', { name: 'Trade at prices you can check' })
    expect(within(bar).getByRole('link', { name: 'Sign up' })).toBeTruthy()
    expect(within(bar).getByRole('link', { name: 'Log in' })).toBeTruthy()
    expect(await screen.findAllByText('BTCUSD')).toBeTruthy()
    expect(screen.getAllByText('Simulated prices')[0]).toBeTruthy()
    expect(screen.getByRole('tab', { name: 'Most traded' }).ariaSelected).toBe('true')
  })

  test('says how to get favourites, and shows them first once there are some', async () => {
    const { unmount } = await renderApp('/home/index')
    await userEvent.click(await screen.findByRole('tab', { name: 'Favourites' }))
    expect(await screen.findByRole('link', { name: 'Add from Quotes' })).toBeTruthy()
    unmount()
    storage.write('favourites', ['301', '1'])
    await renderApp('/home/index')
    await screen.findAllByText('AAPL')
    expect(symbols()).toEqual(['AAPL', 'EURUSD'])
  })

  test('offers only what exists', async () => {
    await renderApp('/home/index')
    const nav = await screen.findByRole('navigation', { name: 'Quick actions' })
    for (const link of within(nav).getAllByRole('link')) {
      expect(hasRoute(link.getAttribute('href') ?? '')).toBe(true)
    }
    expect(within(nav).queryByRole('link', { name: 'Copy' })).toBeNull()
  })

  test('one block that fails leaves the others alone, and can be asked again', async () => {
    let broken = true
    fakeServer({
      ...sampleMarket(),
      'api/findByBannerList': () =>
        answer([
          {
            id: 1,
            title: 'Every fill has a proof',
            body: 'Open any receipt.',
            link: '/quotes',
            locale: 'en',
          },
        ]),
      'api/findProductList': () => (broken ? failing() : sampleMarket()['api/findProductList']()),
    })
    await renderApp('/home/index')
    expect(await screen.findByText(/Your positions and money are not affected/))
    expect(screen.getByText('abc123')).toBeTruthy()
    expect(await screen.findByRole('heading', { name: 'Every fill has a proof' })).toBeTruthy()
    broken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findAllByText('BTCUSD')).toBeTruthy()
  })

  test('shows no banners whose screens do not exist', async () => {
    fakeServer({
      ...sampleMarket(),
      'api/findByBannerList': () =>
        answer([
          { id: 2, title: 'Nowhere', body: 'No such screen.', link: '/nowhere', locale: 'en' },
          { id: 3, title: 'Open', body: 'No lock.', link: 'http://x.example', locale: 'en' },
        ]),
    })
    await renderApp('/home/index')
    await screen.findAllByText('BTCUSD')
    expect(screen.queryByRole('region', { name: 'News from Candor' })).toBeNull()
  })

  test('banners that fail are said to, with a way to ask again', async () => {
    fakeServer({ ...sampleMarket(), 'api/findByBannerList': failing })
    await renderApp('/home/index')
    expect(await screen.findAllByText('BTCUSD')).toBeTruthy()
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  describe('of a trader', () => {
    beforeEach(() => {
      startSession('abc', user)
      fakeServer({ ...sampleMarket(), 'user/findFavouriteList': () => answer([101]) })
    })

    test('shows the stored balance until the account has answered, then its figures', async () => {
      storage.write('balance', { balance: '6000.5', zengjin: '0' })
      await renderApp('/home/index')
      expect(await screen.findByText('6,000.50')).toBeTruthy()
      expect(screen.getByText('Balance')).toBeTruthy()
      act(() => useAccount.setState({ statistics }))
      expect(screen.getByText('6,284.15')).toBeTruthy()
      expect(screen.getByText('+52.30 (+0.83%)')).toBeTruthy()
      expect(screen.getByText('570.04%')).toBeTruthy()
      expect(screen.getByText('5,181.75')).toBeTruthy()
      expect(screen.getByRole('meter', { name: 'Margin level' }).ariaValueNow).toBe('570')
      expect(await screen.findAllByText('XAUUSD')).toBeTruthy()
    })

    test('covers sums from other eyes', async () => {
      useAccount.setState({ statistics })
      await renderApp('/home/index')
      await userEvent.click(await screen.findByRole('button', { name: 'Hide balance' }))
      expect(screen.queryByText('6,284.15')).toBeNull()
      expect(screen.queryByText('5,181.75')).toBeNull()
      expect(screen.queryByText(/52\.30/)).toBeNull()
      await userEvent.click(screen.getByRole('button', { name: 'Show balance' }))
      expect(screen.getByText('6,284.15')).toBeTruthy()
    })

    test('names the account', async () => {
      await renderApp('/home/index')
      expect(await screen.findByText('Real')).toBeTruthy()
    })

    test('tops up play money instead of depositing', async () => {
      startSession('abc', { ...user, type: 5 })
      await renderApp('/home/index')
      expect(await screen.findByText('Demo')).toBeTruthy()
      expect(screen.queryByRole('link', { name: 'Deposit' })).toBeNull()
    })
  })

  test('has two tables on a desktop', async () => {
    setScreen('desktop')
    storage.write('favourites', ['301'])
    await renderApp('/home/index')
    expect(await screen.findByRole('table', { name: 'Favourites' })).toBeTruthy()
    expect(screen.getByRole('table', { name: 'Most traded' })).toBeTruthy()
  })
})

describe('/quotes', () => {
  test('shows the list named in the address', async () => {
    const { history } = await renderApp('/quotes?tab=crypto')
    await screen.findByText('BTCUSD')
    expect(symbols()).toEqual(['BTCUSD'])
    await userEvent.click(screen.getByRole('tab', { name: 'Contracts' }))
    await screen.findByText('HK50')
    expect(history.location.search).toBe('?tab=contracts')
  })

  test('starts with the favourites, or with forex while there are none', async () => {
    const { unmount } = await renderApp('/quotes')
    await screen.findByText('EURUSD')
    expect(screen.getByRole('tab', { name: 'Forex' }).ariaSelected).toBe('true')
    unmount()
    storage.write('favourites', ['101'])
    await renderApp('/quotes')
    await screen.findByText('XAUUSD')
    expect(screen.getByRole('tab', { name: 'Favourites' }).ariaSelected).toBe('true')
  })

  test('has on a tablet the chosen product beside the list', async () => {
    setScreen('tablet')
    storage.write('favourites', ['201', '101'])
    const { history } = await renderApp('/quotes?tab=favourites')
    const detail = within(await screen.findByRole('complementary', { name: 'Product' }))
    expect(await detail.findByRole('link', { name: 'About BTCUSD' })).toBeTruthy()
    const list = within(screen.getByRole('list', { name: 'Favourites' }))
    const current = () =>
      list
        .getAllByRole('link')
        .filter((link) => link.getAttribute('aria-current') === 'true')
        .map(({ textContent }) => textContent)
    expect(current()).toEqual(['BTCUSD'])
    await userEvent.click(list.getByRole('link', { name: 'XAUUSD' }))
    expect(await detail.findByRole('link', { name: 'About XAUUSD' })).toBeTruthy()
    expect(current()).toEqual(['XAUUSD'])
    expect(history.location.search).toBe('?tab=favourites&product=101')
    expect(detail.getByRole('link', { name: 'Trade XAUUSD' }).getAttribute('href')).toBe(
      '/trade?product=101',
    )
  })

  test('keeps the first product beside the list when another one comes first', async () => {
    setScreen('tablet')
    storage.write('favourites', ['201', '101'])
    await renderApp('/quotes?tab=favourites&sort=symbol')
    await loadTexts()
    const detail = within(await screen.findByRole('complementary', { name: 'Product' }))
    expect(await detail.findByRole('link', { name: 'About BTCUSD' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Product' }))
    await waitFor(() => expect(symbols()).toEqual(['XAUUSD', 'BTCUSD']))
    expect(detail.getByRole('link', { name: 'About BTCUSD' })).toBeTruthy()
  })

  test.each(['phone', 'desktop'] as const)('has only the list on a %s', async (kind) => {
    setScreen(kind)
    storage.write('favourites', ['201'])
    await renderApp('/quotes?tab=favourites')
    const link = await screen.findByRole('link', { name: 'BTCUSD' })
    expect(link.getAttribute('href')).toMatch(/trade\?product=201$/)
    expect(screen.queryByRole('complementary', { name: 'Product' })).toBeNull()
  })

  test('without favourites leads to their page', async () => {
    await renderApp('/quotes?tab=favourites')
    const links = await screen.findAllByRole('link', { name: 'Edit favourites' })
    expect(links.at(-1)?.getAttribute('href')).toBe('/editFav')
  })

  test('keeps the order in the address', async () => {
    storage.write('favourites', ['201', '101', '1'])
    const { history } = await renderApp('/quotes?tab=favourites&sort=symbol')
    await screen.findByText('BTCUSD')
    expect(symbols()).toEqual(['BTCUSD', 'EURUSD', 'XAUUSD'])
    await userEvent.click(screen.getByRole('button', { name: 'Product' }))
    await waitFor(() => expect(symbols()).toEqual(['XAUUSD', 'EURUSD', 'BTCUSD']))
    expect(history.location.search).toBe('?tab=favourites&sort=-symbol')
  })

  test('takes a favourite out and offers to undo it', async () => {
    storage.write('favourites', ['201', '101'])
    await renderApp('/quotes')
    await userEvent.click(
      await screen.findByRole('button', { name: 'Remove BTCUSD from favourites' }),
    )
    await waitFor(() => expect(symbols()).toEqual(['XAUUSD']))
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(symbols()).toEqual(['BTCUSD', 'XAUUSD']))
  })

  test('draws the shape of the list while it loads', async () => {
    fakeServer({ ...sampleMarket(), 'api/findProductList': () => answer(null) })
    await renderApp('/quotes')
    expect(await screen.findByRole('heading', { name: 'Quotes' })).toBeTruthy()
    expect(screen.getByRole('tabpanel').querySelector('[aria-busy]')).toBeTruthy()
  })

  test('says why there is no list', async () => {
    fakeServer({ ...sampleMarket(), 'api/findProductList': failing })
    await renderApp('/quotes')
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})

describe('/search', () => {
  const field = () => screen.findByRole('searchbox', { name: 'Symbol or name' })

  test('starts with the most traded products and no recents', async () => {
    await renderApp('/search')
    expect(await screen.findByText('BTCUSD')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Recent' })).toBeNull()
  })

  test('finds while one types, and says how many', async () => {
    await renderApp('/search')
    await userEvent.type(await field(), 'dollar')
    expect(await screen.findByText('3 products')).toBeTruthy()
    expect(symbols()).toEqual(['EURUSD', 'XAUUSD', 'BTCUSD'])
  })

  test('says when there is nothing, and where everything is', async () => {
    await renderApp('/search')
    await userEvent.type(await field(), 'xyz')
    expect(await screen.findByText('No match for “xyz”.')).toBeTruthy()
    const browse = screen.getByRole('link', { name: 'Browse all markets' })
    expect(browse.getAttribute('href')).toBe('/quotes')
  })

  test('Enter opens the best and remembers it; recents can be searched again and cleared', async () => {
    startSession('abc', user)
    fakeServer({ ...sampleMarket(), 'user/findFavouriteList': () => answer([]) })
    const { history, unmount } = await renderApp('/search')
    await screen.findByText('BTCUSD')
    await userEvent.type(await field(), 'gold{Enter}')
    expect(storage.read('searchRecords')).toEqual(['XAUUSD'])
    if (hasRoute('/trade')) {
      await waitFor(() => expect(history.location.pathname).toBe('/trade'))
      expect(history.location.search).toBe('?product=101')
    }
    unmount()

    await renderApp('/search')
    await userEvent.click(await screen.findByRole('button', { name: 'XAUUSD' }))
    expect((await field()).getAttribute('value')).toBe('XAUUSD')
    await userEvent.clear(await field())
    const recent = screen.getByRole('heading', { name: 'Recent' })
    const head = recent.parentElement as HTMLElement
    await userEvent.click(within(head).getByRole('button', { name: 'Clear' }))
    expect(screen.queryByRole('heading', { name: 'Recent' })).toBeNull()
  })

  test('arrows move between the field and the results', async () => {
    if (!hasRoute('/trade')) return
    await renderApp('/search')
    await userEvent.type(await field(), 'dollar')
    await screen.findByText('3 products')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('XAUUSD')
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    expect(document.activeElement).toBe(await field())
  })

  test('stars from the results', async () => {
    await renderApp('/search')
    await userEvent.type(await field(), 'aapl')
    await userEvent.click(await screen.findByRole('button', { name: 'Add AAPL to favourites' }))
    await waitFor(() => expect(storage.read('favourites')).toEqual(['301']))
  })

  test('says why products can not be searched', async () => {
    fakeServer({ ...sampleMarket(), 'api/findProductList': failing })
    await renderApp('/search')
    expect(await screen.findByRole('alert')).toBeTruthy()
  })
})

describe('/editFav', () => {
  const chosen = () =>
    within(screen.getByRole('region', { name: 'Favourites' }))
      .queryAllByText(/^[A-Z0-9]{4,7}$/)
      .map(({ textContent }) => textContent)

  test('puts favourites in order with buttons, which keep the focus', async () => {
    storage.write('favourites', ['1', '101', '201'])
    await renderApp('/editFav')
    const down = await screen.findByRole('button', { name: 'Move EURUSD down' })
    await userEvent.click(down)
    await waitFor(() => expect(chosen()).toEqual(['XAUUSD', 'EURUSD', 'BTCUSD']))
    expect(document.activeElement).toBe(down)
    expect(screen.getByText('EURUSD is now number 2 of 3')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Move BTCUSD up' }))
    await waitFor(() => expect(storage.read('favourites')).toEqual(['101', '201', '1']))
    const last = screen.getByRole('button', { name: 'Move EURUSD down' })
    expect(last.ariaDisabled).toBe('true')
  })

  test('removes and undoes', async () => {
    storage.write('favourites', ['1', '101'])
    await renderApp('/editFav')
    await userEvent.click(
      await screen.findByRole('button', { name: 'Remove EURUSD from favourites' }),
    )
    await waitFor(() => expect(chosen()).toEqual(['XAUUSD']))
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(chosen()).toEqual(['EURUSD', 'XAUUSD']))
  })

  test('adds what was searched for', async () => {
    await renderApp('/editFav')
    expect(await screen.findByText('No favourites yet. Add products below.')).toBeTruthy()
    await userEvent.type(screen.getByRole('searchbox'), 'kong')
    await userEvent.click(screen.getByRole('button', { name: /HK50/ }))
    await waitFor(() => expect(chosen()).toEqual(['HK50']))
    expect(storage.read('favourites')).toEqual(['402'])
  })

  test("changes a trader's list on the server", async () => {
    startSession('abc', user)
    const asked = fakeServer({
      ...sampleMarket(),
      'user/findFavouriteList': () => answer([1, 101]),
      'user/updateFavouriteList': ({ body }) =>
        answer((body as { productIds: number[] }).productIds),
    })
    await renderApp('/editFav')
    await userEvent.click(await screen.findByRole('button', { name: 'Move XAUUSD up' }))
    await waitFor(() => {
      expect(asked.find(({ path }) => path === 'user/updateFavouriteList')?.body).toEqual({
        productIds: [101, 1],
      })
    })
  })

  test('says why there is no list', async () => {
    startSession('abc', user)
    fakeServer({ ...sampleMarket(), 'user/findFavouriteList': failing })
    await renderApp('/editFav')
    expect(await screen.findByRole('alert')).toBeTruthy()
  })
})
