import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { challenges, withSolver } from '@/testing/challenges'
import { answer, fakeServer, refusal, withoutConfig } from '@/testing/fake-server'
import { announceWallet, forgetWallets, WALLET_ADDRESS } from '@/testing/fake-wallet'
import { renderPart, setScreen } from '@/testing/render-app'
import WalletLogin from './wallet-login'

const session = { token: 'new', user: { userId: 7, userName: '0x5aAe…eAed', type: 1 } }
const text = { id: 'ab12', text: 'Sign in: é', expiresAfter: 300 }
const address = WALLET_ADDRESS

beforeEach(() => setScreen('phone'))
afterEach(forgetWallets)

async function show(onDone = vi.fn(), onLogin = vi.fn()) {
  await renderPart(withSolver(<WalletLogin onDone={onDone} onLogin={onLogin} />))
  return { onDone, onLogin }
}

const choose = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Test wallet' }))

const server = { ...challenges(), 'user/createWalletLogin': () => answer(text) }

test('a wallet signs the text of the server, byte for byte, and logs in', async () => {
  const wallet = announceWallet()
  const asked = fakeServer({ ...server, 'user/walletLogin': () => answer(session) })
  const { onDone } = await show()
  await choose()
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(onDone.mock.calls[0]?.[0]).toEqual(session)
  expect(wallet.at(-1)).toEqual({
    method: 'personal_sign',
    params: ['0x5369676e20696e3a20c3a9', address],
  })
  const [, create, login] = withoutConfig(asked)
  expect(create?.body).toEqual({ address, chainId: 1, deviceId: expect.any(String) })
  expect(login?.body).toEqual({ id: 'ab12', signature: '0xsigned', deviceId: expect.any(String) })
})

test('without a wallet it says what to install', async () => {
  fakeServer(server)
  await show()
  expect(await screen.findByText(/No wallet was found in this browser/)).toBeTruthy()
})

test('an icon is shown only from a data URI of a picture', async () => {
  announceWallet({}, 'https://example.com/icon.png')
  fakeServer(server)
  await show()
  await screen.findByRole('button', { name: 'Test wallet' })
  expect(document.querySelector('img')).toBeNull()
})

test.each([
  [4001, /You declined the request/],
  [-32002, /waiting for your answer/],
  [-32603, /could not do this/],
])('the wallet fails with %s', async (code, words) => {
  announceWallet({
    personal_sign: () => {
      throw { code }
    },
  })
  const asked = fakeServer(server)
  const { onDone } = await show()
  await choose()
  expect(await screen.findByText(words)).toBeTruthy()
  expect(onDone).not.toHaveBeenCalled()
  expect(withoutConfig(asked).some(({ path }) => path.includes('walletLogin'))).toBe(false)
})

test('a network that is not accepted is said in words', async () => {
  announceWallet({ eth_chainId: () => '0xaa36a7' })
  fakeServer({ ...server, 'user/createWalletLogin': () => refusal('wallet.chain') })
  await show()
  await choose()
  expect(await screen.findByText(/on a network that we don’t accept/)).toBeTruthy()
})

test('an unlinked wallet may open an account, after the agreements', async () => {
  announceWallet()
  const asked = fakeServer({
    ...server,
    'user/walletLogin': () => refusal('wallet.not_linked'),
    'user/registerByWallet': () => answer(session),
    'api/findCountryAreaCodeList': () => answer([{ country: 'CH', code: '41' }]),
  })
  const { onDone, onLogin } = await show()
  await choose()
  await screen.findByText('No account is linked to this wallet yet')
  await userEvent.click(screen.getByRole('button', { name: 'Log in and link it' }))
  expect(onLogin).toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Open an account' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Open an account' }))
  expect(onDone).not.toHaveBeenCalled()
  expect(withoutConfig(asked).some(({ path }) => path.includes('registerByWallet'))).toBe(false)
})

test('each request to open an account carries a signature of its own', async () => {
  announceWallet()
  let text = 0
  const asked = fakeServer({
    ...challenges(),
    'user/createWalletLogin': () =>
      answer({ id: `text${++text}`, text: 'Sign', expiresAfter: 300 }),
    'user/walletLogin': () => refusal('wallet.not_linked'),
    'user/registerByWallet': ({ body }) =>
      (body as { id: string }).id === 'text1'
        ? refusal('invalid_input', { fields: { invitationCode: 'field.unknown' } })
        : answer(session),
    'api/findCountryAreaCodeList': () => answer([{ country: 'CH', code: '41' }]),
  })
  const { onDone } = await show()
  await choose()
  await userEvent.click(await screen.findByRole('button', { name: 'Open an account' }))
  await userEvent.click(await screen.findByRole('button', { name: /Country of residence/ }))
  await userEvent.click(await screen.findByText('Switzerland'))
  await userEvent.click(screen.getByLabelText('I am 18 years old or older.'))
  await userEvent.click(screen.getByLabelText(/I accept the terms/))
  await userEvent.click(await screen.findByRole('button', { name: 'Open an account' }))
  await waitFor(() => expect(asked.some(({ path }) => path === 'user/registerByWallet')).toBe(true))
  expect(onDone).not.toHaveBeenCalled()
  await userEvent.click(await screen.findByRole('button', { name: 'Open an account' }))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  const ids = asked.filter(({ path }) => path === 'user/registerByWallet').map(({ body }) => body)
  expect(ids).toMatchObject([{ id: 'text1' }, { id: 'text2' }])
})

test('a second factor is asked for, and sent with the same signature', async () => {
  announceWallet()
  let first = true
  const asked = fakeServer({
    ...server,
    'user/walletLogin': () => {
      if (!first) return answer(session)
      first = false
      return refusal('login.factor_required', {
        args: { authenticator: 'true', passkeys: 'false' },
      })
    },
  })
  const { onDone } = await show()
  await choose()
  await userEvent.type(await screen.findByLabelText('Authenticator code'), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(withoutConfig(asked).at(-1)?.body).toMatchObject({
    signature: '0xsigned',
    factorCode: '123456',
  })
})
