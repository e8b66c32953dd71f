import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '@/i18n/i18n'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { emptyPage } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: 1 }

beforeEach(() => {
  setScreen('desktop')
  fakeServer({
    'common/platformRunningStatus': () => answer(1),
    'user/findUserInfo': () => answer({ ...user, uid: 10000001 }),
    'siteMail/findUnreadCount': () => answer({ notices: 0, messages: 0, total: 0 }),
    'siteMail/findSiteMailPage': () => answer(emptyPage),
  })
})
afterEach(clearSession)

/** Its texts are loaded once with it, but each test starts the languages anew. */
async function menu() {
  await loadTexts(['account', 'support'])
  return screen.findByRole('navigation', { name: 'Account menu' })
}

const current = (nav: HTMLElement) =>
  within(nav)
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page')
    .map(({ textContent }) => textContent)

describe('the menu beside the account pages', () => {
  test('marks the page, and stays when the next one opens', async () => {
    await renderApp('/lang')
    const nav = await menu()
    expect(current(nav)).toEqual(['Language'])
    const preferences = within(nav).getByRole('link', { name: 'Preferences' })
    await userEvent.click(preferences)
    await waitFor(() => expect(current(nav)).toEqual(['Preferences']))
    expect(document.activeElement).toBe(preferences)
    expect(await menu()).toBe(nav)
  })

  test('marks the item that a page belongs to', async () => {
    startSession('token', user)
    await renderApp('/modifyPayPassword')
    expect(current(await menu())).toEqual(['Security'])
  })

  test('leads to the step of the verification', async () => {
    startSession('token', user)
    await renderApp('/lang')
    const link = within(await menu()).getByRole('link', { name: 'Identity verification' })
    expect(link.getAttribute('href')).toBe('/process?status=REVIEW')
  })

  test('has for a visitor only what opens without a log-in', async () => {
    await renderApp('/lang')
    const links = within(await menu()).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/register',
      '/preferenceSet',
      '/lang',
      '/notice',
      '/news',
      '/proof',
      '/kefu',
      '/problem',
      '/relevant',
      '/aboutUs',
    ])
  })

  test('is not on other pages, nor on a phone', async () => {
    const { history } = await renderApp('/search')
    await screen.findByRole('heading', { name: /Search/ })
    expect(screen.queryByRole('navigation', { name: 'Account menu' })).toBeNull()
    setScreen('phone')
    await history.push('/lang')
    await screen.findByRole('heading', { name: 'Language' })
    expect(screen.queryByRole('navigation', { name: 'Account menu' })).toBeNull()
  })
})

describe('/myCenter', () => {
  test('shows the overview on a desktop, and the list on a phone', async () => {
    startSession('token', user)
    const { unmount } = await renderApp('/myCenter')
    const main = within(await screen.findByRole('main'))
    await main.findByRole('heading', { name: 'Movements' })
    expect(main.queryByRole('link', { name: 'Preferences' })).toBeNull()
    unmount()
    setScreen('phone')
    await renderApp('/myCenter')
    const phone = within(await screen.findByRole('main'))
    expect(await phone.findByRole('link', { name: 'Preferences' })).toBeTruthy()
    expect(phone.queryByRole('link', { name: 'Overview' })).toBeNull()
    expect(phone.queryByRole('heading', { name: 'Movements' })).toBeNull()
  })
})
