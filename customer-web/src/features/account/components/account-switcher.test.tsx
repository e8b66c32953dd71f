import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { clearSession, startSession, useSession } from '@/session/session-store'
import { answer, type fakeServer as FakeServer, fakeServer, refusal } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import { AccountSwitcher } from './account-switcher'

const user = { userId: '7', userName: 'ma•••a@mail.com', type: 1, authStatus: -1 }
const demoUser = { userId: 7, userName: 'ma***a@mail.com', mail: '', type: 5, authStatus: -1 }
const reload = vi.hoisted(() => vi.fn())

// jsdom can't reload a page.
vi.mock('../model/use-switch-account', async (original) => {
  const { useSwitchAccount } = await original<typeof import('../model/use-switch-account')>()
  return { useSwitchAccount: () => useSwitchAccount(reload) }
})

beforeEach(() => {
  setScreen('phone')
  clearSession()
  startSession('old', user)
  reload.mockClear()
})

function server(demoOpen: boolean, more: Parameters<typeof FakeServer>[0] = {}) {
  return fakeServer({
    'user/findAccountList': () =>
      answer([
        { accountType: 1, open: true, balance: '12.50', currency: 'USDT' },
        { accountType: 5, open: demoOpen, balance: '9000', currency: 'USDT' },
      ]),
    'api/findConfigByKey': ({ query }) =>
      answer({
        key: query.get('key'),
        value: query.get('key') === 'demo.enabled' ? 'true' : '100000',
        type: 'text',
      }),
    'copy/switchUser': () => answer({ token: 'new', user: demoUser }),
    ...more,
  })
}

const card = (name: string) => screen.findByRole('region', { name })

test('shows both accounts with their balance, the one in use ticked', async () => {
  server(true)
  await renderPart(<AccountSwitcher />)
  const real = within(await card('Real account'))
  const demo = within(await card('Demo account'))
  expect(real.getByText('12.50')).toBeTruthy()
  expect(real.getByText('In use')).toBeTruthy()
  expect(demo.getByText('9,000.00')).toBeTruthy()
  expect(demo.queryByText('In use')).toBeNull()
})

test('asks, switches, keeps the new token and reloads after 600 ms', async () => {
  const asked = server(false)
  await renderPart(<AccountSwitcher />)
  await userEvent.click(await screen.findByRole('button', { name: 'Open demo account' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Switch to the demo account/ }))
  expect(asked.some(({ path }) => path === 'copy/switchUser')).toBe(false)
  await userEvent.click(dialog.getByRole('button', { name: 'Switch' }))
  await waitFor(() => expect(useSession.getState().token).toBe('new'))
  expect(useSession.getState().user?.type).toBe(5)
  expect(asked.find(({ path }) => path === 'copy/switchUser')?.query.get('accountType')).toBe('5')
  expect(reload).not.toHaveBeenCalled()
  // A late 401 to the old token must not end the new session.
  clearSession()
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(useSession.getState().token).toBe('new')
})

test('a refused switch says why and changes nothing', async () => {
  server(false, { 'copy/switchUser': () => refusal('module_disabled') })
  await renderPart(<AccountSwitcher />)
  await userEvent.click(await screen.findByRole('button', { name: 'Open demo account' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Switch' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/currently unavailable/)
  expect(useSession.getState().token).toBe('old')
})

test('a top-up stays below the limit and above the balance', async () => {
  const asked = server(true)
  await renderPart(<AccountSwitcher />)
  await userEvent.click(await screen.findByRole('button', { name: 'Top up' }))
  const field = await screen.findByLabelText('New balance')
  expect(screen.getByText('This also switches to the demo account.')).toBeTruthy()
  await userEvent.type(field, '100000.01{Enter}')
  expect(await screen.findByText(/maximum demo balance/)).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, '9000{Enter}')
  expect(await screen.findByText('Enter more than your current balance.')).toBeTruthy()
  expect(asked.some(({ path }) => path === 'copy/switchUser')).toBe(false)
  await userEvent.clear(field)
  await userEvent.type(field, '50000{Enter}')
  await waitFor(() => expect(useSession.getState().token).toBe('new'))
  expect(asked.find(({ path }) => path === 'copy/switchUser')?.query.get('initAmount')).toBe(
    '50000',
  )
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
})

test('open positions in the demo account refuse the top-up with their reason', async () => {
  server(true, { 'copy/switchUser': () => refusal('demo.top_up_open') })
  await renderPart(<AccountSwitcher />)
  await userEvent.click(await screen.findByRole('button', { name: 'Top up' }))
  await userEvent.type(await screen.findByLabelText('New balance'), '50000{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(/Close the demo account/)
})

test('where demo accounts are switched off there is none to change to', async () => {
  server(false, {
    'api/findConfigByKey': ({ query }) =>
      answer({ key: query.get('key'), value: 'false', type: 'bool' }),
  })
  await renderPart(<AccountSwitcher />)
  await card('Real account')
  expect(screen.queryByRole('region', { name: 'Demo account' })).toBeNull()
})

test('a guest has the demo account to top up, and sees what registering gives', async () => {
  startSession('old', { userId: '7', userName: 'Guest 4F2A', type: 8, authStatus: -1 })
  const asked = server(true, {
    'user/findAccountList': () =>
      answer([{ accountType: 8, open: true, balance: '9000', currency: 'USDT' }]),
    'copy/switchUser': () => answer({ token: 'new', user: { ...demoUser, type: 8 } }),
  })
  await renderPart(<AccountSwitcher registerPath="/register" />)
  const real = within(await card('Real account'))
  expect(real.getByText(/Sign up to deposit/)).toBeTruthy()
  expect(real.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register')
  const demo = within(await card('Demo account'))
  expect(demo.getByText('In use')).toBeTruthy()
  expect(demo.queryByRole('button', { name: 'Switch' })).toBeNull()
  await userEvent.click(await demo.findByRole('button', { name: 'Top up' }))
  await userEvent.type(await screen.findByLabelText('New balance'), '50000{Enter}')
  await waitFor(() => expect(useSession.getState().token).toBe('new'))
  expect(asked.find(({ path }) => path === 'copy/switchUser')?.query.get('initAmount')).toBe(
    '50000',
  )
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
})

test('a registered trader is not asked to register', async () => {
  server(true)
  await renderPart(<AccountSwitcher registerPath="/register" />)
  await card('Real account')
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull()
})

test('a list that does not come says why and can be asked for again', async () => {
  let answers = false
  server(true, {
    'user/findAccountList': () =>
      answers
        ? answer([{ accountType: 1, open: true, balance: '1', currency: 'USDT' }])
        : refusal('unavailable', { httpStatus: 503 }),
  })
  await renderPart(<AccountSwitcher />)
  await screen.findByRole('alert')
  answers = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await card('Real account')).toBeTruthy()
})
