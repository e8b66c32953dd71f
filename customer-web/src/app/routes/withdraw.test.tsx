import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { serverNow } from '@/api/request-headers'
import { clearDraft } from '@/features/withdraw/model/draft'
import { formatDateTime } from '@/format/time'
import { clearSession, startSession } from '@/session/session-store'
import { renderApp, setScreen } from '@/testing/render-app'
import { useToasts } from '@/ui/toast/toast-store'

type Call = {
  path: string
  key: string | null
  body: unknown
  query: URLSearchParams
  headers: Headers
}
type Reply = (call: Call) => Response | Promise<Response>

const ok = (data: unknown) => Response.json({ status: 1, code: 'ok', data })
const refuse = (code: string, args: Record<string, string> = {}) =>
  Response.json({ status: 0, code, enMsg: code, cnMsg: code, args, traceId: 'abc' })
const silence = () => Promise.reject(new TypeError('network'))

/** Fakes calls by the last part of their path and records them. */
function serve(replies: Record<string, Reply>): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const request = input instanceof Request ? input : new Request(new URL(input, 'http://c.test'))
    const url = new URL(request.url)
    const text = request.method === 'POST' ? await request.clone().text() : ''
    const call = {
      path: url.pathname.split('/').at(-1) ?? '',
      key: request.headers.get('Idempotency-Key'),
      body: text ? JSON.parse(text) : null,
      query: url.searchParams,
      headers: request.headers,
    }
    calls.push(call)
    return (replies[call.path] ?? standard[call.path] ?? (() => ok(null)))(call)
  })
  return calls
}

const terms = (more: Partial<Wire['WithdrawTerms']> = {}): Wire['WithdrawTerms'] => ({
  currency: 'USDT',
  balance: '1500',
  bonus: '25',
  available: '1200.5',
  minimum: '10',
  maximum: '50000',
  dayLimit: '10000',
  dayLeft: '9000',
  monthLimit: '100000',
  monthLeft: '99000',
  feeRate: '0.5',
  ways: [{ kind: 'bank', fee: '2', arrivalHours: 72 }],
  verified: true,
  ...more,
})

const bank = (more: Partial<Wire['UserWallet']> = {}): Wire['UserWallet'] => ({
  walletId: 70001,
  holder: 'Tess Trader',
  bank: 'Commerzbank',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  label: 'Salary',
  selected: true,
  state: 'active',
  usableFrom: serverNow() - 1000,
  createdAt: serverNow() - 90_000_000,
  ...more,
})

const withdrawal = (more: Partial<Wire['Withdraw']> = {}): Wire['Withdraw'] => ({
  withdrawId: 60001,
  withdrawNo: 'WD-60001',
  kind: 'bank',
  currency: 'USDT',
  amount: '100',
  fee: '2.5',
  net: '97.5',
  holder: 'Tess Trader',
  bank: 'Commerzbank',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  state: 'review',
  cancellable: true,
  createdAt: serverNow() - 60_000,
  movedAt: serverNow() - 60_000,
  promisedAt: serverNow() + 4 * 3_600_000,
  ...more,
})

const page = (list: Wire['Withdraw'][], total = list.length, next = 0) =>
  ok({ list, total, more: false, page: 1, size: 8, next })

const standard: Record<string, Reply> = {
  platformRunningStatus: () => ok(1),
  findSecurityInfo: () => ok({ mail: 'te***s@mail.com', phone: '', payPasswordSet: true }),
  findWithdrawTerms: () => ok(terms()),
  findUserWalletList: () => ok([bank()]),
  findWithdrawPage: () => page([]),
  sendMoneyOutValidCode: () => ok({ resendAfter: 60, expiresAfter: 600 }),
}

const trader = { userId: '7', userName: 'a***z', type: 1, authStatus: 3 }

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await Promise.all([
    import('./withdraw'),
    import('@/theme/mui-root'),
    import('@/ui/sheet/sheet-surface'),
  ])
}, 30_000)

beforeEach(() => {
  setScreen('phone')
  clearDraft()
  startSession('token', trader)
  useToasts.setState({ shown: [] })
})

afterEach(() => {
  vi.useRealTimers()
  clearSession()
})

const amountField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Amount' })
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))

/** Pastes the text, because typing it key by key is slow. */
async function fill(field: HTMLElement, text: string) {
  await userEvent.click(field)
  await userEvent.paste(text)
}

async function prove() {
  await fill(screen.getByLabelText('Payment password'), '482915')
  await fill(screen.getByLabelText('Verification code'), '123456')
}

async function review(amount: string) {
  await fill(await amountField(), amount)
  await press('Review')
  return within(await screen.findByRole('dialog'))
}

const inserts = (calls: Call[]) => calls.filter(({ path }) => path === 'insertBankWithdraw')
const textOf = (label: string, at = 0) =>
  screen.getAllByText(label)[at]?.closest('div')?.textContent

describe('a new withdrawal', () => {
  test('says what can leave, what not and why, the fee, what arrives and what the limits leave', async () => {
    serve({})
    await renderApp('/withdraw')
    await fill(await amountField(), '100')
    expect(textOf('Fee')).toContain('2.50')
    expect(textOf('You receive')).toContain('97.50')
    expect(textOf('Arrives')).toContain('within 72 h')
    expect(textOf('Not withdrawable')).toMatch(/open positions.*299\.50/)
    expect(textOf('Bonus')).toContain('can’t be withdrawn')
    expect(textOf('Available')).toContain('1,200.50')
    expect(textOf('24-hour limit left')).toMatch(/9,000.*of .10,000/)
    expect(textOf('30-day limit left')).toMatch(/99,000.*of .100,000/)
  })

  test('says at once how much it may be, and what is left', async () => {
    serve({})
    await renderApp('/withdraw')
    await amountField()
    expect(screen.getByText(/^From .10. to .1,200\.50. USDT/)).toBeTruthy()
    const room = screen.getByText(/^Available: /).textContent
    expect(room).toMatch(/1,200\.50. USDT.*9,000. in 24 hours.*99,000. in 30 days/)
  })

  test('keeps the amount while a bank account is added', async () => {
    serve({})
    const { history } = await renderApp('/withdraw')
    await fill(await amountField(), '100')
    await act(async () => history.push('/withdraw?step=account'))
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull())
    await act(async () => history.push('/withdraw'))
    expect((await amountField()).value).toBe('100')
  })

  test('says what lies on the funding account where nothing can leave, and leads to its transfer', async () => {
    const kept = { kind: 'funding', currency: 'USDT', available: '9800' }
    serve({
      findWithdrawTerms: () => ok(terms({ available: '0' })),
      findByWalletList: () => ok({ accounts: [kept] }),
    })
    await renderApp('/withdraw')
    expect(await screen.findByText(/funding account has .9,800. USDT/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Transfer' }).getAttribute('href')).toBe(
      '/mywallet?transfer=trade',
    )
  })

  test('says nothing of a funding account that has nothing', async () => {
    serve({
      findWithdrawTerms: () => ok(terms({ available: '0' })),
      findByWalletList: () =>
        ok({ accounts: [{ kind: 'funding', currency: 'USDT', available: '0' }] }),
    })
    await renderApp('/withdraw')
    await screen.findByText(/Nothing available to withdraw/)
    expect(screen.queryByText(/funding account/)).toBeNull()
    expect(screen.queryByRole('link', { name: 'Transfer' })).toBeNull()
  })

  test('what can be disposed of is shown in whole cents, and the fee takes what a bank can’t transfer', async () => {
    serve({ findWithdrawTerms: () => ok(terms({ available: '1200.5398', dayLeft: '5398.9198' })) })
    await renderApp('/withdraw')
    const field = await amountField()
    const room = screen.getByText(/^Available: /).textContent
    expect(room).toMatch(/1,200\.53. USDT.*5,398\.91. in 24 hours/)
    await press('Max: enter the maximum you can withdraw')
    expect(field.value).toBe('1200.53')
    expect(textOf('Fee')).toBe('Fee8.01 USDT') // 2 and 0.5 % are 8.00265
  })

  test('Max is the narrowest bound, and more than it is refused without a call', async () => {
    const calls = serve({ findWithdrawTerms: () => ok(terms({ dayLeft: '40.5' })) })
    await renderApp('/withdraw')
    const field = await amountField()
    await press('Max: enter the maximum you can withdraw')
    expect(field.value).toBe('40.5')
    await userEvent.clear(field)
    await fill(field, '40.500001')
    await press('Review')
    expect(await screen.findByText(/40\.50. USDT left of your 24-hour limit/)).toBeTruthy()
    expect(document.activeElement).toBe(field)
    await userEvent.clear(field)
    await fill(field, '1300')
    await press('Review')
    expect(await screen.findByText(/You can withdraw up to .1,200\.50. USDT/)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(inserts(calls)).toHaveLength(0)
  })

  test('is reviewed, proved, and leads to where it stands', async () => {
    const calls = serve({
      insertBankWithdraw: () => ok(withdrawal()),
      findWithdrawPage: () => page([withdrawal()]),
    })
    const { history } = await renderApp('/withdraw')
    const dialog = await review('100')
    expect(dialog.getByText('DE89 3704 0044 0532 0130 00')).toBeTruthy()
    expect(dialog.getByText(/deducted from your account immediately/)).toBeTruthy()
    await press(/^Withdraw .100. USDT/)
    expect(await dialog.findByText('Enter exactly 6 digits.')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText('Payment password'))
    expect(inserts(calls)).toHaveLength(0)
    await prove()
    await press(/^Withdraw .100. USDT/)
    await screen.findByRole('heading', { name: 'In review' })
    expect(history.location.search).toBe('?id=60001')
    expect(inserts(calls)[0]?.body).toEqual({
      walletId: 70001,
      amount: '100',
      payPassword: '482915',
      validCode: '123456',
    })
    expect(inserts(calls)[0]?.key).toMatch(/^[0-9a-f]{32}$/)
  })

  test('shows a refusal in its own place alone, the proof’s at its field', async () => {
    let reply: Reply = () => refuse('payment_password.wrong', { left: '4' })
    serve({ insertBankWithdraw: (call) => reply(call) })
    await renderApp('/withdraw')
    const dialog = await review('100')
    await prove()
    await press(/^Withdraw .100/)
    expect(await dialog.findByText(/Attempts left: 4/)).toBeTruthy()
    reply = () => refuse('withdrawal.funds', { free: '90' })
    await press(/^Withdraw .100/)
    expect(await dialog.findByText(/up to .?90.? USDT from this account/)).toBeTruthy()
    expect(useToasts.getState().shown).toHaveLength(0)
  })

  test('a refusal of its amount is shown at the amount, without the review', async () => {
    serve({
      insertBankWithdraw: () =>
        Response.json({
          status: 0,
          code: 'invalid_input',
          enMsg: '',
          cnMsg: '',
          fields: { amount: 'field.unknown' },
        }),
    })
    await renderApp('/withdraw')
    await review('100')
    await prove()
    await press(/^Withdraw .100/)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await amountField()).getAttribute('aria-invalid')).toBe('true')
  })

  test('keeps its key while no answer comes, whatever proves it', async () => {
    let reply: Reply = silence
    const calls = serve({ insertBankWithdraw: (call) => reply(call) })
    const { history } = await renderApp('/withdraw')
    await review('100')
    await prove()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.click(screen.getByRole('button', { name: /^Withdraw .100/ }))
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.getByRole('button', { name: 'Checking…' })).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(6000))
    expect(await screen.findByText(/It won’t be submitted twice/)).toBeTruthy()
    await user.clear(screen.getByLabelText('Verification code'))
    await user.type(screen.getByLabelText('Verification code'), '654321')
    reply = () => ok(withdrawal())
    await user.click(screen.getByRole('button', { name: /^Withdraw .100/ }))
    await waitFor(() => expect(history.location.search).toBe('?id=60001'))
    expect(inserts(calls)).toHaveLength(5)
    expect(new Set(inserts(calls).map(({ key }) => key)).size).toBe(1)
  })

  test('goes to a bank account that can be used; one that has to wait counts down', async () => {
    serve({
      findUserWalletList: () =>
        ok([
          bank({
            walletId: 70002,
            label: 'New one',
            selected: true,
            state: 'cooling',
            usableFrom: serverNow() + 23 * 3_600_000,
          }),
          bank({ selected: false }),
        ]),
    })
    await renderApp('/withdraw')
    const waiting = await screen.findByRole<HTMLInputElement>('radio', { name: /New one/ })
    expect(waiting.disabled).toBe(true)
    expect(screen.getByRole('timer').textContent).toMatch(/^2[23]:\d\d:\d\d$/)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Salary/ }).checked).toBe(true)
  })

  test('a deleted bank account is no choice, and can be restored', async () => {
    const goneAt = Date.UTC(2026, 10, 23, 12)
    serve({
      findUserWalletList: () =>
        ok([bank(), bank({ walletId: 70002, label: 'Old', state: 'removed', goneAt })]),
    })
    await renderApp('/withdraw')
    const old = await screen.findByRole<HTMLInputElement>('radio', { name: /Old/ })
    expect(old.disabled).toBe(true)
    expect(screen.getByText(/Can be restored until/)).toBeTruthy()
    expect(screen.queryByRole('timer')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Delete: Old' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Delete: Salary' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Restore: Old' }))
    expect(await screen.findByRole('dialog', { name: /Restore .*Old/ })).toBeTruthy()
  })

  test('says that it is switched off where no way is open', async () => {
    serve({ findWithdrawTerms: () => ok(terms({ ways: [] })) })
    await renderApp('/withdraw')
    expect(await screen.findByText(/This feature is currently unavailable/)).toBeTruthy()
    expect(screen.queryByRole('radio')).toBeNull()
  })

  test('deletes a bank account after asking, with a proof that stands in headers', async () => {
    const heads: (string | null)[] = []
    let banks = [bank()]
    serve({
      findUserWalletList: () => ok(banks),
      findWithdrawTerms: () =>
        ok(terms({ heldUntil: serverNow() + 3_600_000, heldReason: 'new_device' })),
      deleteUserWallet: ({ query, headers }) => {
        heads.push(query.get('walletId'), headers.get('Pay-Password'), headers.get('Valid-Code'))
        banks = []
        return ok(bank({ state: 'removed' }))
      },
    })
    await renderApp('/withdraw')
    await userEvent.click(await screen.findByRole('button', { name: 'Delete: Salary' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(heads).toEqual([])
    await prove()
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByText('Salary')).toBeNull())
    expect(heads).toEqual(['70001', '482915', '123456'])
  })

  test('is not possible while every bank account has to wait', async () => {
    serve({
      findUserWalletList: () =>
        ok([bank({ state: 'cooling', usableFrom: serverNow() + 3_600_000 })]),
    })
    await renderApp('/withdraw')
    expect(await screen.findByText(/None of your bank accounts can be used yet/)).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Review' }).disabled).toBe(true)
  })

  test('without a bank account leads to the form for one', async () => {
    serve({ findUserWalletList: () => ok([]) })
    await renderApp('/withdraw')
    const link = await screen.findByRole('link', { name: 'Add bank account' })
    expect(link.getAttribute('href')).toBe('/withdraw?step=account')
    expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull()
  })

  test('lists what is under way above', async () => {
    serve({
      findWithdrawPage: () =>
        page([withdrawal(), withdrawal({ withdrawId: 1, state: 'completed' })]),
    })
    await renderApp('/withdraw')
    const rows = (await screen.findByRole('heading', { name: 'In progress' })).closest('section')
    expect(rows?.querySelectorAll('li')).toHaveLength(1)
  })
})

describe('what stands in the way is said, all at once', () => {
  test('an identity that is not verified, with the way to verify it', async () => {
    serve({ findWithdrawTerms: () => ok(terms({ verified: false, dayLeft: '0', monthLeft: '0' })) })
    await renderApp('/withdraw')
    const block = (
      await screen.findByRole('heading', { name: /identity is not verified/ })
    ).closest('section')
    expect(block?.querySelector('a')?.getAttribute('href')).toBe('/authenticate')
    expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull()
    expect(screen.queryByText('Your limits')).toBeNull()
  })

  test('a lock: the form can be tried, and its button says from when it can be sent, and why', async () => {
    const heldUntil = serverNow() + 23 * 3_600_000
    serve({
      findWithdrawTerms: () => ok(terms({ heldUntil, heldReason: 'payment_password_change' })),
    })
    await renderApp('/withdraw')
    const field = await amountField()
    await fill(field, '100')
    expect(textOf('You receive')).toContain('97.50')
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /You can send this from/ })
    expect(button.disabled).toBe(true)
    const at = formatDateTime(heldUntil, { tag: 'en', hourCycle: '24', timeZone: 'local' })
    // In its own direction, which is from right to left in Arabic.
    expect(button.textContent).toContain(`\u2068${at}\u2069`)
    const why = document.getElementById(button.getAttribute('aria-describedby') ?? '')
    expect(why?.textContent).toMatch(/on hold.*The payment password was changed/)
    await userEvent.type(field, '{Enter}')
    expect(screen.queryByRole('button', { name: 'Review' })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a lock that ends gives the review back', async () => {
    const heldUntil = serverNow() + 3_600_000
    serve({
      findWithdrawTerms: () =>
        ok(terms(serverNow() < heldUntil ? { heldUntil, heldReason: 'new_device' } : {})),
    })
    await renderApp('/withdraw')
    await screen.findByRole('button', { name: /You can send this from/ })
    vi.useFakeTimers({ toFake: ['Date'], now: heldUntil + 60_000 })
    expect(await screen.findByRole('button', { name: 'Review' }, { timeout: 8_000 })).toBeTruthy()
  }, 20_000)

  test('a lock of a trader who is not verified counts down in its own block', async () => {
    const heldUntil = serverNow() + 23 * 3_600_000
    serve({
      findWithdrawTerms: () =>
        ok(terms({ verified: false, heldUntil, heldReason: 'payment_password_change' })),
    })
    await renderApp('/withdraw')
    expect(await screen.findByRole('heading', { name: 'Withdrawals are on hold' })).toBeTruthy()
    expect(screen.getByText('The payment password was changed')).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toMatch(/^2[23]:/)
    expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull()
  })

  test('no payment password, with the way to one', async () => {
    serve({ findSecurityInfo: () => ok({ mail: 'a', phone: '', payPasswordSet: false }) })
    await renderApp('/withdraw')
    const link = await screen.findByRole('link', { name: 'Set payment password' })
    expect(link.getAttribute('href')).toBe('/modifyPayPassword')
  })

  test('nothing that could leave', async () => {
    serve({ findWithdrawTerms: () => ok(terms({ available: '9.99' })) })
    await renderApp('/withdraw')
    expect(await screen.findByRole('heading', { name: /Nothing available/ })).toBeTruthy()
    expect(screen.getByText(/minimum withdrawal is .10. USDT/)).toBeTruthy()
  })

  test('a limit that is used up', async () => {
    serve({ findWithdrawTerms: () => ok(terms({ dayLeft: '0' })) })
    await renderApp('/withdraw')
    expect(await screen.findByRole('heading', { name: /reached your limit/ })).toBeTruthy()
  })

  test('practice money, which asks for nothing', async () => {
    startSession('token', { ...trader, type: 5 })
    const calls = serve({})
    await renderApp('/withdraw')
    expect(await screen.findByText(/practice money, so you can’t withdraw/)).toBeTruthy()
    expect(calls.some(({ path }) => /Withdraw|Wallet/.test(path))).toBe(false)
  })
})

describe('a new bank account', () => {
  const open = async (more: Record<string, Reply> = {}) => {
    const calls = serve(more)
    const { history } = await renderApp('/withdraw?step=account')
    await fill(await screen.findByLabelText('Account holder'), 'Tess Trader')
    await fill(screen.getByLabelText('Bank'), 'Commerzbank')
    await fill(screen.getByLabelText('BIC / SWIFT'), 'cobadeffxxx')
    await fill(screen.getByLabelText('Name for this account'), 'Salary')
    await prove()
    return { calls, history, binds: () => calls.filter(({ path }) => path === 'bindUserWallet') }
  }
  const iban = () => screen.getByLabelText('IBAN')

  test('is saved in its normal form and goes back to the withdrawal', async () => {
    const { binds, history } = await open({ bindUserWallet: () => ok(bank()) })
    await fill(iban(), 'de89 3704 0044 0532 0130 00')
    await press('Save bank account')
    await waitFor(() => expect(history.location.search).toBe(''))
    expect(binds()[0]?.body).toEqual({
      holder: 'Tess Trader',
      bank: 'Commerzbank',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      label: 'Salary',
      payPassword: '482915',
      validCode: '123456',
    })
  })

  test('a wrong letter in its IBAN is seen on this device', async () => {
    const { binds } = await open()
    await fill(iban(), 'DE89 3704 0044 0532 0130 01')
    await press('Save bank account')
    expect(await screen.findByText(/IBAN/, { selector: 'span' })).toBeTruthy()
    expect(document.activeElement).toBe(iban())
    expect(binds()).toHaveLength(0)
  })

  test('one of ours is refused in words', async () => {
    await open({ bindUserWallet: () => refuse('payee.house') })
    await fill(iban(), 'DE89370400440532013000')
    await press('Save bank account')
    expect(await screen.findByText(/This is one of our own accounts/)).toBeTruthy()
  })
})

describe('one withdrawal', () => {
  const open = async (one: Partial<Wire['Withdraw']>, more: Record<string, Reply> = {}) => {
    const calls = serve({ findWithdrawPage: () => page([withdrawal(one)]), ...more })
    await renderApp('/withdraw?id=60001')
    await screen.findByRole('heading', { name: /WD-60001/ })
    return calls
  }
  const now = () => document.querySelector('[aria-current="step"]')?.textContent

  test('says its stage, whose turn it is, by when, and where it goes', async () => {
    const calls = await open({})
    expect(now()).toMatch(/^First approval: now/)
    expect(textOf('Waiting for')).toContain('Our finance team')
    expect(screen.getByText(/We aim to decide by/)).toBeTruthy()
    expect(screen.getByText('DE89 3704 0044 0532 0130 00')).toBeTruthy()
    const asked = calls.find(({ path }) => path === 'findWithdrawPage')
    expect(asked?.query.get('next')).toBe('60002')
  })

  test('is honest when it is late', async () => {
    await open({ promisedAt: serverNow() - 1000 })
    expect(screen.getByText(/taking longer than planned/)).toBeTruthy()
    expect(screen.queryByText(/We aim to decide by/)).toBeNull()
  })

  test('has the bank’s reference once it is sent, and no way to cancel', async () => {
    await open({ state: 'sent', cancellable: false, payment: 'PAY-1', sentAt: serverNow() })
    expect(now()).toMatch(/^Arrived: now/)
    expect(screen.getByText('PAY-1')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull()
  })

  const coins = {
    kind: 'standard',
    chain: 'tron',
    chainName: 'TRON (TRC-20)',
    address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    cancellable: false,
  } as const

  test('of coins names the network and leads to its transaction', async () => {
    const explorer = 'https://tronscan.org/#/transaction/ab12'
    const more = { required: 3, confirmations: 1, payment: 'ab12', explorer, sentAt: serverNow() }
    await open({ ...coins, state: 'sent', ...more })
    expect(textOf('Network')).toContain('TRON (TRC-20)')
    expect(textOf('Confirmations')).toMatch(/1 \/ 3/)
    expect(screen.getByRole('button', { name: 'Copy: Transaction' })).toBeTruthy()
    expect(screen.getByRole('link', { name: /block explorer/ }).getAttribute('href')).toBe(explorer)
    expect(screen.queryByText(/bank/i)).toBeNull()
  })

  test('of coins that nobody knows about names the provider, not a bank', async () => {
    await open({ ...coins, state: 'outcome_unknown' })
    expect(screen.getByRole('heading', { name: 'Checking with our provider' })).toBeTruthy()
    expect(now()).toMatch(/^Checking with our provider: now/)
    expect(screen.queryByText(/bank/i)).toBeNull()
  })

  test('that was refused says why and that the money is back', async () => {
    await open({
      state: 'rejected',
      cancellable: false,
      reason: 'holder_differs',
      endedAt: serverNow(),
    })
    expect(screen.getByText(/not in your name/)).toBeTruthy()
    expect(screen.getByText(/full amount is back in your account/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'New withdrawal' })).toBeTruthy()
  })

  test('is cancelled after asking', async () => {
    const calls = await open(
      {},
      {
        cancelWithdraw: () => ok(withdrawal({ state: 'cancelled', cancellable: false })),
      },
    )
    await press('Cancel this withdrawal')
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/goes back to your account immediately/)).toBeTruthy()
    expect(calls.some(({ path }) => path === 'cancelWithdraw')).toBe(false)
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel withdrawal' }))
    expect(await screen.findByRole('heading', { name: 'Cancelled' })).toBeTruthy()
    expect(calls.find(({ path }) => path === 'cancelWithdraw')?.body).toEqual({ withdrawId: 60001 })
  })

  test('that was asked about takes an answer', async () => {
    const calls = await open(
      { state: 'more_info', reason: 'source_of_funds' },
      { replyWithdraw: () => ok(withdrawal({ answer: 'My salary.' })) },
    )
    expect(screen.getByText(/where the money came from/)).toBeTruthy()
    expect(textOf('Waiting for')).toContain('You')
    await press('Send answer')
    expect(await screen.findByText('Write an answer first.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Your answer' }))
    await fill(screen.getByRole('textbox', { name: 'Your answer' }), ' My salary. ')
    await press('Send answer')
    expect(await screen.findByRole('heading', { name: 'In review' })).toBeTruthy()
    expect(calls.find(({ path }) => path === 'replyWithdraw')?.body).toEqual({
      withdrawId: 60001,
      answer: 'My salary.',
    })
  })

  test('of somebody else is not there', async () => {
    serve({})
    await renderApp('/withdraw?id=60001')
    expect(await screen.findByText(/No withdrawal with this number/)).toBeTruthy()
  })
})

describe('the history', () => {
  test('has numbered pages on a desktop', async () => {
    setScreen('desktop')
    const calls = serve({ findWithdrawPage: () => page([withdrawal()], 20) })
    await renderApp('/withdraw?tab=history')
    const row = await screen.findByRole('link', { name: /WD-60001/ })
    expect(row.getAttribute('href')).toBe('/withdraw?id=60001')
    await userEvent.click(screen.getByRole('button', { name: /2/ }))
    await waitFor(() => expect(calls.some(({ query }) => query.get('page') === '2')).toBe(true))
  })

  test('loads more and more of them on a phone', async () => {
    const calls = serve({
      findWithdrawPage: ({ query }) =>
        query.get('next') === '60001'
          ? page([withdrawal({ withdrawId: 60000, withdrawNo: 'WD-60000' })], 2)
          : page([withdrawal()], 2, 60001),
    })
    await renderApp('/withdraw?tab=history')
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByRole('link', { name: /WD-60000/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
    expect(calls.some(({ query }) => query.get('next') === '60001')).toBe(true)
  })

  test('that is empty leads to a withdrawal', async () => {
    serve({})
    await renderApp('/withdraw?tab=history')
    expect(await screen.findByText('No withdrawals yet.')).toBeTruthy()
  })
})
