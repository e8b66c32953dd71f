import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { closeLoginRequest } from '@/session/login-request'
import { clearSession, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

vi.mock('@/features/chart/components/lazy-chart', () => ({ LazyChart: () => null }))

const demoOn = {
  'config/findFrontConfigList': () => answer([{ key: 'demo.enabled', value: 'true' }]),
}

beforeEach(() => {
  clearSession()
  closeLoginRequest()
  storage.remove('appConfig')
})

test('a visitor on a desktop sees the terminal with the ways in instead of the ticket', async () => {
  setScreen('desktop')
  const asked = fakeServer({ ...sampleMarket(), ...demoOn })
  const { history } = await renderApp('/pc/trade?product=101')
  const ticket = within(await screen.findByRole('region', { name: 'New order' }))
  expect(await ticket.findByRole('button', { name: 'Try with demo money' })).toBeTruthy()
  expect(ticket.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe(
    '/register?from=%2Fpc%2Ftrade%3Fproduct%3D101',
  )
  expect(ticket.queryByText('Volume')).toBeNull()
  expect(screen.getByText(/Your positions, orders and trades will appear here/)).toBeTruthy()

  await userEvent.click(ticket.getByRole('button', { name: 'Log in' }))
  expect(await screen.findByRole('dialog', { name: 'Log in to trade XAUUSD' })).toBeTruthy()
  expect(history.location.pathname).toBe('/pc/trade')
  // Nothing that only a trader may ask for was asked.
  expect(asked.filter(({ path }) => /^(trade|order|user)\//.test(path))).toEqual([])
})

test('a trader has the ticket there', async () => {
  setScreen('desktop')
  startSession('token', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  fakeServer({ ...sampleMarket(), ...demoOn })
  await renderApp('/pc/trade?product=101')
  const ticket = within(await screen.findByRole('region', { name: 'New order' }))
  expect(await ticket.findByText('Volume')).toBeTruthy()
  expect(ticket.queryByRole('button', { name: 'Try with demo money' })).toBeNull()
})

test('on a phone a price opens the ways in, and the log-in page says why and leads back', async () => {
  setScreen('phone')
  fakeServer({ ...sampleMarket(), ...demoOn })
  const { history } = await renderApp('/trade?product=101')
  await userEvent.click(await screen.findByRole('button', { name: /^Buy/ }))
  const sheet = within(await screen.findByRole('dialog'))
  await userEvent.click(sheet.getByRole('button', { name: 'Log in' }))
  await waitFor(() => expect(history.location.pathname).toBe('/login'))
  expect(history.location.search).toBe('?from=%2Ftrade%3Fproduct%3D101')
  expect(await screen.findByText('Log in to trade XAUUSD')).toBeTruthy()
})

test('the log-in page gives no reason to visitors who opened it by themselves', async () => {
  setScreen('phone')
  fakeServer(sampleMarket())
  const { unmount } = await renderApp('/login')
  await screen.findByRole('heading', { name: 'Log in' })
  expect(screen.queryByText(/^Log in to/)).toBeNull()
  unmount()
  await renderApp('/order')
  expect(await screen.findByText('Log in to continue')).toBeTruthy()
})
