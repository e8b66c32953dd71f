import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearSession, startSession, useSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { startRenewal } from './token-renewal'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }
const day = 24 * 3_600_000
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  vi.setSystemTime(1_800_000_000_000)
  startSession('old', user)
})

afterEach(() => {
  stop()
  clearSession()
  vi.useRealTimers()
})

const settle = () => vi.waitFor(() => {})

test('a token of a day is exchanged, a younger one is not', async () => {
  const asked = fakeServer({ 'api/rftk': () => answer('fresh') })
  stop = startRenewal()
  await vi.advanceTimersByTimeAsync(day - 1)
  await settle()
  expect(asked).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(3_600_000)
  await vi.waitFor(() => expect(useSession.getState().token).toBe('fresh'))
  expect(storage.read('token')).toBe('fresh')
  await vi.advanceTimersByTimeAsync(day - 3_600_001)
  expect(asked).toHaveLength(1)
})

test('a refusal keeps the old one', async () => {
  const asked = fakeServer({ 'api/rftk': () => refusal('token.too_young') })
  storage.write('tokenAt', '0')
  stop = startRenewal()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect(useSession.getState().token).toBe('old')
})

test('a token that another tab has replaced is left alone', async () => {
  storage.write('tokenAt', '0')
  fakeServer({
    'api/rftk': () => {
      storage.write('token', 'of the other tab')
      return answer('fresh')
    },
  })
  stop = startRenewal()
  await vi.waitFor(() => expect(storage.read('token')).toBe('of the other tab'))
  await new Promise((done) => setTimeout(done, 20))
  expect(storage.read('token')).toBe('of the other tab')
})

test('a session that has ended is not renewed', async () => {
  const asked = fakeServer({ 'api/rftk': () => answer('fresh') })
  stop = startRenewal()
  stop()
  await vi.advanceTimersByTimeAsync(2 * day)
  expect(asked).toHaveLength(0)
})
