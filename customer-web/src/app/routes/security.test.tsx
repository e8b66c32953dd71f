import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { serverNow } from '@/api/request-headers'
import { clearSession, isLoggedIn, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: -1 }
const guards = { phraseSet: false, authenticator: false, passkeys: 0, recoveryCodes: 0 }
const unset = { mail: 'ma***a@mail.com', phone: '', payPasswordSet: false, ...guards }
const set = { ...unset, payPasswordSet: true, payPasswordAt: Date.UTC(2026, 10, 20, 12) }
const sent = () => answer({ resendAfter: 60, expiresAfter: 600 })

const switchedOn = {
  'config/findFrontConfigList': () =>
    answer([{ key: 'address.enabled', value: 'true', type: 'bool' }]),
}

type Answers = Parameters<typeof fakeServer>[0]

function serve(security: object, more: Answers = {}) {
  return fakeServer({
    'common/platformRunningStatus': () => answer(1),
    'user/findSecurityInfo': () => answer(security),
    'user/sendPaymentPasswordValidCode': sent,
    ...more,
  })
}

beforeEach(() => {
  setScreen('phone')
  clearSession()
  startSession('token', user)
})

describe('/securitySet', () => {
  test('says what guards the account, line by line', async () => {
    serve({ ...set, lastLoginAt: Date.UTC(2026, 10, 21, 9), lastLoginDevice: 'Chrome, Windows' })
    await renderApp('/securitySet')
    const line = await screen.findByRole('link', { name: /Payment password/ })
    expect(line.getAttribute('href')).toBe('/modifyPayPassword')
    expect(line.textContent).toMatch(/Set on .*2026.*Change/)
    expect(screen.getByText('ma•••a@mail.com')).toBeTruthy()
    expect(screen.getByText('Chrome, Windows')).toBeTruthy()
    expect(screen.queryByText(/on hold/)).toBeNull()
    expect(screen.queryByText(/Locked/)).toBeNull()
  })

  test('has a line for each contact, whether there is one or not', async () => {
    serve({ ...set, mail: '', phone: '+49 ••• 42' })
    await renderApp('/securitySet')
    const phone = (await screen.findByText('+49 ••• 42')).closest('li')
    expect(phone?.textContent).toMatch(/Codes are sent here/)
    const mail = screen.getByRole('link', { name: /^Email.*Not set/ })
    expect(mail.textContent).not.toMatch(/Codes are sent here/)
  })

  test.each([
    [{ whitelistOnly: true }, 'On'],
    [{ whitelistOnly: false }, 'Off'],
    [{ whitelistOnly: true, whitelistEndsAt: serverNow() + 3_600_000 }, 'On, ends soon'],
  ])('says how the rule for saving stands: %o', async (rule, words) => {
    storage.remove('appConfig')
    serve(set, {
      ...switchedOn,
      'userAddress/findUserAddressList': () => answer({ list: [], limit: 20, ...rule }),
    })
    await renderApp('/securitySet')
    const line = await screen.findByRole('link', { name: /Withdrawal allowlist/ })
    expect(line.getAttribute('href')).toBe('/addressManage')
    expect(line.textContent).toBe(`Withdrawal allowlist${words}`)
  })

  test('freezes the account with a code, says before what that means, and logs out', async () => {
    const asked = serve(set, {
      'user/sendFreezeValidCode': sent,
      'user/freezeAccount': () => answer(1),
    })
    const { history } = await renderApp('/securitySet')
    await userEvent.click(await screen.findByRole('button', { name: /Freeze my account/ }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/including you.*Only customer service/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Freeze account' }))
    expect(await dialog.findByText('Enter all 6 digits.')).toBeTruthy()
    expect(asked.some(({ path }) => path === 'user/freezeAccount')).toBe(false)
    await userEvent.click(dialog.getByRole('button', { name: 'Send code' }))
    await userEvent.type(dialog.getByLabelText('Verification code'), '123456')
    await userEvent.click(dialog.getByRole('button', { name: 'Freeze account' }))
    await waitFor(() => expect(history.location.pathname).toBe('/login'))
    expect(asked.find(({ path }) => path === 'user/freezeAccount')?.body).toEqual({
      validCode: '123456',
    })
    expect(isLoggedIn()).toBe(false)
  })

  test('a wrong code freezes nothing', async () => {
    serve(set, { 'user/freezeAccount': () => refusal('code.wrong') })
    await renderApp('/securitySet')
    await userEvent.click(await screen.findByRole('button', { name: /Freeze my account/ }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Verification code'), '123456')
    await userEvent.click(dialog.getByRole('button', { name: 'Freeze account' }))
    expect(await dialog.findByText(/wrong or has expired/)).toBeTruthy()
    expect(isLoggedIn()).toBe(true)
  })

  test('practice money has no rule, and the account can be frozen from it too', async () => {
    startSession('token', { ...user, type: 5 })
    storage.remove('appConfig')
    const asked = serve(set, switchedOn)
    await renderApp('/securitySet')
    await screen.findByText('ma•••a@mail.com')
    expect(screen.getByRole('button', { name: /Freeze my account/ })).toBeTruthy()
    expect(asked.some(({ path }) => path.startsWith('userAddress/'))).toBe(false)
  })

  test('says that there is no payment password', async () => {
    serve(unset)
    await renderApp('/securitySet')
    const line = await screen.findByRole('link', { name: /Payment password/ })
    expect(line.textContent).toMatch(/Not set.*Set$/)
    expect(screen.queryByText('Last login')).toBeNull()
  })

  test('says why withdrawals are held, how long still, and a lock with its countdown', async () => {
    serve({
      ...set,
      moneyOutHeldUntil: serverNow() + 23 * 3_600_000,
      moneyOutHoldReason: 'payment_password_reset',
      payPasswordLockedUntil: serverNow() + 1_800_000,
    })
    await renderApp('/securitySet')
    expect(await screen.findByRole('heading', { name: 'Withdrawals are on hold' })).toBeTruthy()
    expect(screen.getByText('The payment password was reset')).toBeTruthy()
    const [hold, lock] = screen.getAllByRole('timer').map((timer) => timer.textContent)
    expect(hold).toMatch(/^(23:00:00|22:59:5\d)$/)
    expect(lock).toMatch(/^(00:30:00|00:29:5\d)$/)
  })

  test('a failure says why and can be repeated', async () => {
    let works = false
    serve(set, {
      'user/findSecurityInfo': () =>
        works ? answer(set) : refusal('unavailable', { httpStatus: 503 }),
    })
    await renderApp('/securitySet')
    const again = await screen.findByRole('button', { name: 'Try again' })
    works = true
    await userEvent.click(again)
    expect(await screen.findByText('ma•••a@mail.com')).toBeTruthy()
  }, 15_000)
})

async function type(fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) {
    const field = await screen.findByLabelText(label)
    await userEvent.clear(field)
    await userEvent.type(field, text)
  }
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

const next = {
  'New payment password': '739104',
  'Confirm new payment password': '739104',
  'Verification code': '123456',
}

describe('/modifyPayPassword', () => {
  test('sets the first one with the log-in password, and says that this delays nothing', async () => {
    const asked = serve(unset, { 'user/updatePayPassword': () => answer(set) })
    const { history } = await renderApp('/modifyPayPassword')
    await screen.findByRole('heading', { name: 'Set a payment password' })
    expect(screen.getByText(/Setting it now doesn’t delay withdrawals/)).toBeTruthy()
    expect(screen.getByText(/We’ll send the code to .*ma•••a@mail.com/)).toBeTruthy()
    await press('Send code')
    expect(await screen.findByRole('button', { name: /Send again 1:00/ })).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Verification code'))
    await type({ 'Login password': 'correct horse', ...next })
    await press('Set payment password')
    await waitFor(() => expect(history.location.pathname).toBe('/securitySet'))
    expect(await screen.findByText('Payment password set.')).toBeTruthy()
    expect(asked.find(({ path }) => path === 'user/updatePayPassword')?.body).toEqual({
      password: 'correct horse',
      newPassword: '739104',
      validCode: '123456',
    })
  })

  test('changes it with the present one, and says before that this holds withdrawals', async () => {
    const asked = serve(set, { 'user/updatePayPassword': () => answer(set) })
    const { history } = await renderApp('/modifyPayPassword')
    await screen.findByRole('heading', { name: 'Change payment password' })
    expect(screen.getByText(/Changing it puts withdrawals on hold for 24 hours/)).toBeTruthy()
    await type({ 'Current payment password': '482915', ...next })
    await press('Change payment password')
    await waitFor(() => expect(history.location.pathname).toBe('/securitySet'))
    expect(asked.find(({ path }) => path === 'user/updatePayPassword')?.body).toEqual({
      oldPassword: '482915',
      newPassword: '739104',
      validCode: '123456',
    })
  })

  test('replaces a forgotten one with the log-in password', async () => {
    const asked = serve(set, { 'user/resetPayPassword': () => answer(set) })
    const { history } = await renderApp('/modifyPayPassword')
    await userEvent.click(await screen.findByRole('button', { name: 'I forgot it' }))
    await screen.findByRole('heading', { name: 'Reset payment password' })
    expect(screen.getByText(/Resetting it puts withdrawals on hold for 24 hours/)).toBeTruthy()
    await type({ 'Login password': 'correct horse', ...next })
    await press('Reset payment password')
    await waitFor(() => expect(history.location.pathname).toBe('/securitySet'))
    expect(asked.find(({ path }) => path === 'user/resetPayPassword')?.body).toEqual({
      password: 'correct horse',
      newPassword: '739104',
      validCode: '123456',
    })
  })

  test('what is missing or too simple is said before anything is sent', async () => {
    const asked = serve(set)
    await renderApp('/modifyPayPassword')
    await screen.findByRole('heading', { name: 'Change payment password' })
    await press('Change payment password')
    expect(await screen.findAllByText('Enter exactly 6 digits.')).toHaveLength(2)
    expect(screen.getByText('Enter all 6 digits.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Current payment password'))
    await type({ 'Current payment password': '739104', ...next, 'New payment password': '123456' })
    await press('Change payment password')
    expect(await screen.findByText(/Too easy to guess/)).toBeTruthy()
    await type({ 'New payment password': '739105' })
    await press('Change payment password')
    expect(await screen.findByText('The two entries don’t match.')).toBeTruthy()
    await type({ 'New payment password': '739104' })
    await press('Change payment password')
    expect(await screen.findByText(/your current payment password\. Choose/)).toBeTruthy()
    expect(asked.some(({ path }) => path === 'user/updatePayPassword')).toBe(false)
  })

  test('digits are hidden until shown, and pasting takes six of any script', async () => {
    serve(unset)
    await renderApp('/modifyPayPassword')
    const field = await screen.findByLabelText<HTMLInputElement>('New payment password')
    expect(field.type).toBe('password')
    await userEvent.click(field)
    await userEvent.paste('٧٣٩ 104 77')
    expect(field.value).toBe('739104')
    await press('Show digits: New payment password')
    expect(field.type).toBe('text')
  })

  test.each([
    ['payment_password.wrong', { left: '3' }, 'Current payment password', /Attempts left: 3/],
    ['code.wrong', {}, 'Verification code', /wrong or has expired/],
  ])('%s stands at its field', async (code, args, label, text) => {
    serve(set, { 'user/updatePayPassword': () => refusal(code, { args }) })
    await renderApp('/modifyPayPassword')
    await type({ 'Current payment password': '482915', ...next })
    await press('Change payment password')
    expect(await screen.findByText(text)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText(label))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a wrong log-in password stands at its field, a throttle below the form', async () => {
    let code = 'login.password_wrong'
    serve(unset, { 'user/updatePayPassword': () => refusal(code, { args: { seconds: '60' } }) })
    await renderApp('/modifyPayPassword')
    await type({ 'Login password': 'correct horse', ...next })
    await press('Set payment password')
    expect(await screen.findByText('Your login password is wrong.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Login password'))
    code = 'login.too_many'
    await press('Set payment password')
    expect((await screen.findByRole('alert')).textContent).toMatch(/Try again in 60 s/)
  })

  test('the fifth wrong one takes the form away until the lock is over; a forgotten one can be replaced', async () => {
    let security: object = set
    serve(set, {
      'user/findSecurityInfo': () => answer(security),
      'user/updatePayPassword': () => {
        security = { ...set, payPasswordLockedUntil: serverNow() + 1_800_000 }
        return refusal('payment_password.locked', { httpStatus: 429, args: { minutes: '30' } })
      },
    })
    await renderApp('/modifyPayPassword')
    await type({ 'Current payment password': '482915', ...next })
    await press('Change payment password')
    expect(await screen.findByRole('heading', { name: /^Locked after 5 failed/ })).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toMatch(/^00:(30:00|29:5\d)$/)
    expect(screen.queryByLabelText('Current payment password')).toBeNull()
    await press('I forgot it')
    expect(await screen.findByLabelText('Login password')).toBeTruthy()
  })

  test('one that was set elsewhere meanwhile is changed instead', async () => {
    let security: object = unset
    serve(unset, {
      'user/findSecurityInfo': () => answer(security),
      'user/updatePayPassword': () => {
        security = set
        return refusal('payment_password.set')
      },
    })
    await renderApp('/modifyPayPassword')
    await type({ 'Login password': 'correct horse', ...next })
    await press('Set payment password')
    expect(await screen.findByRole('heading', { name: 'Change payment password' })).toBeTruthy()
  })

  test('a demo account is shown the way to the real one', async () => {
    startSession('token', { ...user, type: 5 })
    serve(unset)
    await renderApp('/modifyPayPassword')
    const main = within(await screen.findByRole('main'))
    expect(await main.findByText(/belongs to the real account/)).toBeTruthy()
    expect(main.queryByLabelText('Login password')).toBeNull()
    const way = main.getByRole('link', { name: 'Switch to real account' })
    expect(way.getAttribute('href')).toBe('/switchAccount')
  })
})

test.each(['/securitySet', '/modifyPayPassword'])('%s tells a guest to sign up', async (path) => {
  startSession('token', { ...user, type: 8 })
  serve(unset, { 'user/findSecurityInfo': () => refusal('guest.register') })
  await renderApp(path)
  const main = within(await screen.findByRole('main'))
  expect(await main.findByRole('link', { name: 'Sign up' })).toBeTruthy()
})
