import { QueryClient } from '@tanstack/react-query'
import { act, render, renderHook, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearSession, replaceToken, startSession } from '@/session/session-store'
import { switchElsewhere } from '@/testing/switch-elsewhere'
import { useAccountSwitches } from './use-account-switches'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3, accountId: 11 }

let client: QueryClient

beforeEach(() => {
  startSession('abc', user)
  client = new QueryClient()
  client.setQueryData(['wallet'], 'of the first account')
})

afterEach(clearSession)

test.each([{ accountId: 12 }, { type: 5, accountId: 13 }, { userId: '8', accountId: 14 }])(
  'after a switch to %o in another tab nothing of the account before is left',
  (changes) => {
    renderHook(() => useAccountSwitches(client))
    act(() => switchElsewhere('new', { ...user, ...changes }))
    expect(client.getQueryData(['wallet'])).toBeUndefined()
  },
)

test('the same after a log-out in between', () => {
  renderHook(() => useAccountSwitches(client))
  act(clearSession)
  act(() => switchElsewhere('new', { ...user, userId: '8' }))
  expect(client.getQueryData(['wallet'])).toBeUndefined()
})

test('another token or another state of the same account changes nothing on screen', () => {
  renderHook(() => useAccountSwitches(client))
  act(() => switchElsewhere('new', { ...user, authStatus: 1 }))
  act(() => replaceToken('new', 'newer'))
  expect(client.getQueryData(['wallet'])).toBe('of the first account')
})

function Sheet() {
  const [open, setOpen] = useState(false)
  if (open) return <p>Close all</p>
  return (
    <button type="button" onClick={() => setOpen(true)}>
      Open
    </button>
  )
}

function Screen() {
  return <Sheet key={useAccountSwitches(client)} />
}

test('a sheet that was opened on one account is closed', () => {
  render(<Screen />)
  act(() => screen.getByRole('button').click())
  act(() => switchElsewhere('new', { ...user, authStatus: 1 }))
  expect(screen.getByText('Close all')).toBeTruthy()
  act(() => switchElsewhere('new', { ...user, accountId: 12 }))
  expect(screen.queryByText('Close all')).toBeNull()
})
