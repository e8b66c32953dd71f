import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { serverNow } from '@/api/request-headers'
import { clearSession, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: -1 }
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

const chain = (id: string, name: string): Wire['AddressChain'] => ({
  chain: id,
  name,
  example: evm,
  memo: false,
  explorer: `https://${id}.example/{address}`,
})
const coins: Wire['AddressCoin'][] = [
  {
    coin: 'USDT',
    chains: [chain('tron', 'TRON (TRC-20)'), chain('ethereum', 'Ethereum (ERC-20)')],
  },
  { coin: 'BTC', chains: [chain('bitcoin', 'Bitcoin')] },
]

const saved = (more: Partial<Wire['UserAddress']> = {}): Wire['UserAddress'] => ({
  addressId: 70001,
  coin: 'USDT',
  chain: 'ethereum',
  address: evm,
  memo: '',
  label: 'Cold wallet',
  state: 'active',
  usableFrom: serverNow() - 1000,
  createdAt: serverNow() - 90_000_000,
  ...more,
})

type Answers = Parameters<typeof fakeServer>[0]

function serve(book: Partial<Wire['UserAddressList']>, more: Answers = {}, security: object = {}) {
  return fakeServer({
    'common/platformRunningStatus': () => answer(1),
    'user/findSecurityInfo': () =>
      answer({ mail: 'ma***a@mail.com', phone: '', payPasswordSet: true, ...security }),
    'user/sendMoneyOutValidCode': () => answer({ resendAfter: 60, expiresAfter: 600 }),
    'userAddress/getChain': () => answer(coins),
    'userAddress/findUserAddressList': () =>
      answer({ list: [], whitelistOnly: false, limit: 20, ...book }),
    ...more,
  })
}

const prove = async (within_: Pick<typeof screen, 'getByLabelText'> = screen) => {
  await fill(within_.getByLabelText('Payment password'), '482915')
  await fill(within_.getByLabelText('Verification code'), '123456')
}
/** Pastes the text, because typing it key by key is slow. */
async function fill(field: HTMLElement, text: string) {
  await userEvent.click(field)
  await userEvent.paste(text)
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const proof = { payPassword: '482915', validCode: '123456' }

beforeEach(() => {
  setScreen('phone')
  clearSession()
  startSession('token', user)
})

describe('/addressManage', () => {
  test('shows what is saved: its name, chain, address in groups, and that it is active', async () => {
    serve({ list: [saved()] })
    await renderApp('/addressManage')
    const card = (await screen.findByRole('heading', { name: 'Cold wallet' })).closest('li')
    const link = await within(card as HTMLElement).findByRole('link', {
      name: /explorer: Cold wallet/,
    })
    expect(card?.textContent).toMatch(/USDT.*Ethereum \(ERC-20\).*Active/)
    expect(card?.textContent).toContain(evm)
    expect(within(card as HTMLElement).getByText('5aAe')).toBeTruthy()
    expect(link.getAttribute('href')).toBe(`https://ethereum.example/${evm}`)
    expect(screen.getByText('1 of 20 saved')).toBeTruthy()
  })

  test('counts down to the moment from which a new one can be used', async () => {
    serve({ list: [saved({ state: 'cooling', usableFrom: serverNow() + 23 * 3_600_000 })] })
    await renderApp('/addressManage')
    expect((await screen.findByRole('timer')).textContent).toMatch(/^2[23]:\d\d:\d\d$/)
    expect(screen.queryByText('Active')).toBeNull()
  })

  test('leads to the first one when there is none', async () => {
    serve({})
    await renderApp('/addressManage')
    expect(await screen.findByText('No saved addresses yet.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Add address' }).getAttribute('href')).toBe(
      '/addAddress',
    )
  })

  test('deletes one after asking, with a proof', async () => {
    const asked = serve(
      { list: [saved()] },
      { 'userAddress/deleteUserAddress': () => answer(saved({ state: 'removed' })) },
    )
    await renderApp('/addressManage')
    await screen.findByRole('heading', { name: 'Cold wallet' })
    await press('Delete: Cold wallet')
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/You can restore it within 24 hours/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await dialog.findByText('Enter exactly 6 digits.')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText('Payment password'))
    expect(asked.some(({ path }) => path === 'userAddress/deleteUserAddress')).toBe(false)
    await prove(dialog as unknown as typeof screen)
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() =>
      expect(asked.find(({ path }) => path === 'userAddress/deleteUserAddress')?.body).toEqual({
        addressId: 70001,
        ...proof,
      }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked.filter(({ path }) => path === 'userAddress/findUserAddressList').length).toBe(2)
  })

  test('a deleted one says until when it can be restored, and is, with a proof', async () => {
    const goneAt = Date.UTC(2026, 10, 23, 12)
    const asked = serve(
      { list: [saved({ addressId: 70002, label: 'Other' }), saved({ state: 'removed', goneAt })] },
      { 'userAddress/restoreUserAddress': () => answer(saved()) },
    )
    await renderApp('/addressManage')
    const card = (await screen.findByRole('heading', { name: 'Cold wallet' })).closest('li')
    expect(card?.textContent).toMatch(/Deleted · Can be restored until .*Nov/)
    expect(card?.textContent).not.toContain('Active')
    expect(screen.getByText('1 of 20 saved')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Restore: Other' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Delete: Cold wallet' })).toBeNull()
    await press('Restore: Cold wallet')
    const dialog = within(await screen.findByRole('dialog'))
    await prove(dialog as unknown as typeof screen)
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }))
    await waitFor(() =>
      expect(asked.find(({ path }) => path === 'userAddress/restoreUserAddress')?.body).toEqual({
        addressId: 70001,
        ...proof,
      }),
    )
  })

  test('says at the field that the payment password is wrong, and how many tries are left', async () => {
    serve(
      { list: [saved()] },
      {
        'userAddress/deleteUserAddress': () =>
          refusal('payment_password.wrong', { args: { left: '4' } }),
      },
    )
    await renderApp('/addressManage')
    await screen.findByRole('heading', { name: 'Cold wallet' })
    await press('Delete: Cold wallet')
    const dialog = within(await screen.findByRole('dialog'))
    await prove(dialog as unknown as typeof screen)
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await dialog.findByText(/Attempts left: 4/)).toBeTruthy()
    expect(dialog.getByLabelText('Payment password').getAttribute('aria-invalid')).toBe('true')
  })

  test('switches to saved addresses alone, and says before what that means', async () => {
    const asked = serve(
      {},
      { 'userAddress/updateWhitelistOnly': () => answer({ whitelistOnly: true }) },
    )
    await renderApp('/addressManage')
    const toggle = await screen.findByRole<HTMLInputElement>('switch', {
      name: 'Withdrawal allowlist',
    })
    expect(toggle.checked).toBe(false)
    await userEvent.click(toggle)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/able to add addresses.*Turning this off takes 24 hours/)).toBeTruthy()
    expect(toggle.checked).toBe(false)
    await prove(dialog as unknown as typeof screen)
    await userEvent.click(dialog.getByRole('button', { name: 'Turn on' }))
    await waitFor(() =>
      expect(asked.find(({ path }) => path === 'userAddress/updateWhitelistOnly')?.body).toEqual({
        whitelistOnly: true,
        ...proof,
      }),
    )
  })

  test.each([
    ['while the rule holds', undefined],
    ['until it has ended', serverNow() + 3_600_000],
  ])('nothing new %s: the button leads to the switch', async (_, endsAt) => {
    serve({
      list: [saved()],
      whitelistOnly: true,
      ...(endsAt === undefined ? {} : { whitelistEndsAt: endsAt }),
    })
    await renderApp('/addressManage')
    expect(await screen.findByText(/You can’t add addresses or bank accounts while/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Add address' })).toBeNull()
    await press('Go to allowlist')
    expect(document.activeElement).toBe(screen.getByRole('switch'))
  })

  test('counts down to the end of the rule, and offers to keep it', async () => {
    serve({ whitelistOnly: true, whitelistEndsAt: serverNow() + 3_600_000 })
    await renderApp('/addressManage')
    expect((await screen.findByRole('timer')).textContent).toMatch(/^00:59|^01:00/)
    await userEvent.click(screen.getByRole('switch'))
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeTruthy()
  })

  test('asks nothing for a demo account, and says why', async () => {
    startSession('token', { ...user, type: 5 })
    const asked = serve({})
    await renderApp('/addressManage')
    expect(await screen.findByText(/Practice money can’t be withdrawn/)).toBeTruthy()
    expect(asked.some(({ path }) => path.startsWith('userAddress/'))).toBe(false)
  })

  test('shows what went wrong, with a way to try again', async () => {
    serve({}, { 'userAddress/findUserAddressList': () => refusal('module_disabled') })
    await renderApp('/addressManage')
    expect(await screen.findByText(/This feature is currently unavailable\./)).toBeTruthy()
  })
})

describe('/addAddress', () => {
  const open = async (more: Answers = {}, security: object = {}) => {
    const asked = serve({}, more, security)
    const { history } = await renderApp('/addAddress')
    await screen.findByRole('radio', { name: 'USDT' })
    return { asked, history }
  }
  const address = () => screen.getByLabelText<HTMLInputElement>('Address')
  const inserts = (asked: ReturnType<typeof serve>) =>
    asked.filter(({ path }) => path === 'userAddress/insertUserAddress')

  test('saves an address and goes back to the book', async () => {
    const { asked, history } = await open({
      'userAddress/insertUserAddress': () => answer(saved({ state: 'cooling' })),
    })
    expect(screen.getByText(/24 hours after saving it/)).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'Ethereum (ERC-20)' }))
    await fill(address(), evm)
    expect(screen.getByText(/^Valid /).textContent).toContain('Ethereum')
    await fill(screen.getByLabelText('Name'), 'Cold wallet')
    await press(/^Send code/)
    expect(await screen.findByText(/The code works for 10 minutes/)).toBeTruthy()
    await prove()
    await press('Save address')
    await waitFor(() => expect(history.location.pathname).toBe('/addressManage'))
    expect(inserts(asked)[0]?.body).toEqual({
      coin: 'USDT',
      chain: 'ethereum',
      address: evm,
      label: 'Cold wallet',
      ...proof,
    })
  })

  test('judges the address on this device, and sends no wrong one', async () => {
    const { asked } = await open()
    await fill(screen.getByLabelText('Name'), 'Cold wallet')
    await prove()
    await fill(address(), evm)
    expect(screen.getByText(/looks like an address on .Ethereum/)).toBeTruthy()
    await press('Save address')
    await userEvent.clear(address())
    await fill(address(), `${tron.slice(0, 33)}u`)
    expect(screen.getByText(/A character is wrong or missing/)).toBeTruthy()
    await press('Save address')
    await userEvent.clear(address())
    await fill(address(), tron)
    expect(address().getAttribute('aria-invalid')).not.toBe('true')
    expect(inserts(asked)).toHaveLength(0)
  })

  test('a code that was sent for another address proves nothing', async () => {
    const { asked } = await open()
    await fill(address(), tron)
    await fill(screen.getByLabelText('Name'), 'Cold wallet')
    await press(/^Send code/)
    await screen.findByText(/The code works for 10 minutes/)
    await userEvent.clear(address())
    await fill(address(), 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW')
    await prove()
    await press('Save address')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByLabelText('Verification code')),
    )
    expect(inserts(asked)).toHaveLength(0)
  })

  test('a change of the network judges the address anew', async () => {
    await open()
    await fill(address(), tron)
    expect(screen.getByText(/^Valid /)).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'BTC' }))
    expect(screen.getByText(/looks like an address on .TRON/)).toBeTruthy()
  })

  test('a look-alike is saved only after it was compared', async () => {
    let reply: Answers[string] = () =>
      refusal('payee.lookalike', { args: { label: 'Cold wallet' } })
    const { asked } = await open({ 'userAddress/insertUserAddress': (one) => reply(one) })
    await fill(address(), tron)
    await fill(screen.getByLabelText('Name'), 'Alike')
    await prove()
    await press('Save address')
    const box = await screen.findByRole('checkbox', { name: /compared every character/ })
    expect(screen.getByText(/starts and ends like your saved address/)).toBeTruthy()
    await press('Save address')
    await waitFor(() => expect(box.getAttribute('aria-invalid')).toBe('true'))
    expect(inserts(asked)).toHaveLength(1)
    await userEvent.click(box)
    reply = () => answer(saved())
    await press('Save address')
    await waitFor(() => expect(inserts(asked)).toHaveLength(2))
    expect(inserts(asked)[1]?.body).toMatchObject({ confirmLookalike: true, ...proof })
  })

  test('says what the server says at its field', async () => {
    await open({
      'userAddress/insertUserAddress': () =>
        refusal('invalid_input', { fields: { address: 'field.address_checksum' } }),
    })
    await fill(address(), tron)
    await fill(screen.getByLabelText('Name'), 'x')
    await prove()
    await press('Save address')
    expect(await screen.findByText(/A character is wrong or missing/)).toBeTruthy()
    expect(document.activeElement).toBe(address())
  })

  test('asks for a payment password first where there is none', async () => {
    await open({}, { payPasswordSet: false })
    const link = await screen.findByRole('link', { name: 'Set payment password' })
    expect(link.getAttribute('href')).toBe('/modifyPayPassword')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save address' }).disabled).toBe(
      true,
    )
  })

  test('one that was deleted a moment ago leads to where it is restored', async () => {
    await open({
      'userAddress/insertUserAddress': () =>
        refusal('payee.removed', { args: { label: 'Cold wallet' } }),
    })
    await fill(address(), tron)
    await fill(screen.getByLabelText('Name'), 'x')
    await prove()
    await press('Save address')
    const link = await screen.findByRole('link', { name: 'Show deleted' })
    expect(link.getAttribute('href')).toBe('/addressManage')
  })

  test('while only saved ones count, says so before anything is typed', async () => {
    serve({ whitelistOnly: true })
    await renderApp('/addAddress')
    const link = await screen.findByRole('link', { name: 'Go to allowlist' })
    expect(link.getAttribute('href')).toBe('/addressManage')
    expect(screen.queryByRole('radio', { name: 'USDT' })).toBeNull()
  })

  test('a rule that was switched on meanwhile takes the place of the form', async () => {
    const book = { list: [], limit: 20, whitelistOnly: false }
    await open({
      'userAddress/findUserAddressList': () => answer({ ...book }),
      'userAddress/insertUserAddress': () => {
        book.whitelistOnly = true
        return refusal('payee.only_saved')
      },
    })
    await fill(address(), tron)
    await fill(screen.getByLabelText('Name'), 'x')
    await prove()
    await press('Save address')
    expect(await screen.findByRole('link', { name: 'Go to allowlist' })).toBeTruthy()
  })

  test('an address is read from a QR code where the browser can', async () => {
    let found = [{ rawValue: `tron:${tron}` }]
    vi.stubGlobal(
      'BarcodeDetector',
      class {
        detect = async () => found
      },
    )
    try {
      await open()
      const picture = new File([''], 'code.png', { type: 'image/png' })
      await userEvent.upload(screen.getByLabelText('QR code'), picture)
      await waitFor(() => expect(address().value).toBe(tron))
      found = []
      await userEvent.upload(screen.getByLabelText('QR code'), picture)
      expect(await screen.findByText(/No address was found/)).toBeTruthy()
      expect(address().value).toBe(tron)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('no QR button where the browser can not read one', async () => {
    await open()
    expect(screen.queryByText('QR code')).toBeNull()
  })

  test('an address is pasted', async () => {
    await open()
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { readText: async () => ` ${tron}\n` },
    })
    await press('Paste')
    await waitFor(() => expect(address().value).toBe(tron))
  })
})

describe('the way to the address book', () => {
  test.each([
    ['true', 1],
    ['false', 0],
  ])('while the switch is %s, the user centre has it %i times', async (value, times) => {
    storage.remove('appConfig')
    serve(
      {},
      {
        'config/findFrontConfigList': () =>
          answer([{ key: 'address.enabled', value, type: 'bool' }]),
        'user/findUserInfo': () => answer(user),
      },
    )
    await renderApp('/myCenter')
    await screen.findByRole('link', { name: 'Security' })
    await waitFor(() =>
      expect(screen.queryAllByRole('link', { name: 'Address book' })).toHaveLength(times),
    )
  })
})
