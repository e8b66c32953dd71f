import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { challenges, manualSolver, withSolver } from '@/testing/challenges'
import { answer, fakeServer, refusal, withoutConfig } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import { LoginForm } from './login-form'

const session = { token: 'new', user: { userId: 7, userName: 'ma***a@mail.com', type: 1 } }

beforeEach(() => setScreen('phone'))
afterEach(() => vi.useRealTimers())

async function fill(password = 'correct horse') {
  await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
}

test('hands over the session', async () => {
  const asked = fakeServer({ 'user/login': () => answer(session) })
  const onDone = vi.fn()
  await renderPart(<LoginForm onDone={onDone} />)
  await fill()
  await waitFor(() => expect(onDone).toHaveBeenCalledWith(session))
  expect(withoutConfig(asked)[0]?.body).toEqual({
    account: 'maria@mail.com',
    password: 'correct horse',
    deviceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test('what is missing is said at its field, which gets the focus', async () => {
  const asked = fakeServer({})
  await renderPart(<LoginForm onDone={vi.fn()} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Log in' }))
  expect(await screen.findAllByText('Fill this in.')).toHaveLength(2)
  const account = screen.getByLabelText('Email address')
  expect(account.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(account)
  expect(withoutConfig(asked)).toHaveLength(0)
})

test('one neutral error for a wrong account or password', async () => {
  fakeServer({ 'user/login': () => refusal('login.wrong') })
  await renderPart(<LoginForm onDone={vi.fn()} />)
  await fill()
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong account or password.')
})

test('the password can be shown, and takes what is pasted', async () => {
  fakeServer({})
  await renderPart(<LoginForm onDone={vi.fn()} />)
  const password = await screen.findByLabelText('Password')
  await userEvent.click(password)
  await userEvent.paste('from the manager')
  expect((password as HTMLInputElement).value).toBe('from the manager')
  expect(password.getAttribute('type')).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password.getAttribute('type')).toBe('text')
  expect(password.getAttribute('autocomplete')).toBe('current-password')
})

test('too many tries: the button waits until the time is up', async () => {
  fakeServer({
    'user/login': () => refusal('login.too_many', { httpStatus: 429, args: { seconds: '60' } }),
  })
  await renderPart(<LoginForm onDone={vi.fn()} />)
  fireEvent.change(await screen.findByLabelText('Email address'), { target: { value: 'a@b.cd' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'x' } })
  vi.useFakeTimers()
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
  await act(() => vi.advanceTimersByTimeAsync(0))
  const wait = screen.getByRole<HTMLButtonElement>('button', { name: 'Wait 1:00' })
  expect(wait.disabled).toBe(true)
  expect(screen.getByRole('alert').textContent).toMatch(/Too many attempts/)
  await act(() => vi.advanceTimersByTimeAsync(59_000))
  expect(screen.getByRole('button', { name: 'Wait 0:01' })).toBeTruthy()
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Log in' }).disabled).toBe(false)
  expect(screen.queryByRole('alert')).toBeNull()
})

describe('a new device', () => {
  const server = (more: Parameters<typeof fakeServer>[0] = {}) =>
    fakeServer({
      'user/login': ({ body }) =>
        (body as { validCode?: string }).validCode === '123456'
          ? answer(session)
          : refusal(
              Object.hasOwn(body as object, 'validCode') ? 'code.wrong' : 'login.code_required',
            ),
      'user/sendLoginValidCode': () => answer({ resendAfter: 60, expiresAfter: 600 }),
      ...more,
    })

  test('asks for the code that was sent, and logs in with it', async () => {
    const asked = server()
    const onDone = vi.fn()
    await renderPart(<LoginForm onDone={onDone} />)
    await fill()
    const code = await screen.findByLabelText('Verification code')
    expect(code.getAttribute('autocomplete')).toBe('one-time-code')
    expect(screen.getByText('ma•••@mail.com')).toBeTruthy()
    expect(await screen.findByText('Sent. The code works for 10 minutes.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Send again/ }).disabled).toBe(
      true,
    )
    await userEvent.click(code)
    await userEvent.paste('123 456')
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(withoutConfig(asked).map(({ path }) => path)).toEqual([
      'user/login',
      'user/sendLoginValidCode',
      'user/login',
    ])
  })

  test('a wrong code is said at the field, which is empty again', async () => {
    server()
    await renderPart(<LoginForm onDone={vi.fn()} />)
    await fill()
    const code = await screen.findByLabelText<HTMLInputElement>('Verification code')
    await userEvent.type(code, '000000{Enter}')
    expect(await screen.findByText(/code is wrong or has expired/)).toBeTruthy()
    expect(code.value).toBe('')
    expect(document.activeElement).toBe(code)
  })

  test('a code asked for too soon starts the wait that the server names', async () => {
    server({
      'user/sendLoginValidCode': () =>
        refusal('code.too_soon', { httpStatus: 429, args: { seconds: '15' } }),
    })
    await renderPart(<LoginForm onDone={vi.fn()} />)
    await fill()
    expect(await screen.findByText(/may have sent a code a short time ago/)).toBeTruthy()
    expect(screen.getByRole('button', { name: /Send code 0:15/ })).toBeTruthy()
  })

  test('another account can be used instead', async () => {
    server()
    await renderPart(<LoginForm onDone={vi.fn()} />)
    await fill()
    await userEvent.click(await screen.findByRole('button', { name: 'Use another account' }))
    expect(screen.getByLabelText('Email address')).toBeTruthy()
  })
})

describe('too many wrong passwords', () => {
  const send = 'user/sendLoginValidCode'
  const server = (more: Parameters<typeof fakeServer>[0] = {}) =>
    fakeServer({
      'user/login': ({ body }) =>
        (body as { validCode?: string }).validCode === '123456'
          ? answer(session)
          : refusal('login.code_first'),
      [send]: ({ verify }) =>
        verify ? answer({ resendAfter: 60, expiresAfter: 600 }) : refusal('verify.needed'),
      ...challenges(),
      ...more,
    })

  test('open the code step, which says why and sends nothing by itself', async () => {
    const asked = server()
    await renderPart(withSolver(<LoginForm onDone={vi.fn()} />))
    await fill()
    expect((await screen.findByRole('alert')).textContent).toMatch(/Too many wrong passwords/)
    expect(screen.getByLabelText('Verification code')).toBeTruthy()
    expect(screen.queryByText(/This device is new/)).toBeNull()
    expect(screen.queryByText(/may have sent a code/)).toBeNull()
    expect(asked.some(({ path }) => path === send)).toBe(false)
  })

  test('send the code with a solution, and the log-in again with password and code', async () => {
    const asked = server()
    const onDone = vi.fn()
    await renderPart(withSolver(<LoginForm onDone={onDone} />))
    await fill()
    await userEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    expect(await screen.findByText('Sent. The code works for 10 minutes.')).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toMatch(/Too many wrong passwords/)
    await userEvent.type(screen.getByLabelText('Verification code'), '123456')
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(session))
    expect(asked.filter(({ path }) => path === send).map(({ verify }) => verify)).toEqual(['c1.7'])
    expect(asked.findLast(({ path }) => path === 'user/login')?.body).toMatchObject({
      account: 'maria@mail.com',
      password: 'correct horse',
      validCode: '123456',
    })
  })

  test('are over with another account: what is being solved ends, and nothing is said', async () => {
    server()
    const { held, solve } = manualSolver()
    await renderPart(withSolver(<LoginForm onDone={vi.fn()} />, solve))
    await fill()
    await userEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    await waitFor(() => expect(held).toHaveLength(1))
    await userEvent.click(screen.getByRole('button', { name: 'Use another account' }))
    expect(held[0]?.signal.aborted).toBe(true)
    expect(await screen.findByLabelText('Email address')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('from meanwhile: a code for a new device gets its solution when the server asks', async () => {
    const asked = server({ 'user/login': () => refusal('login.code_required') })
    await renderPart(withSolver(<LoginForm onDone={vi.fn()} />))
    await fill()
    expect(await screen.findByText('Sent. The code works for 10 minutes.')).toBeTruthy()
    expect(asked.filter(({ path }) => path === send).map(({ verify }) => verify)).toEqual([
      null,
      'c1.7',
    ])
  })
})

test('a telephone number goes with the code of the chosen country', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB'])
  const asked = fakeServer({
    'user/login': () => refusal('login.wrong'),
    'config/findFrontConfigList': () => answer([{ key: 'contact.phone', value: 'true' }]),
    'api/findCountryAreaCodeList': () =>
      answer([
        { code: '44', en: 'United Kingdom', country: 'GB' },
        { code: '86', en: 'China', country: 'CN' },
      ]),
  })
  await renderPart(<LoginForm onDone={vi.fn()} />)
  await userEvent.click(await screen.findByRole('tab', { name: 'Phone' }))
  await userEvent.click(await screen.findByRole('button', { name: /Country code \+44/ }))
  await userEvent.type(await screen.findByRole('searchbox'), 'chi')
  await userEvent.click(screen.getByRole('button', { name: /China/ }))
  await userEvent.type(await screen.findByLabelText('Phone number'), '138 0013 8021')
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByRole('alert')
  expect(withoutConfig(asked).at(-1)?.body).toMatchObject({ account: '+8613800138021' })
})

test('no telephone is offered where codes reach none', async () => {
  const asked = fakeServer({
    'user/login': () => answer(session),
    'config/findFrontConfigList': () => answer([{ key: 'contact.phone', value: 'false' }]),
  })
  const typedBefore = { kind: 'phone', mail: 'maria@mail.com', country: 'CN', phone: '1' } as const
  await renderPart(<LoginForm contact={typedBefore} onDone={vi.fn()} />)
  await screen.findByLabelText('Email address')
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  expect(screen.queryByRole('tab', { name: 'Phone' })).toBeNull()
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await waitFor(() =>
    expect(withoutConfig(asked)[0]?.body).toMatchObject({ account: 'maria@mail.com' }),
  )
})
