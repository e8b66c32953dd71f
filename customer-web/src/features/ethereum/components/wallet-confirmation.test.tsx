import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { challenges, withSolver } from '@/testing/challenges'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { announceWallet, forgetWallets, WALLET_ADDRESS } from '@/testing/fake-wallet'
import { renderPart, setScreen } from '@/testing/render-app'
import { FirstContactForm } from './first-contact-form'
import { WalletSheets } from './wallet-sheets'

const sent = () => answer({ resendAfter: 60, expiresAfter: 600 })
const security = { mail: '', phone: '', wallet: WALLET_ADDRESS }
const wallet = { id: 'ab12', signature: '0xsigned' }

beforeEach(() => setScreen('phone'))
afterEach(forgetWallets)

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const type = async (label: string, text: string) =>
  userEvent.type(await screen.findByLabelText(label), text)
const bodies = (asked: ReturnType<typeof fakeServer>, path: string) =>
  asked.filter((call) => call.path === path).map(({ body }) => body)

const server = {
  ...challenges(),
  'config/findFrontConfigList': () => answer([]),
  'user/createWalletConfirmation': () => answer({ id: 'ab12', text: 'Sign', expiresAfter: 300 }),
  'user/sendContactValidCode': sent,
  'user/sendSecurityValidCode': sent,
  'user/findSecurityInfo': () => answer({ ...security, authenticator: false, passkeys: 0 }),
}

async function fillFirstContact(onDone = vi.fn()) {
  await renderPart(
    withSolver(<FirstContactForm kind="mail" wallet={WALLET_ADDRESS} onDone={onDone} />),
  )
  await type('Email address', 'anna@example.com')
  await press('Send code')
  await type('Verification code', '123456')
  await type('New login password', 'correct horse')
  return onDone
}

test('the linked wallet signs the first contact', async () => {
  announceWallet()
  const asked = fakeServer({ ...server, 'user/updateContact': () => answer(security) })
  const onDone = await fillFirstContact()
  const submit = screen.getByRole('button', { name: 'Add to account' })
  expect((submit as HTMLButtonElement).disabled).toBe(true)
  await press('Test wallet')
  await screen.findByText(/is connected/)
  await press('Add to account')
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(bodies(asked, 'user/createWalletConfirmation')).toEqual([
    { chainId: 1, account: 'anna@example.com' },
  ])
  expect(bodies(asked, 'user/updateContact')).toEqual([
    {
      account: 'anna@example.com',
      contactCode: '123456',
      password: 'correct horse',
      validCode: '',
      wallet,
    },
  ])
})

test('another wallet, and one that declines, send nothing', async () => {
  const asked = fakeServer(server)
  let address = '0x0000000000000000000000000000000000000001'
  announceWallet({
    eth_requestAccounts: () => [address],
    personal_sign: () => {
      throw { code: 4001 }
    },
  })
  await fillFirstContact()
  await press('Test wallet')
  await screen.findByText(/isn’t the wallet linked/)
  address = WALLET_ADDRESS.toLowerCase()
  await press('Test wallet')
  await screen.findByText(/is connected/)
  await press('Add to account')
  await screen.findByText(/You declined the request/)
  expect(bodies(asked, 'user/updateContact')).toEqual([])
})

test('unlinking soon after a change of contact asks for the wallet’s signature', async () => {
  announceWallet()
  const onDone = vi.fn()
  const asked = fakeServer({
    ...server,
    'user/findSecurityInfo': () => answer({ ...security, mail: 'ma•••@mail.com' }),
    'user/unlinkWallet': ({ body }) =>
      (body as { wallet?: unknown }).wallet ? answer(security) : refusal('wallet.confirm'),
  })
  await renderPart(<WalletSheets wallet={WALLET_ADDRESS} onDone={onDone} onClose={vi.fn()} />)
  await type('Login password', 'correct horse')
  await press('Send code')
  await type('Verification code', '654321')
  await press('Unlink')
  await screen.findByText(/less than 72 hours ago/)
  await press('Test wallet')
  await screen.findByText(/is connected/)
  await press('Unlink')
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(bodies(asked, 'user/createWalletConfirmation')).toEqual([{ chainId: 1 }])
  expect(bodies(asked, 'user/unlinkWallet').at(-1)).toMatchObject({ wallet })
})
