import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { closeReceipt, useOpenReceipt } from '@/features/receipt/model/open-receipt'
import { clearSession, startSession } from '@/session/session-store'
import { choose } from '@/testing/choose'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { emptyPage, sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }
const page = (...list: object[]) => answer({ ...emptyPage, list, total: list.length })
const notice = {
  id: 11,
  category: 'maintenance',
  placement: 'list',
  severity: 'warning',
  title: 'A short break',
  summary: 'On Sunday.',
  time: 1,
  sticky: true,
  link: '/quotes',
  locale: 'en',
}
const article = { ...notice, body: '<p>From <strong>ten</strong>.</p>', revision: 2 }
const message = {
  id: 5,
  key: 'message.deposit_credited',
  args: { number: 'DP-7', credited: '1500 USDT' },
  time: 1,
  read: false,
}
const unread = { notices: 1, messages: 1, total: 2 }

beforeEach(() => {
  setScreen('phone')
  clearSession()
})

describe('/notice', () => {
  test('a visitor reads notices, has no messages, and nothing is unread', async () => {
    const asked = fakeServer({ 'siteMail/findSiteMailPage': () => page(notice) })
    await renderApp('/notice')
    const link = (await screen.findByText('A short break')).closest('a')
    expect(link?.getAttribute('href')).toBe('/notice?id=11')
    expect(screen.getByText('Maintenance')).toBeTruthy()
    expect(screen.getByText('Pinned')).toBeTruthy()
    expect(screen.queryByText('Unread:')).toBeNull()
    expect(screen.queryByRole('tab')).toBeNull()
    expect(asked.map(({ path }) => path)).not.toContain('userMsg/findUserMsgPage')
  })

  test('says when there is none', async () => {
    fakeServer({ 'siteMail/findSiteMailPage': () => page() })
    await renderApp('/notice')
    expect(await screen.findByText('No notices yet.')).toBeTruthy()
  })

  test('marks all as read, and the mark goes with the last one', async () => {
    startSession('abc', user)
    let read = false
    const asked = fakeServer({
      'siteMail/findSiteMailPage': () => page({ ...notice, read }),
      'siteMail/findUnreadCount': () => answer(unread),
      'siteMail/updateSiteMailRead': () => {
        read = true
        return answer({ notices: 0, messages: 1, total: 1 })
      },
    })
    await renderApp('/notice')
    await screen.findByText('Unread:')
    await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(screen.queryByText('Unread:')).toBeNull())
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
    expect(asked.find(({ path }) => path === 'siteMail/updateSiteMailRead')?.body).toEqual({})
  })

  test('one notice shows its body, is read with that, and leads on', async () => {
    startSession('abc', user)
    const asked = fakeServer({
      'siteMail/findSiteMailDetail': () => answer({ ...article, read: false }),
      'siteMail/updateSiteMailRead': () => answer({ notices: 0, messages: 0, total: 0 }),
    })
    await renderApp('/notice?id=11')
    expect((await screen.findByText('ten')).tagName).toBe('STRONG')
    const open = screen.getByRole('link', { name: 'Open' })
    expect(open.getAttribute('href')).toBe('/quotes')
    await waitFor(() =>
      expect(asked.find(({ path }) => path === 'siteMail/updateSiteMailRead')?.body).toEqual({
        id: 11,
      }),
    )
    await userEvent.click(open)
    expect(asked.find(({ path }) => path === 'content/insertClick')?.body).toEqual({ id: 11 })
  })

  test('what was read, and what a visitor reads, is not marked again', async () => {
    for (const read of [true, undefined]) {
      const asked = fakeServer({
        'siteMail/findSiteMailDetail': () => answer({ ...article, read }),
      })
      const { unmount } = await renderApp('/notice?id=11')
      await screen.findByText('ten')
      expect(asked.map(({ path }) => path)).not.toContain('siteMail/updateSiteMailRead')
      unmount()
    }
  })

  test('one that is no longer published says so, with the way back', async () => {
    fakeServer({ 'siteMail/findSiteMailDetail': () => refusal('notice.unknown') })
    await renderApp('/notice?id=11')
    expect(await screen.findByText(/no longer published/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'All notices' }).getAttribute('href')).toBe('/notice')
  })

  test('a message is read when it is opened, and leads to what it is about', async () => {
    startSession('abc', user)
    const asked = fakeServer({
      'userMsg/findUserMsgPage': () => page(message),
      'siteMail/findUnreadCount': () => answer(unread),
      'userMsg/updateUserMsgRead': () => answer({ notices: 1, messages: 0, total: 1 }),
    })
    await renderApp('/notice?tab=messages')
    const head = await screen.findByRole('button', { name: /Your deposit has been credited/ })
    expect(screen.queryByText(/DP-7/)).toBeNull()
    await userEvent.click(head)
    expect(screen.getByText(/^Deposit DP-7: 1,500 USDT has been credited/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/deposite?id=7')
    const told = asked.filter(({ path }) => path === 'userMsg/updateUserMsgRead')
    expect(told.map(({ body }) => body)).toEqual([{ ids: [5] }])
  })

  test('the messages of a group are asked for page by page, and its empty list says what comes', async () => {
    startSession('abc', user)
    const asked = fakeServer({
      'userMsg/findUserMsgPage': ({ query }) =>
        query.has('group') ? page() : answer({ ...emptyPage, list: [message], total: 1 }),
    })
    await renderApp('/notice?tab=messages')
    await screen.findByRole('button', { name: /Your deposit has been credited/ })
    expect(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(screen.getByRole('button', { name: 'Trading' }))
    expect(await screen.findByText(/No messages about trading yet\. Filled orders/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Trading' }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    const groups = asked
      .filter(({ path }) => path === 'userMsg/findUserMsgPage')
      .map(({ query }) => query.get('group'))
    expect(groups).toEqual([null, 'trading'])
  })

  test('a message about a fill opens its proof', async () => {
    startSession('abc', user)
    const filled = { ...message, key: 'message.order_filled', args: { book: 'real', fill: '42' } }
    fakeServer({ 'userMsg/findUserMsgPage': () => page(filled) })
    await renderApp('/notice?tab=messages')
    await userEvent.click(await screen.findByRole('button', { name: /filled at/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Price proof' }))
    expect(useOpenReceipt.getState().fillId).toBe(42)
    closeReceipt()
  })

  test('a message of a newer server is one all the same', async () => {
    startSession('abc', user)
    fakeServer({ 'userMsg/findUserMsgPage': () => page({ ...message, key: 'message.tomorrow' }) })
    await renderApp('/notice?tab=messages')
    await userEvent.click(
      await screen.findByRole('button', { name: /A message about your account/ }),
    )
    expect(screen.getByText(/Reload the page/)).toBeTruthy()
  })

  test('a desktop has numbered pages', async () => {
    setScreen('desktop')
    const asked = fakeServer({
      'siteMail/findSiteMailPage': () => answer({ ...emptyPage, list: [notice], total: 20 }),
    })
    await renderApp('/notice')
    await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(asked.some(({ query }) => query.get('page') === '2')).toBe(true))
  })
})

describe('/news', () => {
  const item = { ...notice, id: 21, category: 'market', title: 'Gold rises', source: 'Newswire' }

  test('is narrowed to a language, and says when there is none in it', async () => {
    fakeServer({
      'currencyNews/findCurrencyNewsPage': ({ query }) =>
        query.get('locale') === 'de' ? page() : page(item),
    })
    await renderApp('/news')
    await screen.findByText('Gold rises')
    await choose('Language', 'Deutsch')
    expect(await screen.findByText('No news in this language yet.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'All languages' }))
    expect(await screen.findByText('Gold rises')).toBeTruthy()
  })

  test('leads to the product that it names, on the trade screen of the device', async () => {
    setScreen('desktop')
    startSession('abc', user)
    fakeServer({
      ...sampleMarket(),
      'currencyNews/findCurrencyNewsDetail': () =>
        answer({ ...article, ...item, link: '/trade?product=101' }),
    })
    await renderApp('/news?id=21')
    const link = await screen.findByRole('link', { name: 'Trade XAUUSD' })
    expect(link.getAttribute('href')).toBe('/pc/trade?product=101')
  })

  test('without a link it leads nowhere', async () => {
    fakeServer({
      'currencyNews/findCurrencyNewsDetail': () => answer({ ...article, ...item, link: '' }),
    })
    await renderApp('/news?id=21')
    await screen.findByText('ten')
    expect(screen.queryByRole('link', { name: /^(Open|Trade|Read more)/ })).toBeNull()
  })
})

describe('/problem', () => {
  const question = {
    id: 41,
    category: 'trading',
    title: 'How do I buy?',
    body: '<p>Like this.</p>',
    locale: 'en',
  }
  const found = (...list: object[]) => answer({ categories: ['trading', 'money'], list })

  test('asks the server for words and categories', async () => {
    const asked = fakeServer({
      'api/findQuestionInfoList': ({ query }) => (query.get('search') ? found() : found(question)),
    })
    await renderApp('/problem')
    await userEvent.click(await screen.findByRole('button', { name: 'Trading' }))
    await waitFor(() => expect(asked.at(-1)?.query.get('category')).toBe('trading'))
    await userEvent.type(screen.getByRole('searchbox'), 'xyz')
    expect(await screen.findByText('No results for “xyz”.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(await screen.findByText('How do I buy?')).toBeTruthy()
    const searches = asked.map(({ query }) => query.get('search')).filter(Boolean)
    expect(searches).toEqual(['xyz'])
  })

  test('an answer opens, and takes whether it helped', async () => {
    const asked = fakeServer({
      'api/findQuestionInfoList': () => found(question),
      'api/insertQuestionFeedback': () => answer(1),
    })
    await renderApp('/problem')
    await userEvent.click(await screen.findByRole('button', { name: 'How do I buy?' }))
    expect(screen.getByText('Like this.')).toBeTruthy()
    const group = screen.getByRole('group', { name: 'Was this helpful?' })
    await userEvent.click(within(group).getByRole('button', { name: 'No' }))
    expect(await screen.findByText('Thank you.')).toBeTruthy()
    expect(within(group).getByRole('button', { name: 'No' }).ariaPressed).toBe('true')
    const said = asked.find(({ path }) => path === 'api/insertQuestionFeedback')
    expect(said?.body).toEqual({ id: 41, helpful: false, guestId: expect.any(String) })
  })

  test('the way to the chat takes along what was looked for, else the question that was read', async () => {
    fakeServer({ 'api/findQuestionInfoList': () => found(question) })
    await renderApp('/problem')
    const open = await screen.findByRole('button', { name: 'How do I buy?' })
    const way = () => screen.getByRole('link', { name: 'Chat with us' }).getAttribute('href')
    expect(way()).toMatch(/\/kefu$/)
    await userEvent.click(open)
    expect(way()).toMatch(/\/kefu\?about=How\+do\+I\+buy%3F$/)
    await userEvent.type(screen.getByRole('searchbox'), 'a & b')
    await waitFor(() => expect(way()).toMatch(/\/kefu\?about=a\+%26\+b$/))
  })

  test('feedback that fails is not thanked for', async () => {
    fakeServer({
      'api/findQuestionInfoList': () => found(question),
      'api/insertQuestionFeedback': () => refusal('notice.unknown'),
    })
    await renderApp('/problem')
    await userEvent.click(await screen.findByRole('button', { name: 'How do I buy?' }))
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }))
    expect(await screen.findByText('This is no longer published.')).toBeTruthy()
    expect(screen.queryByText('Thank you.')).toBeNull()
  })
})

describe('pages', () => {
  const pageOf = (key: string | null) => ({
    id: 51,
    key,
    title: `About ${key}`,
    body: '<p>Words.</p>',
    revision: 3,
    publishedAt: Date.UTC(2026, 10, 20),
    locale: 'en',
  })

  test('about the law say which revision the trader has accepted, and nothing where there is none', async () => {
    fakeServer({
      'content/findPage': ({ query }) =>
        answer({
          ...pageOf(query.get('key')),
          ...(query.get('key') === 'terms'
            ? { acceptedRevision: 2, acceptedAt: Date.UTC(2026, 9, 5) }
            : {}),
        }),
    })
    await renderApp('/relevant')
    expect(await screen.findAllByText('Revision 3')).toHaveLength(4)
    expect(screen.getAllByText(/^You accepted revision/)).toHaveLength(1)
    expect(screen.getByText('You accepted revision 2')).toBeTruthy()
  })

  test('about the law stand with their revisions, each whole where it is asked for', async () => {
    fakeServer({
      'content/findPage': ({ query }) =>
        query.get('key') === 'fees' ? refusal('notice.unknown') : answer(pageOf(query.get('key'))),
    })
    await renderApp('/relevant')
    expect(await screen.findAllByText('Revision 3')).toHaveLength(3)
    expect(await screen.findByText('This is no longer published.'))
    await userEvent.click(screen.getByRole('link', { name: /Risk warning/ }))
    expect(await screen.findByRole('heading', { name: 'About risk' })).toBeTruthy()
    expect(screen.getByText('Words.')).toBeTruthy()
  })

  test('about Candor says which version this is', async () => {
    fakeServer({ 'content/findPage': ({ query }) => answer(pageOf(query.get('key'))) })
    await renderApp('/aboutUs')
    expect(await screen.findByRole('heading', { name: 'About about' })).toBeTruthy()
    expect(screen.getByText('forex-2025.09.18.12:28')).toBeTruthy()
  })
})
