import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { challenges, manualSolver, withSolver } from '@/testing/challenges'
import { answer, fakeServer, refusal, withoutConfig } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import { RegisterForm as Form, type RegisterFormProps } from './register-form'

const session = { token: 'new', user: { userId: 7, userName: 'ma***a@mail.com', type: 1 } }
const countries = () => answer([{ code: '90', en: 'Türkiye', country: 'TR' }])
const sent = () => answer({ resendAfter: 60, expiresAfter: 600 })

const RegisterForm = (props: Omit<RegisterFormProps, 'loginPath' | 'forgotPath'>) => (
  <Form {...props} loginPath="/login" forgotPath="/forgetPwd" />
)

beforeEach(() => {
  setScreen('phone')
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['tr-TR'])
})

async function fill() {
  await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
  await userEvent.type(screen.getByLabelText('Verification code'), '123456')
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
  for (const box of screen.getAllByRole('checkbox')) await userEvent.click(box)
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Open account' }))

test('everything at once opens the account', async () => {
  const asked = fakeServer({
    'api/findCountryAreaCodeList': countries,
    'user/register': () => answer(session),
  })
  const onDone = vi.fn()
  await renderPart(<RegisterForm invitation="ABCDEFGH" onDone={onDone} />)
  expect(await screen.findByRole('button', { name: /Country of residence Türkiye/ })).toBeTruthy()
  await fill()
  await submit()
  await waitFor(() => expect(onDone).toHaveBeenCalledWith(session))
  expect(withoutConfig(asked).at(-1)?.body).toEqual({
    account: 'maria@mail.com',
    password: 'correct horse',
    validCode: '123456',
    country: 'TR',
    language: 'en',
    accepted: true,
    invitationCode: 'ABCDEFGH',
    deviceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test('the boxes are not ticked, and without them nothing is sent', async () => {
  const asked = fakeServer({ 'api/findCountryAreaCodeList': countries })
  await renderPart(<RegisterForm invitation="" onDone={vi.fn()} />)
  await screen.findByLabelText('Password')
  for (const box of screen.getAllByRole<HTMLInputElement>('checkbox'))
    expect(box.checked).toBe(false)
  await submit()
  expect(await screen.findAllByText('Accept this to continue.')).toHaveLength(2)
  expect(screen.getByText('Enter all 6 digits.')).toBeTruthy()
  expect(screen.getByText('Use at least 8 characters.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Email address'))
  expect(
    withoutConfig(asked)
      .map(({ path }) => path)
      .filter((path) => path !== 'common/getVerify'),
  ).toEqual(['api/findCountryAreaCodeList'])
})

test.each([
  ['account', 'field.account', 'Email address', /complete email/],
  ['password', 'field.password_common', 'Password', /too common/],
  ['invitationCode', 'field.unknown', /Invitation code/, /Not recognised/],
  ['account', 'field.from_the_future', 'Email address', /Check the highlighted fields/],
])('what the server says about %s (%s) stands at the field', async (field, reason, label, text) => {
  fakeServer({
    'api/findCountryAreaCodeList': countries,
    'user/register': () => refusal('invalid_input', { fields: { [field]: reason } }),
  })
  await renderPart(<RegisterForm invitation="X" onDone={vi.fn()} />)
  await fill()
  await submit()
  expect(await screen.findByText(text)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText(label))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an account that cannot be opened is said below the form', async () => {
  fakeServer({
    'api/findCountryAreaCodeList': countries,
    'user/register': () => refusal('register.not_possible'),
  })
  await renderPart(<RegisterForm invitation="" onDone={vi.fn()} />)
  await fill()
  await submit()
  expect((await screen.findByRole('alert')).textContent).toMatch(/couldn’t open an account/)
})

test('a code is sent once a minute to one address, at once to another', async () => {
  const asked = fakeServer({
    'api/findCountryAreaCodeList': countries,
    'user/sendRegisterValidCode': sent,
    ...challenges(),
  })
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />))
  const account = await screen.findByLabelText('Email address')
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  expect(await screen.findByText('Fill this in.')).toBeTruthy()
  await userEvent.type(account, 'maria@mail.com')
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  const again = await screen.findByRole<HTMLButtonElement>('button', { name: /Send again 1:00/ })
  expect(again.disabled).toBe(true)
  expect(document.activeElement).toBe(screen.getByLabelText('Verification code'))
  await userEvent.type(account, '.mx')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' }).disabled).toBe(false)
  expect(asked.filter(({ path }) => path.endsWith('ValidCode'))).toHaveLength(1)
})

const codes = (asked: ReturnType<typeof fakeServer>) =>
  asked.filter(({ path }) => path === 'user/sendRegisterValidCode').map(({ verify }) => verify)

async function askForCode() {
  await userEvent.type(await screen.findByLabelText('Email address'), 'maria@mail.com')
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
}

test('a challenge is solved while the form is filled in, and its solution is sent with the code', async () => {
  const asked = fakeServer({ 'user/sendRegisterValidCode': sent, ...challenges() })
  const { held, solve } = manualSolver()
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />, solve))
  await waitFor(() => expect(held.map(({ challenge }) => challenge)).toEqual(['c1']))
  held[0]?.finish()
  await askForCode()
  expect(await screen.findByRole('button', { name: /Send again/ })).toBeTruthy()
  expect(codes(asked)).toEqual(['c1.7'])
})

test('pressed too early, the button is busy until the challenge is solved, and goes on by itself', async () => {
  const asked = fakeServer({ 'user/sendRegisterValidCode': sent, ...challenges() })
  const { held, solve } = manualSolver()
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />, solve))
  await waitFor(() => expect(held).toHaveLength(1))
  await askForCode()
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sending…' })
  expect(screen.getAllByText('Sending…')).toHaveLength(2) // on the button, and for screen readers
  expect(button.disabled).toBe(true)
  expect(button.getAttribute('aria-busy')).toBe('true')
  expect(codes(asked)).toEqual([])
  held[0]?.finish()
  expect(await screen.findByRole('button', { name: /Send again/ })).toBeTruthy()
  expect(codes(asked)).toEqual(['c1.7'])
})

test('a solution that is no longer taken is replaced without a word', async () => {
  const asked = fakeServer({
    'user/sendRegisterValidCode': ({ verify }) =>
      verify === 'c1.7' ? refusal('verify.wrong') : sent(),
    ...challenges(),
  })
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />))
  await askForCode()
  expect(await screen.findByRole('button', { name: /Send again/ })).toBeTruthy()
  expect(codes(asked)).toHaveLength(2)
  expect(new Set(codes(asked)).size).toBe(2)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the second refusal of a solution is said', async () => {
  const asked = fakeServer({
    'user/sendRegisterValidCode': () => refusal('verify.wrong'),
    ...challenges(),
  })
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />))
  await askForCode()
  expect((await screen.findByRole('alert')).textContent).toMatch(/security check has expired/)
  expect(codes(asked)).toHaveLength(2)
})

test('a form that is gone stops its worker', async () => {
  fakeServer(challenges())
  const { held, solve } = manualSolver()
  const { unmount } = await renderPart(
    withSolver(<RegisterForm invitation="" onDone={vi.fn()} />, solve),
  )
  await waitFor(() => expect(held).toHaveLength(1))
  expect(held[0]?.signal.aborted).toBe(false)
  unmount()
  expect(held[0]?.signal.aborted).toBe(true)
})

test('the terms have a link where they can be read', async () => {
  fakeServer({})
  const { unmount } = await renderPart(<RegisterForm invitation="" onDone={vi.fn()} />)
  await screen.findByLabelText('Password')
  expect(screen.queryByRole('link')).toBeNull()
  unmount()
  await renderPart(<RegisterForm invitation="" termsPath="/relevant" onDone={vi.fn()} />)
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/relevant')
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
    await renderPart(<RegisterForm invitation="" onDone={vi.fn()} />)
    await waitFor(() =>
      expect(asked.some(({ path }) => path === 'config/findFrontConfigList')).toBe(true),
    )
    await waitFor(() => expect(screen.queryAllByRole('tab', { name: 'Phone' })).toHaveLength(tabs))
  },
)

const exists = (known: boolean) => ({
  ...challenges(),
  'user/checkUserExist': () => answer({ exists: known }),
})
const checks = (asked: ReturnType<typeof fakeServer>) =>
  asked.filter(({ path }) => path === 'user/checkUserExist')

/** Types an address and leaves its field. */
async function leave(address: string) {
  await userEvent.type(await screen.findByLabelText('Email address'), address)
  await userEvent.tab()
}

test('an address with an account is said when its field is left, and blocks nothing', async () => {
  const asked = fakeServer({ ...exists(true), 'user/sendRegisterValidCode': sent })
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />))
  await leave('maria@mail.com')
  expect(await screen.findByText('This email address already has an account.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
  expect(screen.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe(
    '/forgetPwd',
  )
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByLabelText('Email address').getAttribute('aria-invalid')).toBe('false')
  expect(checks(asked).map(({ body, verify }) => [body, verify])).toEqual([
    [{ account: 'maria@mail.com' }, 'c2.7'],
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  expect(await screen.findByRole('button', { name: /Send again/ })).toBeTruthy()
  expect(codes(asked)).toEqual(['c1.7'])
  await userEvent.type(screen.getByLabelText('Email address'), '.mx')
  expect(screen.queryByText(/already has an account/)).toBeNull()
})

test('an address is asked about once, and only when it is whole', async () => {
  const asked = fakeServer(exists(true))
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />))
  await leave('maria')
  await leave('@mail.com')
  expect(await screen.findByText(/already has an account/)).toBeTruthy()
  await userEvent.click(screen.getByLabelText('Email address'))
  await userEvent.tab()
  expect(checks(asked)).toHaveLength(1)
})

test.each([
  ['a new address', () => answer({ exists: false })],
  ['a failure', () => refusal('login.too_many', { httpStatus: 429 })],
])('%s is not mentioned', async (_, says) => {
  const asked = fakeServer({ ...challenges(), 'user/checkUserExist': says })
  await renderPart(withSolver(<RegisterForm invitation="" onDone={vi.fn()} />))
  await leave('maria@mail.com')
  await waitFor(() => expect(checks(asked)).toHaveLength(1))
  expect(screen.queryByText(/already has an account/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})
