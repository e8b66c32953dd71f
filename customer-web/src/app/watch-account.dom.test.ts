import { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startI18n } from '@/i18n/i18n'
import { clearSession, replaceToken, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer } from '@/testing/fake-server'
import { useToasts } from '@/ui/toast/toast-store'
import { watchAccount } from './watch-account'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3, accountId: 11 }
const shown = () => useToasts.getState().shown.map(({ text }) => text)

const hide = (hidden: boolean) => vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)

let client: QueryClient
let stop: () => void

beforeAll(() => startI18n(() => {}))

beforeEach(() => {
  hide(false)
  startSession('abc', user)
  fakeServer({ 'user/findUserInfo': () => answer({ accountNumber: 2, accountName: 'Swing' }) })
  client = new QueryClient()
  client.setQueryData(['wallet'], 'of the first account')
  stop = watchAccount(client)
})

afterEach(() => {
  stop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  clearSession()
  useToasts.setState({ shown: [] })
})

/** What the tab that switches the account does, in the order in which the others hear of it. */
function elsewhere(token: string, changes: object) {
  storage.write('token', token)
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  storage.write('userInfo', { ...user, ...changes })
  window.dispatchEvent(new StorageEvent('storage', { key: 'userInfo' }))
}

test.each([{ accountId: 12 }, { type: 5, accountId: 13 }, { userId: '8', accountId: 14 }])(
  'after a switch to %o in another tab nothing of the account before is left',
  async (changes) => {
    elsewhere('new', changes)
    expect(client.getQueryData(['wallet'])).toBeUndefined()
    await waitFor(() => expect(shown()).toEqual([expect.stringContaining('You are now using')]))
    expect(shown()[0]).toContain('Swing')
  },
)

test('the same after a log-out in between', () => {
  clearSession()
  elsewhere('new', { userId: '8' })
  expect(client.getQueryData(['wallet'])).toBeUndefined()
})

test('a hidden tab says it when it is seen', async () => {
  hide(true)
  elsewhere('new', { accountId: 12 })
  await vi.dynamicImportSettled()
  expect(shown()).toEqual([])
  hide(false)
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(shown()).toHaveLength(1))
})

test('another token or another state of the same account changes nothing on screen', async () => {
  elsewhere('new', { authStatus: 1 })
  replaceToken('new', 'newer')
  expect(client.getQueryData(['wallet'])).toBe('of the first account')
  expect(shown()).toEqual([])
})
