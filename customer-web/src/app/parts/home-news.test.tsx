import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { emptyPage, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

const notice = {
  id: 11,
  category: 'general',
  placement: 'strip',
  severity: 'info',
  title: 'US stocks close early',
  summary: '',
  time: 1,
  sticky: false,
  link: '',
  locale: 'en',
}
const item = {
  id: 21,
  category: 'market',
  title: 'Gold rises',
  summary: 'A little.',
  source: 'Newswire',
  time: 1,
  sticky: false,
  link: '/trade?product=101',
  locale: 'en',
}
const banner = { id: 31, title: 'A banner', body: 'Its words.', link: '', locale: 'en' }

const notices = (...list: object[]) => answer({ ...emptyPage, list, total: list.length })
const failing = () => refusal('internal', { httpStatus: 500 })

beforeEach(() => {
  setScreen('phone')
  clearSession()
})

describe('the strip of notices', () => {
  test('leads to the newest one that stands there, and to the others', async () => {
    const asked = fakeServer({
      ...sampleMarket(),
      'siteMail/findSiteMailPage': () =>
        notices({ ...notice, id: 10, placement: 'list', title: 'In the list alone' }, notice, {
          ...notice,
          id: 12,
        }),
    })
    await renderApp('/home/index')
    const strip = await screen.findByRole('navigation', { name: 'Notices' })
    const first = within(strip).getByRole('link', { name: 'US stocks close early' })
    expect(first.getAttribute('href')).toBe('/notice?id=11')
    expect(within(strip).getByText('+1').closest('a')?.getAttribute('href')).toBe('/notice')
    expect(screen.queryByText('In the list alone')).toBeNull()
    await userEvent.click(first)
    const click = asked.find(({ path }) => path === 'content/insertClick')
    expect(click?.body).toEqual({ id: 11, guestId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  })

  test.each([
    ['phone', true],
    ['desktop', false],
  ] as const)('has those for the app bar on a %s: %s', async (size, there) => {
    setScreen(size)
    fakeServer({
      ...sampleMarket(),
      'siteMail/findSiteMailPage': () =>
        notices(notice, { ...notice, id: 12, placement: 'ticker', title: 'For the app bar' }),
    })
    await renderApp('/home/index')
    const strip = await screen.findByRole('navigation', { name: 'Notices' })
    expect(within(strip).queryByText('+1') !== null).toBe(there)
  })

  test('is not there without one', async () => {
    fakeServer(sampleMarket())
    await renderApp('/home/index')
    await screen.findAllByText('BTCUSD')
    expect(screen.queryByRole('navigation', { name: 'Notices' })).toBeNull()
  })
})

describe('the news', () => {
  test('says where it comes from and leads to the whole of it', async () => {
    fakeServer({ ...sampleMarket(), 'currencyNews/findCurrencyNewsPage': () => notices(item) })
    await renderApp('/home/index')
    const block = await screen.findByRole('region', { name: 'News' })
    expect(within(block).getByText('Newswire')).toBeTruthy()
    expect(within(block).getByText('Gold rises').closest('a')?.getAttribute('href')).toBe(
      '/news?id=21',
    )
  })

  test('is not there without any', async () => {
    fakeServer(sampleMarket())
    await renderApp('/home/index')
    await screen.findAllByText('BTCUSD')
    expect(screen.queryByRole('region', { name: 'News' })).toBeNull()
  })

  test('that fails leaves the notices and banners alone', async () => {
    fakeServer({
      ...sampleMarket(),
      'currencyNews/findCurrencyNewsPage': failing,
      'siteMail/findSiteMailPage': () => notices(notice),
      'api/findByBannerList': () => answer([banner]),
    })
    await renderApp('/home/index')
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'US stocks close early' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'A banner' })).toBeTruthy()
    expect(screen.getAllByText('BTCUSD')).toBeTruthy()
  })
})

describe('banners', () => {
  test('show their picture, and lead out of the app in a tab of its own', async () => {
    vi.stubGlobal('IntersectionObserver', undefined)
    const asked = fakeServer({
      ...sampleMarket(),
      'api/findByBannerList': () =>
        answer([
          { ...banner, id: 32, link: 'https://x.example/a', image: '/media/a.jpg', alt: 'A chart' },
        ]),
    })
    await renderApp('/home/index')
    const link = await screen.findByRole('link', { name: 'A banner' })
    expect(link.getAttribute('href')).toBe('https://x.example/a')
    expect(link.getAttribute('rel')).toContain('noopener')
    expect(screen.getByRole('img', { name: 'A chart' }).getAttribute('src')).toBe('/media/a.jpg')
    expect(storage.read('banners')).toHaveLength(1)
    const seen = asked.find(({ path }) => path === 'content/insertSeen')
    expect(seen?.body).toEqual({ ids: [32], guestId: expect.any(String) })
  })

  test('that lead nowhere are no links', async () => {
    fakeServer({ ...sampleMarket(), 'api/findByBannerList': () => answer([banner]) })
    await renderApp('/home/index')
    expect(await screen.findByRole('heading', { name: 'A banner' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'A banner' })).toBeNull()
  })

  test.each([
    ['true', 'Practise first'],
    ['false', 'Every fill has a proof'],
  ])('to demo accounts stand there while those are switched on: %s', async (value, first) => {
    storage.write('appConfig', { 'demo.enabled': String(value === 'false') }) // from the last visit
    fakeServer({
      ...sampleMarket(),
      'config/findFrontConfigList': () => answer([{ key: 'demo.enabled', value, type: 'bool' }]),
      'api/findByBannerList': () =>
        answer([
          { ...banner, id: 33, title: 'Practise first', link: '/switchAccount' },
          { ...banner, id: 34, title: 'Every fill has a proof', link: '/proof' },
        ]),
    })
    await renderApp('/home/index')
    expect(await screen.findByRole('link', { name: first })).toBeTruthy()
    expect(screen.queryAllByRole('button', { name: /showing \d of 2/ })).toHaveLength(
      value === 'true' ? 1 : 0,
    )
  })

  test('of the last visit stand there in the language that is read, and in no other', async () => {
    const never = () => failing()
    for (const [locale, shown] of [
      ['zh_CN', false],
      ['en', true],
    ] as const) {
      storage.write('banners', [{ ...banner, locale }])
      fakeServer({ ...sampleMarket(), 'api/findByBannerList': never })
      const { unmount } = await renderApp('/home/index')
      await screen.findAllByText('BTCUSD')
      expect(screen.queryByRole('heading', { name: 'A banner' }) !== null).toBe(shown)
      unmount()
    }
  })
})

describe('the bell', () => {
  const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }

  test('counts what waits for a trader', async () => {
    startSession('abc', user)
    fakeServer({
      ...sampleMarket(),
      'siteMail/findUnreadCount': () => answer({ notices: 1, messages: 2, total: 3 }),
    })
    await renderApp('/home/index')
    const bell = await screen.findByRole('link', { name: 'Notices, 3 unread' })
    expect(bell.getAttribute('href')).toBe('/notice')
  })

  test('is not there for a visitor, for whom nothing is counted', async () => {
    const asked = fakeServer(sampleMarket())
    await renderApp('/home/index')
    await screen.findAllByText('BTCUSD')
    expect(screen.queryByRole('link', { name: /Notices/ })).toBeNull()
    expect(asked.map(({ path }) => path)).not.toContain('siteMail/findUnreadCount')
  })
})
