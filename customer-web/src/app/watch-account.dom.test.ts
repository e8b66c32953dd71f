import { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startI18n } from '@/i18n/i18n'
import { clearSession, replaceToken, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { switchElsewhere } from '@/testing/switch-elsewhere'
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
  stop = watchAccount(client)
})

afterEach(() => {
  stop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  clearSession()
  useToasts.setState({ shown: [] })
})

const elsewhere = (token: string, changes: object) =>
  switchElsewhere(token, { ...user, ...changes })

test.each([{ accountId: 12 }, { type: 5, accountId: 13 }, { userId: '8', accountId: 14 }])(
  'a switch to %o in another tab is said',
  async (changes) => {
    elsewhere('new', changes)
    await waitFor(() => expect(shown()).toEqual([expect.stringContaining('You are now using')]))
    expect(shown()[0]).toContain('Swing')
  },
)

test('a hidden tab says it when it is seen', async () => {
  hide(true)
  elsewhere('new', { accountId: 12 })
  await vi.dynamicImportSettled()
  expect(shown()).toEqual([])
  hide(false)
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(shown()).toHaveLength(1))
})

test('another token or another state of the same account is no switch', async () => {
  elsewhere('new', { authStatus: 1 })
  replaceToken('new', 'newer')
  expect(shown()).toEqual([])
})
