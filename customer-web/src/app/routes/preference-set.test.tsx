import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { readChanges } from '@/storage/preference-changes'
import { answer, fakeServer } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'
import { defaultPreferences, usePreferences } from '@/theme/preferences'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }
const name = /Use these settings on this device only/

beforeEach(() => {
  setScreen('phone')
  clearSession()
  usePreferences.setState(defaultPreferences)
})

test('a registered trader gets the account’s settings, unless this device keeps its own', async () => {
  startSession('abc', user)
  const asked = fakeServer({
    'userMsg/findUserMsgSettings': () => answer({ list: [] }),
    'user/getPreferences': () =>
      answer({ fields: [{ name: 'hourCycle', value: '12', changedAt: 1 }] }),
  })
  await renderApp('/preferenceSet')
  await waitFor(() => expect(usePreferences.getState().hourCycle).toBe('12'))
  const own = (await screen.findByRole('switch', { name })) as HTMLInputElement
  expect(own.checked).toBe(false)
  await userEvent.click(own)
  expect(readChanges().deviceOnly).toBe('7')
  expect(own.checked).toBe(true)
  screen.getByText(/Changes you make here stay on this device/)
  await userEvent.click(own)
  expect(readChanges().deviceOnly).toBeUndefined()
  screen.getByText(/saved to your account/)
  expect(asked.map(({ path }) => path)).toContain('user/getPreferences')
})

test.each([
  ['a visitor', null],
  ['a guest', { ...user, type: 8 }],
])('%s keeps them on the device, and no account is asked', async (_, guest) => {
  if (guest) startSession('abc', guest)
  const asked = fakeServer({})
  await renderApp('/preferenceSet')
  await screen.findByText(/When you register or log in/)
  expect(screen.queryByRole('switch', { name })).toBeNull()
  expect(asked.map(({ path }) => path)).not.toContain('user/getPreferences')
})
