import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: -1 }
const guards = { phraseSet: false, authenticator: false, passkeys: 0, recoveryCodes: 0 }
const security = { mail: 'ma***a@mail.com', phone: '', payPasswordSet: false, ...guards }
const sent = () => answer({ resendAfter: 60, expiresAfter: 600 })
const now = Date.UTC(2026, 10, 29, 9)

type Answers = Parameters<typeof fakeServer>[0]

function serve(more: Answers = {}, settings: object = security) {
  return fakeServer({
    'config/findFrontConfigList': () =>
      answer([{ key: 'contact.phone', value: 'true', type: 'bool' }]),
    'user/findSecurityInfo': () => answer(settings),
    'user/sendSecurityValidCode': sent,
    'user/sendContactValidCode': sent,
    ...more,
  })
}

beforeEach(() => {
  storage.remove('appConfig')
  setScreen('phone')
  clearSession()
  startSession('token', user)
})

const main = () => within(screen.getByRole('main'))
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))

async function type(fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields))
    await userEvent.type(await screen.findByLabelText(label), text)
}

describe('/bindContact', () => {
  const filled = {
    'Login password': 'correct horse',
    'Code to confirm it’s you': '111111',
    'New email address': 'maria@new.example',
    'Code from the new email address': '222222',
  }

  test.each([
    ['mail', 'Change email address', /phone/i],
    ['phone', 'Add phone number', /email address/i],
  ])('the page of one kind (%s) speaks of that kind alone', async (kind, title, other) => {
    serve()
    await renderApp(`/bindContact?kind=${kind}`)
    await screen.findByRole('button', { name: title })
    expect(screen.getByRole('heading', { name: title })).toBeTruthy()
    expect(screen.queryByRole('tab')).toBeNull()
    expect(main().queryByText(other)).toBeNull()
    expect(main().getByRole('note').textContent).toMatch(/on hold for 72 hours/)
    expect(main().getAllByRole('region')).toHaveLength(3)
  })

  test('the contact is proven, changed, and the end says who was told and until when', async () => {
    const asked = serve({
      'user/updateContact': () =>
        answer({
          ...security,
          mail: 'ma***a@new.example',
          moneyOutHeldUntil: now,
          moneyOutHoldReason: 'contact_change',
        }),
    })
    await renderApp('/bindContact?kind=mail')
    await type(filled)
    await press('Change email address')
    const done = await screen.findByText('Email address saved')
    expect(done.closest('[role=status]')?.textContent).toMatch(
      /ma•••a@new\.example.*notified.*on hold until .*2026/,
    )
    expect(screen.getByRole('link', { name: 'Back to security' })).toBeTruthy()
    expect(asked.find(({ path }) => path === 'user/updateContact')?.body).toEqual({
      account: 'maria@new.example',
      contactCode: '222222',
      password: 'correct horse',
      validCode: '111111',
    })
  })

  test.each([
    ['contact.code_wrong', 'Code from the new email address', 'Code to confirm it’s you', '111111'],
    ['code.wrong', 'Code to confirm it’s you', 'Code from the new email address', '222222'],
  ])('%s stands at its own field, and the other code stays', async (code, at, other, kept) => {
    serve({ 'user/updateContact': () => refusal(code) })
    await renderApp('/bindContact?kind=mail')
    await type(filled)
    await press('Change email address')
    await waitFor(() => expect(screen.getByLabelText(at).getAttribute('aria-invalid')).toBe('true'))
    expect(document.activeElement).toBe(screen.getByLabelText(at))
    const rest = screen.getByLabelText<HTMLInputElement>(other)
    expect(rest.getAttribute('aria-invalid')).toBe('false')
    expect(rest.value).toBe(kept)
  })

  test('a code is sent to a whole contact alone, and a changed contact needs another one', async () => {
    const asked = serve()
    await renderApp('/bindContact?kind=mail')
    await screen.findByLabelText('New email address')
    const send = () => screen.getAllByRole('button', { name: /^Send/ })[1] as HTMLButtonElement
    await userEvent.click(send())
    expect(await screen.findByText('Fill this in.')).toBeTruthy()
    await type({ 'New email address': 'maria@new.example' })
    await userEvent.click(send())
    await waitFor(() => expect(send().textContent).toMatch(/Send again/))
    await type({ 'New email address': '.mx' })
    expect(send().textContent).toMatch(/Send code/)
    expect(
      asked.filter(({ path }) => path === 'user/sendContactValidCode').map(({ body }) => body),
    ).toEqual([{ account: 'maria@new.example' }])
  })
})

const device = (deviceId: number, more: object = {}) => ({
  deviceId,
  name: `Chrome ${deviceId}, Windows`,
  ip: `203.0.113.${deviceId}`,
  firstSeenAt: now,
  lastSeenAt: now,
  active: true,
  current: false,
  ...more,
})
const mine = device(1, { current: true, country: 'PT', city: 'Lisbon' })

/** A server with devices that are gone once they were signed out. */
function withDevices(all: ReturnType<typeof device>[], more: Answers = {}, settings?: object) {
  let left = all
  return serve(
    {
      'user/findDevicePage': () => answer({ list: left, next: 0 }),
      'user/deleteDevice': ({ body }) => {
        const { deviceId } = body as { deviceId?: number }
        left = left.filter((one) =>
          deviceId === undefined ? one.current : one.deviceId !== deviceId,
        )
        return answer(1)
      },
      ...more,
    },
    settings,
  )
}

const signOut = /^Log out Chrome 2/
const deleted = (asked: ReturnType<typeof fakeServer>) =>
  asked.filter(({ path }) => path === 'user/deleteDevice').map(({ body }) => body)

describe('/deviceManagement', () => {
  test('says where a device was, and nothing where that is unknown', async () => {
    withDevices([mine, device(2, { country: 'ES' }), device(3)])
    await renderApp('/deviceManagement')
    const rows = await screen.findAllByRole('listitem')
    expect(rows[0]?.textContent).toMatch(/This device.*Lisbon, Portugal · 203\.0\.113\.1/)
    expect(rows[1]?.textContent).toMatch(/Spain · 203\.0\.113\.2/)
    expect(rows[2]?.textContent).not.toMatch(/unknown| · 203/i)
  })

  test('the sheet names the device and what happens; the list changes at once', async () => {
    const asked = withDevices([mine, device(2, { country: 'ES' })])
    await renderApp('/deviceManagement')
    await userEvent.click(await screen.findByRole('button', { name: signOut }))
    const sheet = within(await screen.findByRole('dialog'))
    expect(sheet.getByText('Chrome 2, Windows')).toBeTruthy()
    expect(sheet.getByText(/Spain/)).toBeTruthy()
    expect(sheet.getByText(/logged out at once/)).toBeTruthy()
    await userEvent.click(sheet.getByRole('button', { name: 'Log out' }))
    expect(await sheet.findByText('Fill this in.')).toBeTruthy()
    await userEvent.type(sheet.getByLabelText('Login password'), 'correct horse')
    await userEvent.click(sheet.getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(screen.queryByText('Chrome 2, Windows')).toBeNull())
    expect(screen.getByText('Your account is used on this device only.')).toBeTruthy()
    expect(deleted(asked)).toEqual([{ deviceId: 2, password: 'correct horse' }])
  })

  test('a wrong password stands at its field, and the device stays', async () => {
    withDevices([mine, device(2)], { 'user/deleteDevice': () => refusal('login.password_wrong') })
    await renderApp('/deviceManagement')
    await userEvent.click(await screen.findByRole('button', { name: signOut }))
    const sheet = within(await screen.findByRole('dialog'))
    await userEvent.type(sheet.getByLabelText('Login password'), 'wrong')
    await userEvent.click(sheet.getByRole('button', { name: 'Log out' }))
    expect(await sheet.findByText('Your login password is wrong.')).toBeTruthy()
    expect(screen.getAllByText('Chrome 2, Windows').length).toBeGreaterThan(0)
  })

  test('the second factor takes the place of the password; the password still works', async () => {
    const confirmations = {
      'userFactor/createConfirmation': () => answer({ validCode: 'confirmed', expiresAfter: 300 }),
    }
    const asked = withDevices([mine, device(2), device(3)], confirmations, {
      ...security,
      authenticator: true,
    })
    await renderApp('/deviceManagement')
    await userEvent.click(await screen.findByRole('button', { name: signOut }))
    let sheet = within(await screen.findByRole('dialog'))
    expect(sheet.queryByLabelText('Login password')).toBeNull()
    await userEvent.type(sheet.getByLabelText('Authenticator code'), '123456')
    await userEvent.click(sheet.getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(screen.queryByText('Chrome 2, Windows')).toBeNull())
    await press('Log out all other devices')
    sheet = within(await screen.findByRole('dialog'))
    await userEvent.click(sheet.getByRole('button', { name: 'Use login password' }))
    await userEvent.type(sheet.getByLabelText('Login password'), 'correct horse')
    await userEvent.click(sheet.getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(screen.queryByText('Chrome 3, Windows')).toBeNull())
    expect(screen.getByText('Chrome 1, Windows')).toBeTruthy()
    expect(deleted(asked)).toEqual([
      { deviceId: 2, validCode: 'confirmed' },
      { password: 'correct horse' },
    ])
    expect(asked.find(({ path }) => path === 'userFactor/createConfirmation')?.body).toEqual({
      act: { security: 'remove_device' },
      code: '123456',
    })
  })

  test('the list goes on where there is a next page', async () => {
    const asked = serve({
      'user/findDevicePage': ({ query }) =>
        query.get('next') === '2'
          ? answer({ list: [device(3)], next: 0 })
          : answer({ list: [mine, device(2)], next: 2 }),
    })
    await renderApp('/deviceManagement')
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('Chrome 3, Windows')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
    expect(asked.filter(({ path }) => path === 'user/findDevicePage')).toHaveLength(2)
  })
})

const event = (eventId: number, kind: string, more: object = {}) => ({
  eventId,
  kind,
  time: now,
  by: 'trader',
  ip: '203.0.113.24',
  device: 'Chrome, Windows',
  ...more,
})

describe('/securityEvents', () => {
  test('an alarming event has a word beside its icon, another has none', async () => {
    serve({
      'user/findSecurityEventPage': () =>
        answer({
          list: [
            event(4, 'refuse_code', { by: 'visitor', country: 'PT', city: 'Lisbon' }),
            event(3, 'new_device'),
            event(2, 'change_contact', { about: 'ma***a@mail.com' }),
            event(1, 'login'),
          ],
          next: 0,
        }),
    })
    await renderApp('/securityEvents')
    const rows = await screen.findAllByRole('listitem')
    expect(rows.map((row) => /Check this/.test(row.textContent ?? ''))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(rows[0]?.textContent).toMatch(
      /Wrong code.*Someone not logged in · Lisbon, Portugal · 203\.0\.113\.24 · Chrome, Windows.*2026/,
    )
    expect(rows[2]?.textContent).toMatch(/ma•••a@mail\.com/)
    expect(rows[3]?.textContent).toMatch(/^Logged inYou · 203\.0\.113\.24 · Chrome, Windows/)
  })

  test('the list goes on where there is a next page', async () => {
    serve({
      'user/findSecurityEventPage': ({ query }) =>
        query.get('next') === '9'
          ? answer({ list: [event(8, 'register')], next: 0 })
          : answer({ list: [event(9, 'login')], next: 9 }),
    })
    await renderApp('/securityEvents')
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('Registered')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })
})
