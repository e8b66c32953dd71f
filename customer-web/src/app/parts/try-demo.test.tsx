import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clearSession, isLoggedIn, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { challenges, manualSolver, withSolver } from '@/testing/challenges'
import { answer, type fakeServer as FakeServer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, renderPart, setScreen } from '@/testing/render-app'
import { useToasts } from '@/ui/toast/toast-store'
import TryDemo from './try-demo'

const info = { userId: 9, userName: 'Guest 4F2A', mail: '', type: 8, authStatus: -1, country: '' }
const guest = { userId: '9', userName: 'Guest 4F2A', type: 8, authStatus: -1 }
const NAME = 'Try with demo money'

function server(more: Parameters<typeof FakeServer>[0] = {}, demo = 'true') {
  return fakeServer({
    'common/platformRunningStatus': () => answer(1),
    'config/findFrontConfigList': () => answer([{ key: 'demo.enabled', value: demo }]),
    'user/miningLogin': () => answer({ token: 'play', user: info }),
    ...more,
  })
}

/** The button, once page and configuration are loaded. */
const offer = () => screen.findByRole('button', { name: NAME })

beforeEach(() => {
  setScreen('phone')
  clearSession()
  storage.remove('appConfig')
})

describe('trying with demo money', () => {
  test.each(['/login', '/register', '/home/index'])(
    'from %s is one tap to the trade page',
    async (path) => {
      const asked = server()
      const { history } = await renderApp(path)
      await userEvent.click(await offer())
      await waitFor(() => expect(history.location.pathname).toBe('/trade'))
      expect(storage.read('token')).toBe('play')
      expect(storage.read('userInfo')).toEqual(guest)
      expect(asked.find((one) => one.path === 'user/miningLogin')?.body).toEqual({
        deviceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        language: 'en',
      })
    },
  )

  test('goes back to the page that asked for a session', async () => {
    server()
    const { history } = await renderApp('/order')
    await userEvent.click(await offer())
    await waitFor(() => expect(history.location.pathname).toBe('/order'))
    expect(await screen.findByText('DEMO')).toBeTruthy()
  })

  test.each(['/login', '/register'])(
    'is not offered on %s while it is switched off',
    async (path) => {
      const asked = server({}, 'false')
      await renderApp(path)
      await waitFor(() =>
        expect(asked.some((one) => one.path === 'config/findFrontConfigList')).toBe(true),
      )
      await screen.findAllByText('Sign up')
      expect(screen.queryByRole('button', { name: NAME })).toBeNull()
    },
  )

  test('a refusal is said, and nobody is in', async () => {
    server({ 'user/miningLogin': () => refusal('guest.too_many', { httpStatus: 429 }) })
    const { history } = await renderApp('/login')
    await userEvent.click(await offer())
    expect(await screen.findByText(/opened too often/)).toBeTruthy()
    expect(isLoggedIn()).toBe(false)
    expect(history.location.pathname).toBe('/login')
  })
})

describe('when many guests came lately', () => {
  const busy = () =>
    server({
      'user/miningLogin': ({ verify }) =>
        verify ? answer({ token: 'play', user: info }) : refusal('verify.needed'),
      ...challenges(),
    })
  const tries = (asked: ReturnType<typeof server>) =>
    asked.filter(({ path }) => path === 'user/miningLogin').map(({ verify }) => verify)

  test('a challenge is solved and the visitor is let in, by the same tap', async () => {
    const asked = busy()
    const onDone = vi.fn()
    await renderPart(withSolver(<TryDemo onDone={onDone} />))
    const button = await offer()
    expect(asked.some(({ path }) => path === 'common/getVerify')).toBe(false)
    await userEvent.click(button)
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(tries(asked)).toEqual([null, 'c1.7'])
    expect(storage.read('token')).toBe('play')
  })

  test('one who leaves before it is solved is not let in, and told nothing', async () => {
    useToasts.setState({ shown: [] })
    const asked = busy()
    const { held, solve } = manualSolver()
    const onDone = vi.fn()
    const { unmount } = await renderPart(withSolver(<TryDemo onDone={onDone} />, solve))
    await userEvent.click(await offer())
    await waitFor(() => expect(held).toHaveLength(1))
    unmount()
    expect(held[0]?.signal.aborted).toBe(true)
    await new Promise((done) => setTimeout(done))
    expect(tries(asked)).toEqual([null])
    expect(useToasts.getState().shown).toEqual([])
    expect(onDone).not.toHaveBeenCalled()
  })
})

describe('a guest', () => {
  beforeEach(() => startSession('play', guest))

  test('finds signing up where traders find their accounts', async () => {
    server({ 'user/findUserInfo': () => answer(info) })
    await renderApp('/myCenter')
    expect(await screen.findByRole('heading', { name: 'Guest 4F2A' })).toBeTruthy()
    const main = within(screen.getByRole('main'))
    const targets = main.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(targets.filter((path) => path === '/register')).toHaveLength(2)
    expect(main.getByRole('link', { name: 'Top up' }).getAttribute('href')).toBe('/switchAccount')
    expect(main.queryByText('Switch account')).toBeNull()
    expect(main.queryByText('Deposit')).toBeNull()
    expect(main.queryByText('Open on another device')).toBeNull()
    expect(main.queryByText('Not verified')).toBeNull()
  })

  test('is told at the deposits to sign up first', async () => {
    server()
    await renderApp('/deposite')
    expect(await screen.findByText(/Guests trade with demo money only/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register')
  })

  test('may open an account', async () => {
    server()
    await renderApp('/register')
    expect(await screen.findByRole('heading', { name: 'Sign up' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: NAME })).toBeNull()
  })

  test('may log in to an account of before, and leaves the demo session', async () => {
    const asked = server({
      'user/login': () => answer({ token: 'new', user: { ...info, type: 1 } }),
    })
    const { history } = await renderApp('/login')
    await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
    await waitFor(() => expect(history.location.pathname).toBe('/home/index'))
    expect(storage.read('token')).toBe('new')
    expect(asked.find((one) => one.path === 'user/logout')?.token).toBe('play')
  })
})

test('a registered trader has neither page', async () => {
  startSession('real', { ...guest, type: 1 })
  server()
  for (const path of ['/login', '/register']) {
    const { history, unmount } = await renderApp(path)
    await waitFor(() => expect(history.location.pathname).toBe('/home/index'))
    unmount()
  }
})
