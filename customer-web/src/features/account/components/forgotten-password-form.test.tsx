import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { challenges, withSolver } from '@/testing/challenges'
import { answer, fakeServer, refusal, withoutConfig } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import { ForgottenPasswordForm } from './forgotten-password-form'

const replace = 'api/forgetUserPassword'
const send = 'user/sendForgetPasswordValidCode'
const writes = (asked: ReturnType<typeof fakeServer>) =>
  asked.filter(({ path }) => path !== 'common/getVerify')
const maria = { kind: 'mail', mail: 'maria@mail.com', country: '', phone: '' } as const

beforeEach(() => setScreen('phone'))

async function fill(password = 'correct horse') {
  await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
  await userEvent.type(screen.getByLabelText('Verification code'), '123456')
  await userEvent.type(screen.getByLabelText('New password'), password)
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Set new password' }))

test('everything at once replaces the password; what that ends and holds back was said before', async () => {
  const asked = fakeServer({ [replace]: () => answer(1) })
  const onDone = vi.fn()
  await renderPart(<ForgottenPasswordForm contact={undefined} onDone={onDone} />)
  expect(await screen.findByText(/logs out all devices and puts withdrawals on hold/)).toBeTruthy()
  await fill()
  expect(writes(withoutConfig(asked))).toHaveLength(0)
  await submit()
  await waitFor(() =>
    expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ mail: 'maria@mail.com' })),
  )
  expect(writes(withoutConfig(asked)).map(({ body }) => body)).toEqual([
    { account: 'maria@mail.com', password: 'correct horse', validCode: '123456' },
  ])
})

test('what is missing is said at its field, and nothing is sent', async () => {
  const asked = fakeServer({})
  await renderPart(<ForgottenPasswordForm contact={undefined} onDone={vi.fn()} />)
  await screen.findByLabelText('New password')
  await submit()
  expect(await screen.findByText('Fill this in.')).toBeTruthy()
  expect(screen.getByText('Enter all 6 digits.')).toBeTruthy()
  expect(screen.getByText('Use at least 8 characters.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Email address'))
  expect(writes(withoutConfig(asked))).toHaveLength(0)
})

test('a code goes to the contact that was typed at the log-in, and is not said to have one to go to', async () => {
  const asked = fakeServer({
    [send]: () => answer({ resendAfter: 60, expiresAfter: 600 }),
    ...challenges(),
  })
  await renderPart(withSolver(<ForgottenPasswordForm contact={maria} onDone={vi.fn()} />))
  await userEvent.click(await screen.findByRole('button', { name: 'Send code' }))
  expect(await screen.findByText(/If the account exists.* works for 10 minutes/)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Verification code'))
  expect(writes(withoutConfig(asked)).map(({ body, verify }) => [body, verify])).toEqual([
    [{ account: 'maria@mail.com' }, 'c1.7'],
  ])
})

test('where a code was sent a moment ago, that one is to be used', async () => {
  fakeServer({
    [send]: () => refusal('code.too_soon', { args: { seconds: '45' } }),
    ...challenges(),
  })
  await renderPart(withSolver(<ForgottenPasswordForm contact={maria} onDone={vi.fn()} />))
  await userEvent.click(await screen.findByRole('button', { name: 'Send code' }))
  const wait = await screen.findByRole<HTMLButtonElement>('button', { name: /Send code 0:4/ })
  expect(wait.disabled).toBe(true)
  expect(screen.getByText(/may have sent a code a short time ago/)).toBeTruthy()
})

test.each([
  ['code.wrong', {}, 'Verification code', /wrong or has expired/],
  ['invalid_input', { fields: { account: 'field.account' } }, 'Email address', /complete email/],
  [
    'invalid_input',
    { fields: { password: 'field.password_common' } },
    'New password',
    /too common/,
  ],
])('what the server refuses (%s %j) stands at the field', async (code, more, label, text) => {
  fakeServer({ [replace]: () => refusal(code, more) })
  const onDone = vi.fn()
  await renderPart(<ForgottenPasswordForm contact={undefined} onDone={onDone} />)
  await fill()
  await submit()
  expect(await screen.findByText(text)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText(label))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(onDone).not.toHaveBeenCalled()
})

test('what concerns no field is said above the button', async () => {
  fakeServer({ [replace]: () => refusal('unavailable', { httpStatus: 503 }) })
  await renderPart(<ForgottenPasswordForm contact={undefined} onDone={vi.fn()} />)
  await fill()
  await submit()
  expect((await screen.findByRole('alert')).textContent).toMatch(/service is not available/)
})

test('the new password can be shown', async () => {
  fakeServer({})
  await renderPart(<ForgottenPasswordForm contact={undefined} onDone={vi.fn()} />)
  const password = await screen.findByLabelText('New password')
  expect(password.getAttribute('type')).toBe('password')
  expect(password.getAttribute('autocomplete')).toBe('new-password')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password.getAttribute('type')).toBe('text')
})

test.each([
  ['false', 0],
  ['true', 1],
])(
  'where codes reach telephones is %s, that many tabs of a telephone are offered: %i',
  async (value, tabs) => {
    const asked = fakeServer({
      'config/findFrontConfigList': () => answer([{ key: 'contact.phone', value }]),
    })
    await renderPart(<ForgottenPasswordForm contact={undefined} onDone={vi.fn()} />)
    await waitFor(() =>
      expect(asked.some(({ path }) => path === 'config/findFrontConfigList')).toBe(true),
    )
    await waitFor(() => expect(screen.queryAllByRole('tab', { name: 'Phone' })).toHaveLength(tabs))
  },
)
