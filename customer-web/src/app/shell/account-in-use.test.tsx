import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useAccountName } from '@/session/account-name'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { renderPart } from '@/testing/render-app'
import { AccountInUse } from './account-in-use'

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

test.each([
  [1, { accountNumber: 3 }, 'Real account 3'],
  [1, { accountNumber: 1, accountName: 'Swing' }, 'Swing'],
  [5, { accountNumber: 2 }, 'DEMODemo account 2'],
  [5, { accountNumber: 1 }, 'DEMOPractice account. Not real money.'],
])('an account of type %s with %o is named', async (type, info, text) => {
  startSession('token', { userId: '7', userName: 'al•••', type, authStatus: 3 })
  fakeServer({ 'user/findUserInfo': () => answer(info) })
  const { container } = await renderPart(<AccountInUse />)
  await vi.waitFor(() => expect(container.textContent).toBe(text))
})

test('nothing is said of an unnamed main account', async () => {
  startSession('token', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  const asked = fakeServer({ 'user/findUserInfo': () => answer({ accountNumber: 1 }) })
  const { container } = await renderPart(
    <>
      <AccountInUse />
      <Known />
    </>,
  )
  await screen.findByText('number 1')
  expect(asked).toHaveLength(1)
  expect(container.textContent).toBe('number 1')
})

/** Says what is known of the account, when it is. */
function Known() {
  const own = useAccountName()
  return own && <p>number {own.number}</p>
}
