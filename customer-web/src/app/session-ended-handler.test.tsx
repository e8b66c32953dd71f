import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { reportSessionEnded } from '@/api/session-ended'
import { isLoggedIn, startSession } from '@/session/session-store'
import { renderPart, setScreen } from '@/testing/render-app'
import type { AppRoute, RoutePanelProps } from './routes'
import { SessionEndedHandler } from './session-ended-handler'

function Panel({ onClose }: RoutePanelProps) {
  return (
    <button type="button" onClick={onClose}>
      Log in
    </button>
  )
}

vi.mock('./routes', async (original) => {
  const login: AppRoute = {
    path: '/login',
    name: 'Login',
    guest: true,
    layout: 'page',
    load: async () => ({ default: () => null }),
    loadPanel: async () => ({ default: Panel }),
  }
  return {
    ...(await original<typeof import('./routes')>()),
    routeAt: (path: string) => (path === '/login' ? login : undefined),
  }
})

beforeEach(() => {
  startSession('abc', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
})

test('a desktop asks in a dialog over the page, which stays', async () => {
  setScreen('desktop')
  const { history } = await renderPart(<SessionEndedHandler />, '/pc/trade?product=1')
  act(reportSessionEnded)
  await screen.findByRole('dialog', { name: /session has ended/ })
  expect(isLoggedIn()).toBe(false)
  expect(history.location.pathname).toBe('/pc/trade')
  await userEvent.click(await screen.findByRole('button', { name: 'Log in' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a guest is told that the demo session has ended', async () => {
  startSession('abc', { userId: '8', userName: 'Guest 4F2A', type: 8, authStatus: -1 })
  setScreen('desktop')
  await renderPart(<SessionEndedHandler />, '/pc/trade?product=1')
  act(reportSessionEnded)
  await screen.findByRole('dialog', { name: /demo session has ended/ })
  expect(isLoggedIn()).toBe(false)
})

test('a phone goes to the log-in page, and knows the way back', async () => {
  setScreen('phone')
  const { history } = await renderPart(<SessionEndedHandler />, '/trade?product=1')
  act(reportSessionEnded)
  await waitFor(() => expect(history.location.pathname).toBe('/login'))
  expect(history.location.search).toBe('?from=%2Ftrade%3Fproduct%3D1')
  expect(isLoggedIn()).toBe(false)
})
