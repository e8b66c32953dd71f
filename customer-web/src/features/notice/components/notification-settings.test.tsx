import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'
import type { NotificationSetting } from '../api/settings'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }
const orders: NotificationSetting = {
  category: 'orders',
  inApp: true,
  mail: false,
  inAppLocked: false,
  mailLocked: false,
}
const margin: NotificationSetting = {
  category: 'margin',
  inApp: true,
  mail: true,
  inAppLocked: true,
  mailLocked: true,
}

beforeEach(() => {
  setScreen('phone')
  clearSession()
})

const stateOf = async (name: string) => {
  const found = (await screen.findByRole('switch', { name })) as HTMLInputElement
  return [found.checked, found.disabled]
}

test('a switch stores the setting of its category, and what is always on can’t be switched', async () => {
  startSession('abc', user)
  let stored = orders
  const asked = fakeServer({
    'userMsg/findUserMsgSettings': () => answer({ list: [stored, margin] }),
    'userMsg/updateUserMsgSetting': () => {
      stored = { ...orders, mail: true }
      return answer({ list: [stored, margin] })
    },
  })
  await renderApp('/preferenceSet')
  expect(await stateOf('Orders, email')).toEqual([false, false])
  expect(await stateOf('Margin, email')).toEqual([true, true])
  expect(screen.getAllByText('Always on')).toHaveLength(2)
  await userEvent.click(screen.getByRole('switch', { name: 'Orders, email' }))
  await waitFor(async () => expect(await stateOf('Orders, email')).toEqual([true, false]))
  const told = asked.filter(({ path }) => path === 'userMsg/updateUserMsgSetting')
  expect(told.map(({ body }) => body)).toEqual([{ category: 'orders', inApp: true, mail: true }])
})

test('a setting that is not stored goes back, with the reason', async () => {
  startSession('abc', user)
  fakeServer({
    'userMsg/findUserMsgSettings': () => answer({ list: [orders] }),
    'userMsg/updateUserMsgSetting': () => refusal('general'),
  })
  await renderApp('/preferenceSet')
  await userEvent.click(await screen.findByRole('switch', { name: 'Orders, in app' }))
  expect(await screen.findByText(/This setting was not saved/)).toBeTruthy()
  await waitFor(async () => expect(await stateOf('Orders, in app')).toEqual([true, false]))
})

test.each([
  ['a visitor', null],
  ['a guest', { ...user, type: 8 }],
])('%s has no notification settings', async (_, who) => {
  if (who) startSession('abc', who)
  const asked = fakeServer({})
  await renderApp('/preferenceSet')
  expect(await screen.findByRole('switch', { name: /Order sounds/ })).toBeTruthy()
  expect(screen.queryByText('Notifications')).toBeNull()
  expect(asked.map(({ path }) => path)).not.toContain('userMsg/findUserMsgSettings')
})
