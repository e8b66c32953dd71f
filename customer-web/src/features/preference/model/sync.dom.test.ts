import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearSession, startSession } from '@/session/session-store'
import { noteChange, readChanges, setDeviceOnly } from '@/storage/preference-changes'
import { storage } from '@/storage/storage'
import { answer, fakeServer, type RecordedCall, refusal } from '@/testing/fake-server'
import { defaultPreferences, setPreferences, usePreferences } from '@/theme/preferences'
import { READ_AGAIN_MS, RETRY_MS, SEND_DELAY_MS, startSync } from './sync'

const user = (userId: string) => ({ userId, userName: 'al•••', type: 1, authStatus: 3 })

let account: Wire['Preference'][]
let asked: RecordedCall[]
let down: boolean
let stop = () => {}

/** The server's rule: the newest change of each field wins, and none is in the future. */
function save({ body }: RecordedCall) {
  if (down) return { ...refusal('general'), httpStatus: 503 }
  for (const sent of (body as Wire['Preferences']).fields) {
    const change = { ...sent, changedAt: Math.min(sent.changedAt, Date.now()) }
    const stored = account.find(({ name }) => name === sent.name)
    if (stored && stored.changedAt >= change.changedAt) continue
    account = [...account.filter(({ name }) => name !== sent.name), change]
  }
  return answer({ fields: account })
}

const read = () => (down ? { ...refusal('general'), httpStatus: 503 } : answer({ fields: account }))

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.setSystemTime(1_800_000_000_000)
  usePreferences.setState(defaultPreferences)
  account = []
  down = false
  asked = fakeServer({ 'user/getPreferences': read, 'user/savePreferences': save })
})

afterEach(() => {
  stop()
  clearSession()
})

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const sent = () =>
  asked
    .filter(({ path }) => path === 'user/savePreferences')
    .map(({ body }) => (body as Wire['Preferences']).fields.map(({ name }) => name))
const reads = () => asked.filter(({ path }) => path === 'user/getPreferences').length
const kept = () => Object.fromEntries(account.map(({ name, value }) => [name, value]))

async function logIn(userId: string) {
  stop()
  startSession('abc', user(userId))
  stop = startSync(userId)
  await settle(100)
}

describe('a session of a registered trader', () => {
  test('takes what is newer in the account, and sends what is newer here', async () => {
    setPreferences({ themeMode: 'light', hourCycle: '12' })
    account = [
      { name: 'theme', value: 'dark', changedAt: Date.now() + 1 },
      { name: 'hourCycle', value: '24', changedAt: Date.now() - 1 },
      { name: 'compactRows', value: true, changedAt: 1 },
      { name: 'defaultLots', value: { 7: '0.5' }, changedAt: 1 },
    ]
    await logIn('7')
    const { themeMode, hourCycle, compactRows } = usePreferences.getState()
    expect([themeMode, hourCycle, compactRows]).toEqual(['dark', '12', true])
    expect(storage.read('defaultLots')).toEqual({ 7: '0.5' })
    expect(sent()).toEqual([['hourCycle']])
    expect(kept()).toMatchObject({ theme: 'dark', hourCycle: '12' })
  })

  test('sends nothing that was not changed, and nothing twice', async () => {
    setPreferences({ themeMode: 'light' })
    await logIn('7')
    expect(sent()).toEqual([['theme']])
    await settle(READ_AGAIN_MS)
    window.dispatchEvent(new Event('focus'))
    await settle(100)
    expect(reads()).toBe(2)
    expect(sent()).toHaveLength(1)
  })

  test('sends changes together after a short delay', async () => {
    await logIn('7')
    setPreferences({ themeMode: 'light' })
    await settle(SEND_DELAY_MS - 1)
    setPreferences({ compactRows: true })
    await settle(SEND_DELAY_MS - 1)
    expect(sent()).toEqual([])
    await settle(100)
    expect(sent()).toEqual([['theme', 'compactRows']])
  })

  test('repeats what failed until it succeeds', async () => {
    down = true
    setPreferences({ themeMode: 'light' })
    await logIn('7')
    expect(reads()).toBe(1)
    await settle(RETRY_MS[0])
    expect(reads()).toBe(2)
    down = false
    await settle(RETRY_MS[1])
    expect(kept()).toEqual({ theme: 'light' })
    await settle(10 * READ_AGAIN_MS)
    expect(reads()).toBe(3)
  })

  test('does not repeat what the server refuses', async () => {
    asked = fakeServer({
      'user/getPreferences': read,
      'user/savePreferences': () => refusal('invalid_input'),
    })
    setPreferences({ themeMode: 'light' })
    await logIn('7')
    await settle(10 * READ_AGAIN_MS)
    expect(sent()).toHaveLength(1)
    expect(usePreferences.getState().themeMode).toBe('light')
  })

  test('reads again when the window gets the focus after five minutes, not before', async () => {
    await logIn('7')
    await settle(READ_AGAIN_MS - 200)
    window.dispatchEvent(new Event('focus'))
    await settle(100)
    expect(reads()).toBe(1)
    account = [{ name: 'theme', value: 'dark', changedAt: Date.now() }]
    await settle(200)
    window.dispatchEvent(new Event('focus'))
    await settle(100)
    expect(usePreferences.getState().themeMode).toBe('dark')
  })

  test('ignores what this app can’t use, and does not overwrite it', async () => {
    account = [
      { name: 'theme', value: 'sepia', changedAt: 1 },
      { name: 'timeZone', value: 'Mars/Olympus', changedAt: 1 },
      { name: 'language', value: 'tlh', changedAt: 1 },
    ]
    await logIn('7')
    expect(usePreferences.getState()).toEqual(defaultPreferences)
    expect(sent()).toEqual([])
  })

  test('does nothing after it has ended', async () => {
    await logIn('7')
    stop()
    setPreferences({ themeMode: 'light' })
    await settle(READ_AGAIN_MS)
    window.dispatchEvent(new Event('focus'))
    await settle(100)
    expect([reads(), sent()]).toEqual([1, []])
  })
})

describe('on a device of two traders', () => {
  test('one’s preferences don’t reach the other’s account or screen', async () => {
    await logIn('7')
    setPreferences({ themeMode: 'light', orderEntry: 'one-click', compactRows: true })
    await settle(SEND_DELAY_MS + 100)
    const first = account
    account = [{ name: 'compactRows', value: false, changedAt: 1 }]
    clearSession()
    await logIn('8')
    const { themeMode, orderEntry, compactRows } = usePreferences.getState()
    expect([themeMode, orderEntry, compactRows]).toEqual(['system', null, false])
    expect(sent()).toEqual([['theme', 'compactRows', 'orderEntry']])
    account = first
    clearSession()
    await logIn('7')
    expect(usePreferences.getState()).toMatchObject({ themeMode: 'light', orderEntry: 'one-click' })
  })

  test('what was chosen before the log-in is of who logs in', async () => {
    await logIn('7')
    setPreferences({ themeMode: 'light' })
    await settle(SEND_DELAY_MS + 100)
    stop()
    clearSession()
    setPreferences({ hourCycle: '12' })
    account = []
    await logIn('8')
    expect(kept()).toEqual({ hourCycle: '12' })
    account = []
    clearSession()
    await logIn('7')
    expect(kept()).toEqual({})
  })
})

describe('a device with settings of its own', () => {
  test('sends and takes nothing', async () => {
    await logIn('7')
    setDeviceOnly('7', true)
    setPreferences({ themeMode: 'light' })
    account = [{ name: 'hourCycle', value: '12', changedAt: Date.now() }]
    await settle(READ_AGAIN_MS)
    window.dispatchEvent(new Event('focus'))
    await settle(100)
    expect([reads(), sent()]).toEqual([1, []])
    expect(usePreferences.getState()).toMatchObject({ themeMode: 'light', hourCycle: '24' })
  })

  test('takes the account’s values when the trader ends that', async () => {
    await logIn('7')
    setDeviceOnly('7', true)
    setPreferences({ themeMode: 'light', compactRows: true })
    account = [{ name: 'theme', value: 'dark', changedAt: 1 }]
    setDeviceOnly('7', false)
    await settle(SEND_DELAY_MS + 100)
    expect(usePreferences.getState()).toMatchObject({ themeMode: 'dark', compactRows: false })
    expect(sent()).toEqual([])
  })

  test('ends that when another trader logs in', async () => {
    await logIn('7')
    setDeviceOnly('7', true)
    await logIn('8')
    expect(readChanges().deviceOnly).toBeUndefined()
    expect(reads()).toBe(2)
  })
})

test('colours that follow a language give way to any that were chosen', async () => {
  usePreferences.setState({ direction: 'red-up' })
  noteChange('direction', 0)
  account = [{ name: 'direction', value: 'blue-orange', changedAt: 1 }]
  await logIn('7')
  expect(usePreferences.getState().direction).toBe('blue-orange')
})
