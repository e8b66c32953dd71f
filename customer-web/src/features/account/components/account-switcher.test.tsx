import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { clearSession, startSession, useSession } from '@/session/session-store'
import { answer, type fakeServer as FakeServer, fakeServer, refusal } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import type { Account } from '../api/accounts'
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

/** An account as the server lists it. */
const listed = (change: Partial<Account>): Account => ({
  accountId: 1000,
  accountType: 1,
  number: 1,
  name: '',
  open: true,
  balance: '12.50',
  currency: 'USDT',
  netting: false,
  leverageCeiling: 0,
  ...change,
})

const demoAccount = (open: boolean) =>
  listed({ accountId: open ? 1001 : 0, accountType: 5, open, balance: '9000' })

function server(demoOpen: boolean, more: Parameters<typeof FakeServer>[0] = {}) {
  return fakeServer({
    'user/findAccountList': () => answer([listed({}), demoAccount(demoOpen)]),
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
  expect(screen.getByText('This also switches to this demo account.')).toBeTruthy()
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
    'user/findAccountList': () => answer([listed({ accountType: 8, balance: '9000' })]),
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
      answers ? answer([listed({ balance: '1' })]) : refusal('unavailable', { httpStatus: 503 }),
  })
  await renderPart(<AccountSwitcher />)
  await screen.findByRole('alert')
  answers = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await card('Real account')).toBeTruthy()
})

const many = [
  listed({}),
  listed({ accountId: 1004, number: 2, name: 'Swing', leverageCeiling: 50, netting: true }),
  listed({ accountId: 1005, number: 3, balance: '0' }),
  listed({ accountId: 1001, accountType: 5, balance: '9000' }),
]

test('every account has its name, its number and its rules, and the one in use is ticked', async () => {
  startSession('old', { ...user, accountId: 1004 })
  server(true, { 'user/findAccountList': () => answer(many) })
  await renderPart(<AccountSwitcher />)
  const swing = within(await card('Swing'))
  expect(swing.getByText('1004')).toBeTruthy()
  expect(swing.getByText('Up to 1:50')).toBeTruthy()
  expect(swing.getByText('Netting')).toBeTruthy()
  expect(swing.getByText('In use')).toBeTruthy()
  expect(swing.queryByRole('button', { name: 'Switch' })).toBeNull()
  const third = within(await card('Real account 3'))
  expect(third.getByText('No limit of its own')).toBeTruthy()
  expect(within(await card('Real account')).queryByText('In use')).toBeNull()
  expect(screen.getByText('4 of 10')).toBeTruthy()
})

test('a switch to another real account names it by its id', async () => {
  startSession('old', { ...user, accountId: 1000 })
  const asked = server(true, { 'user/findAccountList': () => answer(many) })
  await renderPart(<AccountSwitcher />)
  const swing = within(await card('Swing'))
  await userEvent.click(swing.getByRole('button', { name: 'Switch' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Switch to .*Swing/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Switch' }))
  await waitFor(() => expect(useSession.getState().token).toBe('new'))
  const sent = asked.find(({ path }) => path === 'copy/switchUser')?.query
  expect([sent?.get('accountType'), sent?.get('accountId')]).toEqual(['1', '1004'])
})

test('another account is opened with its name, ceiling and mode', async () => {
  const asked = server(true, {
    'user/findAccountList': () => answer(many),
    'user/openAccount': () => answer(listed({ accountId: 1009, number: 4, name: 'Gold' })),
  })
  await renderPart(<AccountSwitcher />)
  await userEvent.click(await screen.findByRole('button', { name: 'Open another account' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Open another account' }))
  await userEvent.type(sheet.getByLabelText(/^Name/), ' Gold ')
  await userEvent.click(sheet.getByRole('combobox', { name: 'Leverage ceiling' }))
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'No limit of its own',
    'Up to 1:10',
    'Up to 1:20',
    'Up to 1:50',
    'Up to 1:100',
    'Up to 1:200',
  ])
  await userEvent.click(screen.getByRole('option', { name: 'Up to 1:20' }))
  await userEvent.click(sheet.getByRole('radio', { name: /Netting/ }))
  await userEvent.click(sheet.getByRole('button', { name: 'Open account' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const sent = asked.find(({ path }) => path === 'user/openAccount')
  expect(sent?.body).toEqual({ mock: false, name: 'Gold', leverageCeiling: 20, netting: true })
})

test('a name in use is refused at its field', async () => {
  server(true, {
    'user/findAccountList': () => answer(many),
    'user/openAccount': () => refusal('invalid', { fields: { name: 'field.taken' } }),
  })
  await renderPart(<AccountSwitcher />)
  await userEvent.click(await screen.findByRole('button', { name: 'Open another account' }))
  const sheet = within(await screen.findByRole('dialog'))
  await userEvent.type(sheet.getByLabelText(/^Name/), 'Swing')
  await userEvent.click(sheet.getByRole('button', { name: 'Open account' }))
  expect(await sheet.findByText('This name is already in use.')).toBeTruthy()
})

test('ten accounts are the most', async () => {
  server(true, {
    'user/findAccountList': () =>
      answer(Array.from({ length: 10 }, (_, n) => listed({ accountId: 1000 + n, number: n + 1 }))),
  })
  await renderPart(<AccountSwitcher />)
  expect(await screen.findByText('10 of 10')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Open another account' })).toHaveProperty(
    'disabled',
    true,
  )
})

test('an edit sends what is new alone', async () => {
  const asked = server(true, {
    'user/findAccountList': () => answer(many),
    'user/renameAccount': () => answer(many[1]),
    'user/setAccountLeverage': () => answer(many[1]),
  })
  await renderPart(<AccountSwitcher />)
  await userEvent.click(await screen.findByRole('button', { name: /Edit .*Swing/ }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Edit account' }))
  await userEvent.click(sheet.getByRole('combobox', { name: 'Leverage ceiling' }))
  await userEvent.click(screen.getByRole('option', { name: 'No limit of its own' }))
  await userEvent.click(sheet.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked.some(({ path }) => path === 'user/renameAccount')).toBe(false)
  expect(asked.find(({ path }) => path === 'user/setAccountLeverage')?.body).toEqual({
    accountId: 1004,
    leverageCeiling: 0,
  })
})

test('a guest opens and edits no account', async () => {
  startSession('old', { userId: '7', userName: 'Guest 4F2A', type: 8, authStatus: -1 })
  server(true, {
    'user/findAccountList': () => answer([listed({ accountType: 8, balance: '9000' })]),
  })
  await renderPart(<AccountSwitcher />)
  await card('Demo account')
  expect(screen.queryByRole('button', { name: 'Open another account' })).toBeNull()
  expect(screen.queryByRole('button', { name: /Edit/ })).toBeNull()
})
