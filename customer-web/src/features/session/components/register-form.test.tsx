import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import { RegisterForm } from './register-form'

const session = { token: 'new', user: { userId: 7, userName: 'ma***a@mail.com', type: 1 } }
const countries = () => answer([{ code: '90', en: 'Türkiye', country: 'TR' }])
const sent = () => answer({ resendAfter: 60, expiresAfter: 600 })

beforeEach(() => {
  setScreen('phone')
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['tr-TR'])
})

async function fill() {
  await userEvent.type(await screen.findByLabelText('E-mail address'), 'maria@mail.com')
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
  expect(asked.at(-1)?.body).toEqual({
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
  expect(screen.getAllByText('This must be accepted to continue.')).toHaveLength(2)
  expect(screen.getByText('Enter all 6 digits.')).toBeTruthy()
  expect(screen.getByText('At least 8 characters.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('E-mail address'))
  expect(asked.map(({ path }) => path)).toEqual(['api/findCountryAreaCodeList'])
})

test.each([
  ['account', 'field.account', 'E-mail address', /complete e-mail/],
  ['password', 'field.password_common', 'Password', /Everybody tries/],
  ['invitationCode', 'field.unknown', /Invitation code/, /not known/],
  ['account', 'field.from_the_future', 'E-mail address', /do not fit/],
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
  expect((await screen.findByRole('alert')).textContent).toMatch(/could not be opened/)
})

test('a code is sent once a minute to one address, at once to another', async () => {
  const asked = fakeServer({
    'api/findCountryAreaCodeList': countries,
    'user/sendRegisterValidCode': sent,
  })
  await renderPart(<RegisterForm invitation="" onDone={vi.fn()} />)
  const account = await screen.findByLabelText('E-mail address')
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  expect(screen.getByText('Fill this in.')).toBeTruthy()
  await userEvent.type(account, 'maria@mail.com')
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
  const again = await screen.findByRole<HTMLButtonElement>('button', { name: /Send again 1:00/ })
  expect(again.disabled).toBe(true)
  expect(document.activeElement).toBe(screen.getByLabelText('Verification code'))
  await userEvent.type(account, '.mx')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' }).disabled).toBe(false)
  expect(asked.filter(({ path }) => path.endsWith('ValidCode'))).toHaveLength(1)
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
