import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { correctClock, serverNow } from '@/api/request-headers'
import { reportSessionEnded } from '@/api/session-ended'
import { checkPlatform, usePlatformStatus } from '@/live/platform-status'
import { loginPathFrom } from '@/session/login-path'
import { clearSession, isLoggedIn, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'
import { usePreferences } from '@/theme/preferences'
import { guard } from './guard'
import { hasRoute, returnPath, routeAt, routes } from './routes'
import { reloadOnce } from './stale-build'

beforeEach(() => {
  clearSession()
  setScreen('phone')
  usePlatformStatus.setState({ kind: 'running' }, true)
  fakeServer({ 'common/platformRunningStatus': () => answer(1) })
})

describe('paths', () => {
  test.each([
    '/home',
    '/',
    '/nowhere',
    '/Home/Index',
    '/home/index/',
    '/LANG',
    '//lang',
    '/lang/x',
  ])('%s leads home', async (path) => {
    const { history } = await renderApp(path)
    await waitFor(() => expect(history.location.pathname).toBe('/home/index'))
  })

  test('are matched strictly', () => {
    expect(routeAt('/lang')?.name).toBe('Lang')
    expect(hasRoute('/lang/')).toBe(false)
    expect(hasRoute('/Lang')).toBe(false)
  })

  test('and names are unique', () => {
    expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length)
    expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
  })

  test.each(routes.map((route) => [route.path, route] as const))(
    '%s has its file',
    async (_, route) => {
      expect((await route.load()).default).toBeTypeOf('function')
    },
  )
})

describe('guard', () => {
  const at = (path: string) => new URL(path, 'http://candor.test')

  test('lets a guest open what is open', () => {
    expect(guard(at('/home/index'))).toBeNull()
    expect(guard(at('/lang?x=1'))).toBeNull()
  })

  test('sends unknown paths home', () => {
    expect(guard(at('/home/index/'))).toBe('/home/index')
  })

  test('the way back is one of our screens, never another site', () => {
    expect(returnPath('?from=%2Flang')).toBe('/lang')
    expect(returnPath('?from=%2Flang%3Fx%3D1')).toBe('/lang?x=1')
    for (const from of ['https://evil.test', '//evil.test', '/nowhere', 'javascript:1', '']) {
      expect(returnPath(`?from=${encodeURIComponent(from)}`)).toBe('/home/index')
    }
    expect(loginPathFrom('/order?x=1')).toBe('/login?from=%2Forder%3Fx%3D1')
  })
})

describe('navigation', () => {
  test('shows only screens that exist', async () => {
    await renderApp('/home/index')
    const nav = await screen.findByRole('navigation', { name: 'Main' })
    for (const link of nav.querySelectorAll('a')) {
      expect(hasRoute(link.getAttribute('href') ?? '')).toBe(true)
    }
  })
})

describe('language', () => {
  test('switches at once, and settles the price colours with the first choice', async () => {
    usePreferences.setState({ direction: null })
    await renderApp('/lang')
    await userEvent.click(await screen.findByRole('button', { name: /简体中文/ }))
    expect(await screen.findByRole('heading', { name: '语言' })).toBeTruthy()
    expect(document.title).toBe('语言 · Candor')
    expect(document.documentElement.dataset.direction).toBe('red-up')
    await userEvent.click(screen.getByRole('button', { name: /English/ }))
    expect(await screen.findByRole('heading', { name: 'Language' })).toBeTruthy()
    expect(document.documentElement.dataset.direction).toBe('red-up')
  })

  test('is found by its name in any spelling', async () => {
    await renderApp('/lang')
    const search = await screen.findByRole('searchbox')
    await userEvent.type(search, 'arab')
    expect(screen.getByRole('button', { name: /العربية/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /English/ })).toBeNull()
    await userEvent.clear(search)
    await userEvent.type(search, 'zzz')
    expect(screen.getByText('No language matches “zzz”.')).toBeTruthy()
  })
})

test('preferences take effect at once and are kept', async () => {
  usePreferences.setState({ direction: null, themeMode: 'dark' })
  await renderApp('/preferenceSet')
  await userEvent.click(await screen.findByRole('radio', { name: 'Light' }))
  await userEvent.click(screen.getByRole('radio', { name: /Blue up/ }))
  await userEvent.click(screen.getByRole('radio', { name: '12-hour' }))
  expect(document.documentElement.dataset.theme).toBe('light')
  expect(document.documentElement.dataset.direction).toBe('blue-orange')
  expect(storage.read('themeMode')).toBe('light')
  expect(storage.read('preferences')).toMatchObject({ direction: 'blue-orange', hourCycle: '12' })
})

describe('the platform check', () => {
  const down = () => Promise.reject(new TypeError('failed'))
  const runs = () => Promise.resolve({ status: 1, data: 1 })

  test('one failure is forgiven, two in a row show the banner above what is known', async () => {
    await renderApp('/home/index')
    await screen.findByRole('navigation', { name: 'Main' })
    // The app polls by itself as well; this resets its count and ignores polls made during the test.
    const inARow = (...answers: Parameters<typeof checkPlatform>[0][]) =>
      act(async () => {
        for (const answer of [runs, ...answers]) await checkPlatform(answer)
      })
    await inARow(down)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await inARow(down, down)
    expect(screen.getByText(/Offline since/)).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await inARow()
    expect(screen.queryByText(/Offline since/)).toBeNull()
  })

  test('without any response yet, the offline screen covers the app', async () => {
    await renderApp('/home/index')
    await screen.findByRole('navigation', { name: 'Main' })
    await act(() => checkPlatform(runs))
    act(() => usePlatformStatus.setState({ kind: 'offline', since: 0 }, true))
    expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeTruthy()
    expect(screen.queryByText(/Offline since/)).toBeNull()
    await act(() => checkPlatform(runs))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('an answer that comes after that of a later check counts no more', async () => {
    let answerLate = (_: { status: number; data: number }) => {}
    const earlier = checkPlatform(() => new Promise((resolve) => (answerLate = resolve)))
    await checkPlatform(() => Promise.resolve({ status: 1, data: 0 }))
    answerLate({ status: 1, data: 1 })
    await earlier
    expect(usePlatformStatus.getState().kind).toBe('stopped')
    await checkPlatform(runs)
    expect(usePlatformStatus.getState().kind).toBe('running')
  })

  test('a device without network is offline at once', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await checkPlatform(down)
    expect(usePlatformStatus.getState().kind).toBe('offline')
  })

  test('a wrong clock is corrected and asked again', async () => {
    const answers = [
      { status: 0, code: 'newsign', serverTime: Date.now() + 600_000 },
      { status: 1, data: 1 },
    ]
    await checkPlatform(() => Promise.resolve(answers.shift() ?? {}))
    expect(usePlatformStatus.getState().kind).toBe('running')
    expect(serverNow() - Date.now()).toBeGreaterThan(590_000)
    correctClock(Date.now())
  })

  test.each([
    { status: 1, data: 0 },
    { status: 0, data: 1 },
    { status: 0, code: 'maintenance', enMsg: 'Back at 10:00 UTC' },
  ])('%j shows why the platform is stopped', async (answer) => {
    await renderApp('/home/index')
    await screen.findByRole('navigation', { name: 'Main' })
    await act(() => checkPlatform(() => Promise.resolve(answer)))
    expect(await screen.findByRole('heading', { name: 'Maintenance' })).toBeTruthy()
    const reason = answer.enMsg ?? /down for maintenance/
    expect(screen.getByText(reason)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Contact customer service' })).toBeNull()
  })

  test('maintenance leads to the chat, and only there', async () => {
    const { history } = await renderApp('/home/index')
    await screen.findByRole('navigation', { name: 'Main' })
    const maintained = { status: 0, code: 'platform.maintenance' }
    await act(() => checkPlatform(() => Promise.resolve(maintained)))
    await userEvent.click(screen.getByRole('link', { name: 'Contact customer service' }))
    expect(await screen.findByLabelText('Message')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Maintenance' })).toBeNull()
    await act(async () => history.push('/home/index'))
    expect(await screen.findByRole('heading', { name: 'Maintenance' })).toBeTruthy()
    await act(async () => history.push('/kefu'))
    await act(() => checkPlatform(() => Promise.resolve({ status: 1, data: 0 })))
    expect(screen.getByRole('heading', { name: 'Maintenance' })).toBeTruthy()
  })
})

test('a session that ended is forgotten', async () => {
  startSession('abc', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  await renderApp('/lang')
  await screen.findByRole('heading', { name: 'Language' })
  act(reportSessionEnded)
  expect(isLoggedIn()).toBe(false)
})

test('a demo account is always said to be one', async () => {
  startSession('abc', { userId: '7', userName: 'al•••', type: 5, authStatus: 3 })
  await renderApp('/home/index')
  expect(await screen.findByText('DEMO')).toBeTruthy()
})

test('a stale build reloads the page once', () => {
  sessionStorage.clear()
  const reload = vi.fn()
  reloadOnce(reload)
  reloadOnce(reload)
  expect(reload).toHaveBeenCalledOnce()
})
