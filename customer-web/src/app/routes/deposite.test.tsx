import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import type { AccountEvent } from '@/live/live'
import { clearSession, startSession } from '@/session/session-store'
import { renderApp, setScreen } from '@/testing/render-app'
import { shrinkImage } from '@/ui/shrink-image'
import { useToasts } from '@/ui/toast/toast-store'

let emitEvent: (event: AccountEvent) => void = () => {}
vi.mock('@/live/live', async (original) => ({
  ...(await original<object>()),
  onAccountEvent: (listener: typeof emitEvent) => {
    emitEvent = listener
    return () => {}
  },
}))
vi.mock('@/ui/shrink-image', () => ({ shrinkImage: vi.fn(async (file: File) => file) }))

type Call = { path: string; key: string | null; body: unknown; type: string | null }
type Reply = (call: Call, request: Request) => Response | Promise<Response>

const ok = (data: unknown) => Response.json({ status: 1, code: 'ok', data })
const refuse = (code: string, args: Record<string, string> = {}) =>
  Response.json({ status: 0, code, enMsg: code, cnMsg: code, args, traceId: 'abc' })
const silence = () => Promise.reject(new TypeError('network'))

/** Fakes calls by the last part of their path and records them. */
function serve(replies: Record<string, Reply>): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const request = input instanceof Request ? input : new Request(new URL(input, 'http://c.test'))
    const path = new URL(request.url).pathname.split('/').at(-1) ?? ''
    const type = request.headers.get('content-type')
    const text = request.method === 'POST' ? await request.clone().text() : ''
    const call = {
      path,
      key: request.headers.get('Idempotency-Key'),
      body: type?.includes('json') && text ? JSON.parse(text) : null,
      type,
    }
    calls.push(call)
    if (path === 'findRecharge' && !replies.findRecharge) {
      return found(call, request, replies.findRechargePage ?? (() => page([])))
    }
    return (replies[path] ?? standard[path] ?? (() => ok(null)))(call, request)
  })
  return calls
}

const channel: Wire['PayChannel'] = {
  channelId: 1,
  kind: 'bank',
  name: 'Bank transfer',
  currency: 'USD',
  rechargeMin: '10',
  rechargeMax: '1000000',
  bank: 'Specimen Bank',
  holder: 'Candor client money',
  iban: 'DE89370400440532013000',
  bic: 'SPECDEFFXXX',
  hours: 72,
  minutes: 4320,
  feeRate: '0',
}

const now = Date.now()

function deposit(more: Partial<Wire['Recharge']> = {}): Wire['Recharge'] {
  return {
    rechargeId: 50001,
    rechargeNo: 'DP-50001',
    feeRate: '0',
    kind: 'bank',
    channelId: 1,
    currency: 'USD',
    amount: '500.5',
    reference: 'CD-7Q4K-2291',
    state: 'awaiting_transfer',
    cancellable: true,
    createdAt: now - 60_000,
    expiresAt: now + 71 * 3_600_000,
    ...more,
  }
}

const page = (list: Wire['Recharge'][], total = list.length, number = 1) =>
  ok({ list, total, more: false, page: number, size: 8 })

const standard: Record<string, Reply> = {
  platformRunningStatus: () => ok(1),
  getPayChannelList: () => ok([channel]),
  findCurrencyMoneyList: () => ok([]),
  findConfigByKey: () => ok({ key: 'deposit.unverified_total', value: '2000', type: 'decimal' }),
  findRechargePage: () => page([]),
}

/** Finds the one deposit in the page that the test serves. */
async function found(call: Call, request: Request, list: Reply): Promise<Response> {
  const { data } = await (await list(call, request)).json()
  const id = Number(new URL(request.url).searchParams.get('rechargeId'))
  const one = data.list.find((each: Wire['Recharge']) => each.rechargeId === id)
  return one ? ok(one) : refuse('deposit.unknown')
}

const trader = { userId: '7', userName: 'a***z', type: 1, authStatus: -1 }

// Preloads the lazy parts so that no test waits for them.
beforeAll(async () => {
  await Promise.all([
    import('./deposite'),
    import('@/theme/mui-root'),
    import('@/features/deposit/components/crypto-deposit'),
  ])
}, 30_000)

beforeEach(() => {
  setScreen('phone')
  startSession('token', trader)
  useToasts.setState({ shown: [] })
  URL.createObjectURL = vi.fn(() => 'blob:picture')
  URL.revokeObjectURL = vi.fn()
})

afterEach(() => {
  vi.useRealTimers()
  clearSession()
})

const amountField = () => screen.findByRole('textbox', { name: 'Amount' })
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))

describe('a new deposit', () => {
  const network: Wire['PayChannel'] = {
    ...channel,
    channelId: 111,
    kind: 'standard',
    name: 'USDT, TRON (TRC-20)',
    currency: 'USDT',
    bank: '',
    coin: 'USDT',
    chain: 'tron',
    chainName: 'TRON (TRC-20)',
    confirmations: 20,
  }
  const address: Wire['DepositAddress'] = {
    channelId: 111,
    coin: 'USDT',
    chain: 'tron',
    chainName: 'TRON (TRC-20)',
    address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7',
    memo: '',
    qr: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7',
    rechargeMin: '12.5',
    explorer: 'https://tronscan.org',
    confirmations: 20,
  }

  test('of coins says the least of it and how many confirmations it takes', async () => {
    serve({ getPayChannelList: () => ok([network]), getDepositAddress: () => ok(address) })
    await renderApp('/deposite')
    const crypto = await screen.findByRole('radio', { name: 'Crypto' })
    expect(crypto.closest('section')?.textContent).toMatch(
      /USDT, TRON.*Credited after 20 network confirmations/,
    )
    const row = (name: string) => screen.getByText(name).nextElementSibling?.textContent
    expect(await screen.findByRole('heading', { name: /USDT on .*TRON/ })).toBeTruthy()
    expect(row('Minimum')).toBe('12.50 USDT')
    expect(row('Credited after')).toBe('20 confirmations')
    expect(screen.getByText(/^Send only USDT on/).textContent).not.toMatch(/memo/)
    expect(row('Your address')).toBe('TLa2 f6VP qDgR E67v 1736 s7bJ 8Ray 5wYj U7')
  })

  test('of coins copies the address as it is, and asks for the memo where there is one', async () => {
    serve({
      getPayChannelList: () => ok([network]),
      getDepositAddress: () => ok({ ...address, memo: '883' }),
    })
    await renderApp('/deposite')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Copy address' }))
    expect(await navigator.clipboard.readText()).toBe(address.address)
    expect(screen.getByText('883')).toBeTruthy()
    expect(screen.getByText(/^Send only USDT on/).textContent).toMatch(/Include this memo/)
  })

  test('of coins names no number that nobody knows', async () => {
    const { confirmations: _, ...unknown } = address
    serve({
      getPayChannelList: () => ok([{ ...network, confirmations: undefined }]),
      getDepositAddress: () => ok(unknown),
    })
    await renderApp('/deposite')
    const credited = await screen.findByText('Credited after')
    expect(credited.nextElementSibling?.textContent).toBe('Network confirmation')
  })

  test('shows a network that is closed, and chooses another one', async () => {
    const calls = serve({
      getPayChannelList: () =>
        ok([{ ...network, channelId: 112, name: 'USDT, Ethereum', closed: true }, network]),
      getDepositAddress: () => ok(address),
    })
    await renderApp('/deposite')
    const closed = await screen.findByRole('radio', { name: /Ethereum/ })
    expect(closed.closest('label')?.textContent).toMatch(/Unavailable right now/)
    expect((closed as HTMLInputElement).disabled).toBe(true)
    await userEvent.click(closed, { pointerEventsCheck: 0 })
    const open = screen.getByRole('radio', { name: /TRON/ }) as HTMLInputElement
    expect([open.checked, open.disabled]).toEqual([true, false])
    expect(open.closest('label')?.textContent).not.toMatch(/Unavailable/)
    await screen.findByText('Minimum')
    expect(calls.filter(({ path }) => path === 'getDepositAddress')).toHaveLength(1)
  })

  test('offers each kind once, and the networks of coins behind it', async () => {
    const calls = serve({
      getPayChannelList: () =>
        ok([
          channel,
          network,
          { ...network, channelId: 113, name: 'USDT, Ethereum', chain: 'ethereum' },
        ]),
      getDepositAddress: () => ok(address),
    })
    await renderApp('/deposite')
    await screen.findByRole('radio', { name: 'Bank transfer' })
    expect(screen.queryByRole('radio', { name: /TRON/ })).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'Crypto' }))
    await screen.findByText('Minimum')
    expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: /Ethereum/ }))
    await waitFor(() =>
      expect(calls.filter(({ path }) => path === 'getDepositAddress')).toHaveLength(2),
    )
  })

  test('says of a kind that is closed altogether that it is', async () => {
    serve({
      getPayChannelList: () => ok([channel, { ...network, closed: true }]),
    })
    await renderApp('/deposite')
    await userEvent.click(await screen.findByRole('radio', { name: 'Crypto' }))
    expect(screen.getByText(/This payment method is unavailable/)).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /TRON/ }).disabled).toBe(true)
  })

  test('says the limits, the missing fee and the total before verification', async () => {
    serve({})
    await renderApp('/deposite')
    const bank = await screen.findByRole('radio', { name: 'Bank transfer' })
    expect(bank.closest('section')?.textContent).toMatch(
      /Specimen Bank.*10.*1,000,000.*USD.*No fee.*72 hours/,
    )
    expect(await screen.findByText(/deposit up to .2,000. USDT in total/)).toBeTruthy()
  })

  test('says what to know before paying, line by line, where the broker says so', async () => {
    serve({
      getPayChannelList: () =>
        ok([{ ...channel, instructions: 'From your own account only.\nNo cash.' }]),
    })
    await renderApp('/deposite')
    const note = await screen.findByText('From your own account only.', { exact: false })
    expect(note.textContent).toBe('From your own account only.\nNo cash.')
    expect(note.closest('[role=note]')).toBeTruthy()
  })

  test('keeps only a number, and refuses one outside the limits without a call', async () => {
    const calls = serve({})
    await renderApp('/deposite')
    const field = await amountField()
    await userEvent.type(field, '009.1234567x')
    expect((field as HTMLInputElement).value).toBe('9.123456')
    await press('Continue')
    expect(screen.getByText(/minimum deposit is .10. USD/)).toBeTruthy()
    await userEvent.clear(field)
    await press('Continue')
    expect(screen.getByText('Enter an amount.')).toBeTruthy()
    expect(calls.some(({ path }) => path === 'insertBankRecharge')).toBe(false)
  })

  test('says the limit when the field is left, and nothing of an empty one', async () => {
    const calls = serve({})
    await renderApp('/deposite')
    const amount = await amountField()
    await userEvent.type(amount, '2')
    expect(screen.queryByText(/The minimum deposit/)).toBeNull()
    await userEvent.tab()
    await screen.findByText(/The minimum deposit is .10. USD\./)
    await userEvent.type(amount, '00')
    await waitFor(() => expect(screen.queryByText(/The minimum deposit/)).toBeNull())
    await userEvent.clear(amount)
    await userEvent.tab()
    expect(await screen.findByText(/^From .10. to/, { selector: 'form *' })).toBeTruthy()
    expect(screen.queryByText('Enter an amount.')).toBeNull()
    expect(calls.some(({ path }) => path === 'insertBankRecharge')).toBe(false)
  })

  test('leads to the bank details', async () => {
    const calls = serve({ insertBankRecharge: () => ok(deposit()) })
    const { history } = await renderApp('/deposite')
    await amountField()
    await press('500 USD')
    expect(((await amountField()) as HTMLInputElement).value).toBe('500')
    await userEvent.type(await amountField(), '.5')
    await press('Continue')
    expect(await screen.findByText('CD-7Q4K-2291')).toBeTruthy()
    expect(history.location.search).toBe('?id=50001')
    expect(screen.getByText('DE89 3704 0044 0532 0130 00')).toBeTruthy()
    const insert = calls.find(({ path }) => path === 'insertBankRecharge')
    expect(insert?.body).toEqual({ channelId: 1, amount: '500.5' })
    expect(insert?.key).toMatch(/^[0-9a-f]{32}$/)
  })

  test('keeps its key while no answer comes, and takes a fresh one for another amount', async () => {
    let reply: Reply = silence
    const calls = serve({ insertBankRecharge: (call, request) => reply(call, request) })
    await renderApp('/deposite')
    const field = await amountField()
    await userEvent.type(field, '100')
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.getByRole('button', { name: 'Checking…' })).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(6000))
    expect(await screen.findByText(/It won’t be submitted twice/)).toBeTruthy()

    const keys = () =>
      calls.filter(({ path }) => path === 'insertBankRecharge').map(({ key }) => key)
    expect(keys()).toHaveLength(4)
    expect(new Set(keys()).size).toBe(1)

    reply = () => refuse('deposit.unverified', { limit: '2000', left: '150.25' })
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(/You have .150.25. USDT left/)).toBeTruthy()
    expect(new Set(keys()).size).toBe(1)

    await user.clear(field)
    await user.type(field, '150')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(new Set(keys()).size).toBe(2))
  })

  test('is not offered where no channel is open', async () => {
    serve({ getPayChannelList: () => ok([]) })
    await renderApp('/deposite')
    expect(await screen.findByText(/No payment method is available/)).toBeTruthy()
  })

  test('lists what is under way above', async () => {
    serve({
      findRechargePage: () =>
        page([deposit({ state: 'in_review' }), deposit({ rechargeId: 50000, state: 'expired' })]),
    })
    await renderApp('/deposite')
    const open = await screen.findByRole('heading', { name: 'In progress' })
    const list = within(open.closest('section') as HTMLElement)
    expect(list.getAllByRole('link')).toHaveLength(1)
    expect(list.getByText('In review')).toBeTruthy()
  })
})

describe('a payment through a provider', () => {
  const third: Wire['PayChannel'] = {
    ...channel,
    channelId: 101,
    kind: 'third_party',
    name: 'Acme Pay',
    currency: 'USDT',
    bank: '',
    holder: '',
    iban: '',
    bic: '',
    hours: 1,
    minutes: 60,
  }
  const otc: Wire['PayChannel'] = { ...third, channelId: 102, kind: 'otc', minutes: 15, hours: 0 }
  const payment = (more: Partial<Wire['Recharge']>) =>
    deposit({ kind: 'otc', currency: 'USDT', expiresAt: now + 14 * 60_000, ...more })
  const merchant = { merchant: 'Merchant One', merchantBank: 'Bank', merchantAccount: 'DE8937' }

  test('begins with the way, and leads to the provider’s page', async () => {
    const calls = serve({
      getPayChannelList: () => ok([channel, third, otc]),
      insertThirdPartyRecharge: () => ok(payment({ kind: 'third_party', state: 'created' })),
      findRechargePage: () =>
        page([payment({ kind: 'third_party', state: 'redirected', payUrl: 'https://pay.test/1' })]),
    })
    await renderApp('/deposite')
    await userEvent.click(await screen.findByRole('radio', { name: /Payment provider/ }))
    expect(screen.getByText('60 minutes to pay')).toBeTruthy()
    await userEvent.type(await amountField(), '100')
    await press('Continue')
    expect(await screen.findByRole('button', { name: 'Open payment page' })).toBeTruthy()
    expect(calls.find(({ path }) => path === 'insertThirdPartyRecharge')?.body).toEqual({
      channelId: 101,
      amount: '100',
    })
  })

  test('over the counter says whom to pay, and takes the proof', async () => {
    let state: Wire['Recharge'] = payment({ state: 'awaiting_payment', ...merchant })
    const calls = serve({
      findRechargePage: () => page([state]),
      uploadFileImg: () => ok({ file: 'f1.jpg', width: 10, height: 10 }),
      updateRechargePaid: () => {
        state = payment({ state: 'marked_paid', cancellable: false, proofAt: now, ...merchant })
        return ok(state)
      },
    })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByText('Merchant One')).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toMatch(/^00:1[0-4]/)
    await userEvent.upload(
      screen.getByLabelText('Choose a picture or PDF'),
      new File(['x'], 'slip.jpg', { type: 'image/jpeg' }),
    )
    await screen.findByRole('img', { name: /picture that will be sent/ })
    await press('I’ve paid')
    expect(await screen.findByRole('heading', { name: 'Waiting for the merchant' })).toBeTruthy()
    expect(calls.find(({ path }) => path === 'updateRechargePaid')?.body).toEqual({
      rechargeId: 50001,
      file: 'f1.jpg',
    })
  })

  const offer = { currency: 'EUR', amount: '111.2', rate: '0.9267' }

  test('over the counter shows the offer, and whom to pay only once it is accepted', async () => {
    let state = payment({ state: 'awaiting_payment', amount: '120', offer })
    const calls = serve({
      findRechargePage: () => page([state]),
      updateRechargeAgreed: () => {
        const account = { ...merchant, merchantAccount: 'DE89370400440532013000' }
        state = { ...state, ...account, offer: { ...offer, agreedAt: now } }
        return ok(state)
      },
    })
    await renderApp('/deposite?id=50001')
    const title = (await screen.findByRole('heading', { name: /^Pay / })).textContent
    expect(title?.replace(/[\u2066\u2069]/g, '')).toBe('Pay 111.20 EUR, receive 120 USDT')
    expect(screen.getAllByText('1 USDT = 0.9267 EUR').length).toBeGreaterThan(0)
    expect(screen.getByText(/You owe nothing until you accept/)).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toMatch(/^00:1[0-4]/)
    expect(screen.queryByText('Merchant One')).toBeNull()
    expect(screen.queryByRole('button', { name: 'I’ve paid' })).toBeNull()
    await press('Accept and see payment details')
    expect(await screen.findByText('Merchant One')).toBeTruthy()
    expect(calls.find(({ path }) => path === 'updateRechargeAgreed')?.body).toEqual({
      rechargeId: 50001,
    })
    for (const what of ['IBAN', 'Amount (EUR)', 'Payment reference']) {
      expect(screen.getByRole('button', { name: `Copy: ${what}` })).toBeTruthy()
    }
    expect(screen.getByText('Accepted at')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Accept and see payment details' })).toBeNull()
  })

  test.each([
    ['the merchant acts next and by when', now + 6e5, /The merchant aims to confirm/],
    ['that the merchant is late', now - 6e5, /was due to confirm by .* You can appeal below/],
  ])('over the counter a paid offer says %s', async (_, promisedAt, words) => {
    const paid = { state: 'marked_paid', cancellable: false, proofAt: now, promisedAt } as const
    serve({
      findRechargePage: () =>
        page([payment({ ...paid, ...merchant, offer: { ...offer, agreedAt: now } })]),
    })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByText('1 USDT = 0.9267 EUR')).toBeTruthy()
  })

  test('that was paid before there were offers promises nothing for the merchant', async () => {
    const paid = {
      state: 'marked_paid',
      cancellable: false,
      proofAt: now,
      promisedAt: now,
    } as const
    serve({ findRechargePage: () => page([payment({ ...paid, ...merchant })]) })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByText('Merchant One')).toBeTruthy()
    expect(screen.queryByText(/merchant aims to confirm|was due to confirm/)).toBeNull()
  })

  test('that was paid may be appealed, with words', async () => {
    const calls = serve({
      findRechargePage: () =>
        page([
          payment({
            state: 'marked_paid',
            cancellable: false,
            proofAt: now,
            appealUntil: now + 6e8,
            ...merchant,
          }),
        ]),
      insertRechargeAppeal: () => ok(payment({ state: 'appeal', appeal: 'Nothing came' })),
    })
    await renderApp('/deposite?id=50001')
    await userEvent.click(await screen.findByRole('button', { name: 'Appeal…' }))
    await press('Submit appeal')
    expect(await screen.findByText('Describe what happened.')).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox', { name: 'What happened' }), 'Nothing came')
    await press('Submit appeal')
    await waitFor(() =>
      expect(calls.find(({ path }) => path === 'insertRechargeAppeal')?.body).toEqual({
        rechargeId: 50001,
        appeal: 'Nothing came',
      }),
    )
  })

  test.each([
    ['created', 'Preparing', /contacting the provider/],
    ['provider_pending', 'Waiting for confirmation', /hasn’t confirmed it yet/],
    ['provider_unknown', 'Under review', /not lost/],
    ['in_review', 'In review', /The amount received differs/],
    ['failed', 'Failed', /nothing was credited/],
    ['expired', 'Expired', /didn’t receive a payment in time/],
    ['appeal', 'Appeal open', /looking into your payment/],
  ] as const)('%s says what it means', async (state, name, meaning) => {
    serve({ findRechargePage: () => page([payment({ state, cancellable: false })]) })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByRole('heading', { name })).toBeTruthy()
    expect(screen.getByText(meaning)).toBeTruthy()
  })
})

test('a mock account is told why, and where the real one is', async () => {
  startSession('token', { ...trader, type: 5 })
  const calls = serve({})
  await renderApp('/deposite')
  expect(await screen.findByText(/This is a demo account/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Switch to real account' })).toBeTruthy()
  expect(calls.some(({ path }) => path === 'getPayChannelList')).toBe(false)
})

describe('the proof', () => {
  const picture = new File(['x'], 'slip.jpg', { type: 'image/jpeg' })

  test('is shrunk, uploaded, and handed in once even when the second half is repeated', async () => {
    let second: Reply = () => refuse('busy')
    const calls = serve({
      findRechargePage: () => page([deposit()]),
      uploadFileImg: () => ok({ file: 'f1.jpg', width: 10, height: 10 }),
      updateRechargeProof: (call, request) => second(call, request),
    })
    await renderApp('/deposite?id=50001&step=proof')
    await userEvent.upload(await screen.findByLabelText('Choose a picture or PDF'), picture)
    expect(await screen.findByRole('img', { name: /picture that will be sent/ })).toBeTruthy()
    expect(shrinkImage).toHaveBeenCalledWith(picture)
    await press('Submit proof')
    expect(await screen.findByRole('alert')).toBeTruthy()

    second = () => ok(deposit({ state: 'proof_submitted', proofAt: now, promisedAt: now + 7.2e6 }))
    await press('Submit proof')
    expect(await screen.findByRole('heading', { name: 'Proof received' })).toBeTruthy()
    expect(screen.getByText(/We aim to decide by/)).toBeTruthy()
    expect(calls.filter(({ path }) => path === 'uploadFileImg')).toHaveLength(1)
    expect(calls.find(({ path }) => path === 'uploadFileImg')?.type).not.toContain('json')
    expect(
      calls.filter(({ path }) => path === 'updateRechargeProof').map(({ body }) => body),
    ).toEqual(Array(2).fill({ rechargeId: 50001, file: 'f1.jpg' }))
  })

  test('offers the camera first on a phone, the files alone on a desktop', async () => {
    serve({ findRechargePage: () => page([deposit()]) })
    const view = await renderApp('/deposite?id=50001&step=proof')
    await screen.findByRole('button', { name: 'Take a photo' })
    expect(
      screen.getByLabelText('Take a photo', { selector: 'input' }).getAttribute('capture'),
    ).toBe('environment')
    view.unmount()
    setScreen('desktop')
    await renderApp('/deposite?id=50001&step=proof')
    await screen.findByRole('button', { name: 'Choose a picture or PDF' })
    expect(screen.queryByRole('button', { name: 'Take a photo' })).toBeNull()
  })

  test('explains what it cannot take, and shows what the server refuses', async () => {
    serve({
      findRechargePage: () => page([deposit()]),
      uploadFileImg: () => refuse('upload.format'),
    })
    await renderApp('/deposite?id=50001&step=proof')
    const input = await screen.findByLabelText('Choose a picture or PDF')
    await userEvent.upload(input, new File(['x'], 'slip.webp', { type: 'image/webp' }), {
      applyAccept: false,
    })
    expect((await screen.findByRole('alert')).textContent).toMatch(/kind of file isn’t supported/)
    await userEvent.upload(input, picture)
    await screen.findByRole('img', { name: /picture that will be sent/ })
    expect(screen.queryByRole('alert')).toBeNull()
    await press('Submit proof')
    expect((await screen.findByRole('alert')).textContent).toMatch(/Choose a JPEG, PNG or HEIC/)
  })
})

describe('one deposit', () => {
  test('is found by the id of the address, behind full pages if need be', async () => {
    const full = Array.from({ length: 100 }, (_, i) =>
      deposit({ rechargeId: 60100 - i, state: 'expired' }),
    )
    serve({
      findRechargePage: (_, request) =>
        new URL(request.url).searchParams.get('page') === '1' ? page(full) : page([deposit()]),
    })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByRole('heading', { name: /Deposit .DP-50001/ })).toBeTruthy()
  })

  test('that is not the trader’s is missing', async () => {
    serve({})
    await renderApp('/deposite?id=9')
    expect(await screen.findByText(/No deposit with this number/)).toBeTruthy()
  })

  test.each([
    ['proof_submitted', 'Proof received', /compare it with our bank account/],
    ['in_review', 'In review', /Our team is comparing/],
    ['approved', 'Second check', /second person must approve/],
    ['rejected', 'Rejected', /was not credited/],
    ['expired', 'Expired', /didn’t receive a proof in time/],
    ['cancelled', 'Cancelled', /You cancelled/],
  ] as const)('%s says what it means', async (state, name, meaning) => {
    serve({ findRechargePage: () => page([deposit({ state, reason: 'duplicate' })]) })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByRole('heading', { name })).toBeTruthy()
    expect(screen.getByText(meaning)).toBeTruthy()
    expect(screen.queryByText(/used for another deposit/) !== null).toBe(state === 'rejected')
  })

  test('that needs more says why and takes another picture', async () => {
    serve({
      findRechargePage: () => page([deposit({ state: 'more_info', reason: 'proof_unreadable' })]),
    })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByText('We can’t read the proof.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Submit proof' })).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toMatch(/^70:[345]|^71:00/)
  })

  test('owns up to being late', async () => {
    serve({
      findRechargePage: () =>
        page([deposit({ state: 'in_review', proofAt: now - 9e6, promisedAt: now - 1.8e6 })]),
    })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByText(/taking longer than planned/)).toBeTruthy()
    expect(screen.getByText(/We have your proof/)).toBeTruthy()
  })

  const coins = { kind: 'standard', proofAt: now, confirmations: 3, required: 3 } as const

  test.each([
    ['aml_hold', 'Under review'],
    ['below_min', 'Below the minimum'],
    ['wrong_asset', 'Wrong coin'],
    ['refunding', 'Being sent back'],
  ] as const)(
    'of coins that wait for the desk (%s) is under way, and says until when',
    async (state, name) => {
      serve({
        findRechargePage: () => page([deposit({ ...coins, state, promisedAt: now + 7.2e6 })]),
      })
      const { history } = await renderApp('/deposite')
      const open = await screen.findByRole('heading', { name: 'In progress' })
      expect(within(open.parentElement as HTMLElement).getByText(name)).toBeTruthy()
      await act(async () => history.push('/deposite?id=50001'))
      expect(await screen.findByText(/We aim to decide by/)).toBeTruthy()
    },
  )

  test('of coins owns up to being late too', async () => {
    serve({
      findRechargePage: () =>
        page([deposit({ ...coins, state: 'below_min', promisedAt: now - 1.8e6 })]),
    })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByText(/taking longer than planned .*Your coins are safe/)).toBeTruthy()
  })

  test('of coins that were sent back promises nothing, and is not under way', async () => {
    serve({
      findRechargePage: () =>
        page([deposit({ ...coins, state: 'refunded', promisedAt: now - 1.8e6 })]),
    })
    const { history } = await renderApp('/deposite?id=50001')
    expect(await screen.findByRole('heading', { name: 'Sent back' })).toBeTruthy()
    expect(screen.queryByText(/taking longer than planned/)).toBeNull()
    await act(async () => history.push('/deposite'))
    expect(await screen.findByRole('radio', { name: /Bank transfer/ })).toBeTruthy()
    expect(screen.queryByText('Sent back')).toBeNull()
  })

  test('is cancelled after asking', async () => {
    const calls = serve({
      findRechargePage: () => page([deposit()]),
      cancelRecharge: () => ok(deposit({ state: 'cancelled', decidedAt: now })),
    })
    await renderApp('/deposite?id=50001')
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel this deposit' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel deposit' }))
    expect(await screen.findByText('You cancelled this deposit.')).toBeTruthy()
    expect(calls.find(({ path }) => path === 'cancelRecharge')?.key).toBeTruthy()
  })

  test('without open bank details warns against sending money', async () => {
    serve({ findRechargePage: () => page([deposit()]), getPayChannelList: () => ok([]) })
    await renderApp('/deposite?id=50001')
    expect(await screen.findByText(/Do not send money/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'I’ve sent the transfer' })).toBeNull()
  })

  test('that becomes credited while it is watched is announced, once on all screens', async () => {
    const one = { rechargeId: 50777, proofAt: now }
    let state: Wire['Recharge'] = deposit({ ...one, state: 'in_review' })
    let hold: Promise<void> | null = null
    serve({
      findRechargePage: async () => {
        await hold
        return page([state])
      },
    })
    const { history } = await renderApp('/deposite')
    await screen.findByText('In review')
    await act(async () => history.push('/deposite?id=50777'))
    await screen.findByRole('heading', { name: 'In review' })
    expect(useToasts.getState().shown).toEqual([])

    state = deposit({ ...one, state: 'credited', decidedAt: now, credited: '480.25' })
    act(() => emitEvent({ event: 'balance' }))
    expect(await screen.findByRole('heading', { name: 'Credited' })).toBeTruthy()
    const told = ['\u2066480.25\u2069 USDT credited']
    expect(useToasts.getState().shown.map(({ text }) => text)).toEqual(told)
    expect(screen.getByRole('link', { name: 'Open wallet' })).toBeTruthy()

    // The other screen still holds the older state when it is opened again.
    useToasts.setState({ shown: [] })
    let release = () => {}
    hold = new Promise((resolve) => {
      release = resolve
    })
    await act(async () => history.push('/deposite'))
    expect(await screen.findByText('In review')).toBeTruthy()
    act(release)
    await waitFor(() => expect(screen.queryByText('In review')).toBeNull())
    expect(useToasts.getState().shown).toEqual([])
  })
})

describe('the history', () => {
  const all = Array.from({ length: 11 }, (_, i) =>
    deposit({ rechargeId: 50011 - i, rechargeNo: `DP-${50011 - i}`, state: 'credited' }),
  )
  const paged: Reply = (_, request) => {
    const query = new URL(request.url).searchParams
    const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('size'))]
    const before = Number(query.get('next') ?? Number.POSITIVE_INFINITY)
    const behind = all.filter(({ rechargeId }) => rechargeId < before)
    const list = behind.slice((number - 1) * size, number * size)
    return ok({
      list,
      next: number * size < behind.length ? list.at(-1)?.rechargeId : 0,
      total: all.length,
      more: false,
      page: number,
      size,
    })
  }

  test('has numbered pages of eight on a desktop, starting at the one in the address', async () => {
    setScreen('desktop')
    serve({ findRechargePage: paged })
    const { history } = await renderApp('/deposite?tab=history&page=2')
    expect(await screen.findByText('DP-50001')).toBeTruthy()
    expect(screen.queryByText('DP-50011')).toBeNull()
    await press('Page 1')
    expect(await screen.findByText('DP-50011')).toBeTruthy()
    expect(history.location.search).toBe('?tab=history&page=1')
  })

  test('loads more on a phone', async () => {
    serve({ findRechargePage: paged })
    await renderApp('/deposite?tab=history')
    expect(await screen.findByText('DP-50004')).toBeTruthy()
    expect(screen.queryByText('DP-50003')).toBeNull()
    await press('Load more')
    expect(await screen.findByText('DP-50001')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('that is empty leads to a deposit', async () => {
    serve({})
    await renderApp('/deposite?tab=history')
    expect(await screen.findByText('No deposits yet.')).toBeTruthy()
  })

  test('that fails says why and can be tried again', async () => {
    let broken = true
    serve({
      findRechargePage: () =>
        broken ? new Response('{}', { status: 500 }) : page([deposit({ state: 'expired' })]),
    })
    await renderApp('/deposite?tab=history')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.getByText(/Your money is not affected/)).toBeTruthy()
    broken = false
    await userEvent.click(retry)
    expect(await screen.findByText('Expired')).toBeTruthy()
  })
})
