import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import { setNavBadge } from '../nav/nav-badges'
import { closeChatDock, useChatDock } from '../parts/chat-dock-store'
import { HeaderTools } from './header-tools'

vi.setConfig({ testTimeout: 30_000 })

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: 1 }

beforeEach(() => {
  setScreen('desktop')
  fakeServer({
    'siteMail/findUnreadCount': () => answer({ notices: 0, messages: 0, total: 0 }),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
  setNavBadge('/kefu', 0)
  closeChatDock()
})

async function openMenu() {
  await userEvent.click(screen.getByRole('button', { name: 'Me' }))
  return screen.findByRole('dialog', { name: 'Me' })
}

const isClosed = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Me' })).toBeNull())

test('the header opens the chat and says how much is unread there', async () => {
  await renderPart(<HeaderTools />)
  const support = screen.getByRole('button', { name: 'Support' })
  expect(support.ariaPressed).toBe('false')
  await userEvent.click(support)
  expect(support.ariaPressed).toBe('true')
  expect(useChatDock.getState().open).toBe(true)
  act(() => setNavBadge('/kefu', 3))
  expect(screen.getByRole('button', { name: 'Support, 3 unread' })).toBeTruthy()
})

test('a visitor has no account and no notices there', async () => {
  await renderPart(<HeaderTools />)
  expect(screen.getByRole('button', { name: 'Support' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Me' })).toBeNull()
  expect(screen.queryByRole('link', { name: /Notices/ })).toBeNull()
})

test('the account’s menu says who is logged in, and leads to verification, security and preferences', async () => {
  startSession('token', user)
  await renderPart(<HeaderTools />)
  expect(screen.queryByText('10000001')).toBeNull()
  const menu = await openMenu()
  expect(within(menu).getByText('10000001')).toBeTruthy()
  const links = within(menu).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/myCenter',
    '/switchAccount',
    '/process?status=REVIEW',
    '/securitySet',
    '/preferenceSet',
  ])
  expect(screen.getByRole('link', { name: 'Identity verification Under review' })).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Security' }))
  await isClosed()
})

test('logging out closes the menu and asks first', async () => {
  startSession('token', user)
  await renderPart(<HeaderTools />)
  await openMenu()
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
  await isClosed()
  expect(await screen.findByRole('dialog', { name: 'Log out on this device?' })).toBeTruthy()
})
