import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useAccount } from '@/live/account-store'
import { clearSession, isLoggedIn, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'
import { hasRoute } from '../routes'

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: -1 }
const info = {
  userId: 10000001,
  userName: 'ma***a@mail.com',
  mail: 'ma***a@mail.com',
  type: 1,
  userTag: '',
  authStatus: 1,
  country: 'TR',
  accountId: 3,
}
const running = { 'common/platformRunningStatus': () => answer(1) }

beforeEach(() => {
  setScreen('phone')
  clearSession()
  useAccount.setState({ statistics: null, positions: null })
})

describe('/login', () => {
  test('goes back to where the trader came from', async () => {
    fakeServer({ ...running, 'user/login': () => answer({ token: 'new', user: info }) })
    const { history } = await renderApp('/switchAccount')
    await screen.findByRole('heading', { name: 'Log in' })
    expect(history.location.search).toBe('?from=%2FswitchAccount')
    await userEvent.type(screen.getByLabelText('Email address'), 'maria@mail.com')
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
    await waitFor(() => expect(history.location.pathname).toBe('/switchAccount'))
    expect(storage.read('token')).toBe('new')
    expect(storage.read('userInfo')).toEqual({ ...user, authStatus: 1, accountId: 3 })
  })

  test('has the ways to the language and to a new account', async () => {
    fakeServer(running)
    await renderApp('/login')
    expect(await screen.findByRole('link', { name: 'Language: English' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register')
  })
})

describe('/forgetPwd', () => {
  test('says what a new password did, and leads on to the log-in with the contact filled in', async () => {
    fakeServer({ ...running, 'api/forgetUserPassword': () => answer(1) })
    const { history } = await renderApp('/login?from=%2FswitchAccount')
    await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
    await userEvent.click(screen.getByRole('link', { name: 'Forgot password?' }))
    await screen.findByRole('heading', { name: 'Set a new password' })
    expect(history.location.pathname).toBe('/forgetPwd')
    expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('maria@mail.com')
    await userEvent.type(screen.getByLabelText('Verification code'), '123456')
    await userEvent.type(screen.getByLabelText('New password'), 'correct horse{Enter}')
    const told = await screen.findByRole('status')
    expect(within(told).getByRole('heading', { name: 'Your password was reset' })).toBeTruthy()
    expect(told.textContent).toMatch(/All devices were logged out/)
    expect(told.textContent).toMatch(/withdrawals are on hold for 24 hours/)
    expect(document.activeElement).toBe(told)
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
    await screen.findByRole('heading', { name: 'Log in' })
    expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('maria@mail.com')
    const { pathname, search } = history.location
    expect(pathname + search).toBe('/login?from=%2FswitchAccount')
  })

  test('stays where it is while the code is wrong, and leads back', async () => {
    fakeServer({ ...running, 'api/forgetUserPassword': () => refusal('code.wrong') })
    await renderApp('/forgetPwd')
    await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
    await userEvent.type(screen.getByLabelText('Verification code'), '123456')
    await userEvent.type(screen.getByLabelText('New password'), 'correct horse{Enter}')
    expect(await screen.findByText(/wrong or has expired/)).toBeTruthy()
    expect(screen.queryByRole('status')).toBeNull()
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
  })

  test('is for whoever is not logged in', async () => {
    fakeServer(running)
    startSession('old', user)
    const { history } = await renderApp('/forgetPwd')
    await waitFor(() => expect(history.location.pathname).toBe('/home/index'))
  })
})

test('/register takes the invitation from the address, welcomes and goes home', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['tr-TR'])
  fakeServer({
    ...running,
    'api/findCountryAreaCodeList': () => answer([{ code: '90', en: 'Türkiye', country: 'TR' }]),
    'user/register': () => answer({ token: 'new', user: info }),
  })
  const { history } = await renderApp('/register?invite=ABCDEFGH')
  await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
  expect(screen.getByLabelText<HTMLInputElement>(/Invitation code/).value).toBe('ABCDEFGH')
  await userEvent.type(screen.getByLabelText('Verification code'), '123456')
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
  for (const box of screen.getAllByRole('checkbox')) await userEvent.click(box)
  await userEvent.click(screen.getByRole('button', { name: 'Open account' }))
  await waitFor(() => expect(history.location.pathname).toBe('/home/index'))
  expect(await screen.findByText(/Welcome to Candor/)).toBeTruthy()
  expect(isLoggedIn()).toBe(true)
})

describe('/myCenter', () => {
  const statistics = {
    balance: '1200.5',
    zengjin: '0',
    prepaidAmount: '0',
    totalProfit: '84.12',
    usablePrepaid: '1284.62',
    netValue: '1284.62',
  }
  const server = (more: Parameters<typeof fakeServer>[0] = {}) =>
    fakeServer({
      ...running,
      'user/findUserInfo': () => answer(info),
      'trade/findStatistics': () => answer(statistics),
      ...more,
    })

  test('says who is logged in, and follows what the server knows', async () => {
    startSession('old', user)
    server()
    await renderApp('/myCenter')
    expect(await screen.findByRole('heading', { name: 'ma•••a@mail.com' })).toBeTruthy()
    expect(screen.getByText('10000001')).toBeTruthy()
    expect(await screen.findByText('Under review')).toBeTruthy()
    expect(await screen.findAllByText('1,284.62')).toHaveLength(2)
  })

  test('an eye hides every amount', async () => {
    startSession('old', user)
    server()
    await renderApp('/myCenter')
    await screen.findAllByText('1,284.62')
    await userEvent.click(screen.getByRole('button', { name: 'Hide amounts' }))
    expect(screen.queryByText('1,284.62')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show amounts' }))
    expect(screen.getAllByText('1,284.62')).toHaveLength(2)
  })

  test('shows the remembered balance only until the first answer', async () => {
    startSession('old', user)
    storage.write('balance', { balance: '77', zengjin: '5' })
    server()
    await renderApp('/myCenter')
    await screen.findAllByText('1,284.62')
    expect(screen.queryByText('77.00')).toBeNull()
  })

  test('links lead only to screens that exist', async () => {
    startSession('old', user)
    server()
    await renderApp('/myCenter')
    const main = await screen.findByRole('main')
    for (const link of await within(main).findAllByRole('link')) {
      expect(hasRoute((link.getAttribute('href') ?? '').split('?')[0] ?? '')).toBe(true)
    }
  })

  test('logging out asks, forgets token, user and balance, and goes to the log-in page', async () => {
    startSession('old', user)
    storage.write('balance', { balance: '1', zengjin: '0' })
    const asked = server({ 'user/logout': () => answer(1) })
    const { history } = await renderApp('/myCenter')
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Log out on this device/ }))
    expect(asked.some(({ path }) => path === 'user/logout')).toBe(false)
    await userEvent.click(dialog.getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(history.location.pathname).toBe('/login'))
    expect(asked.find(({ path }) => path === 'user/logout')?.token).toBe('old')
    expect(storage.read('token')).toBeNull()
    expect(storage.read('userInfo')).toBeNull()
    expect(storage.read('balance')).toBeNull()
  })

  test('a log-out that fails leaves the trader logged in and says why', async () => {
    startSession('old', user)
    server({ 'user/logout': () => refusal('unavailable', { httpStatus: 503 }) })
    await renderApp('/myCenter')
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Log out on this device/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Log out' }))
    expect(await screen.findByText(/service is not available/)).toBeTruthy()
    expect(isLoggedIn()).toBe(true)
  })

  test('opens on another device with a link for 60 s', async () => {
    startSession('old', user)
    server({ 'user/createLoginCode': () => answer({ code: 'once-only', expiresAfter: 60 }) })
    await renderApp('/myCenter')
    await userEvent.click(await screen.findByRole('button', { name: 'Open on another device' }))
    expect(await screen.findByText(/#\/quotes\?token=once-only$/)).toBeTruthy()
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy()
    expect(screen.getByText('1:00')).toBeTruthy()
    const later = Date.now() + 61_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    expect(await screen.findByText('This link has expired.')).toBeTruthy()
    expect(screen.queryByText(/token=/)).toBeNull()
    act(() => vi.restoreAllMocks())
  })
})
