import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Identity } from '@/features/identity/api/identity'
import { identity } from '@/features/identity/testing/identity-sample'
import { checkPicture } from '@/features/picture/model/picture-quality'
import { clearSession, startSession, useSession } from '@/session/session-store'
import { enterDate } from '@/testing/enter-date'
import { renderApp, setScreen } from '@/testing/render-app'
import { shrinkImage } from '@/ui/shrink-image'
import { useToasts } from '@/ui/toast/toast-store'

vi.mock('@/ui/shrink-image', () => ({ shrinkImage: vi.fn(async (file: File) => file) }))
vi.mock('@/features/picture/model/picture-quality', () => ({ checkPicture: vi.fn(async () => []) }))

type Call = { path: string; key: string | null; body: unknown; query: URLSearchParams }
type Reply = (call: Call) => Response | Promise<Response>

const ok = (data: unknown) => Response.json({ status: 1, code: 'ok', data })
const refuse = (code: string, more: object = {}) =>
  Response.json({ status: 0, code, enMsg: code, cnMsg: code, traceId: 'abc', ...more })

/** Fakes calls by the last part of their path and records them. */
function serve(replies: Record<string, Reply>): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const request = input instanceof Request ? input : new Request(new URL(input, 'http://c.test'))
    const url = new URL(request.url)
    const path = url.pathname.split('/').at(-1) ?? ''
    const isJson = request.headers.get('content-type')?.includes('json')
    const text = request.method === 'POST' && isJson ? await request.clone().text() : ''
    const key = request.headers.get('Idempotency-Key')
    const call = { path, key, body: text ? JSON.parse(text) : null, query: url.searchParams }
    calls.push(call)
    return (replies[path] ?? standard[path] ?? (() => ok(null)))(call)
  })
  return calls
}

const standard: Record<string, Reply> = {
  platformRunningStatus: () => ok(1),
  findAuthCountryList: () =>
    ok([
      { country: 'CH', en: 'Switzerland', documentTypes: ['passport', 'id_card'] },
      { country: 'GB', en: 'United Kingdom', documentTypes: ['passport'] },
    ]),
  findConfigByKey: () => ok({ key: 'deposit.unverified_total', value: '2000', type: 'decimal' }),
  findCurrencyMoneyList: () => ok([]),
  getPayChannelList: () =>
    ok([{ channelId: 1, kind: 'bank', currency: 'USD', rechargeMin: '10', rechargeMax: '50000' }]),
  findImage: () => new Response('x', { headers: { 'content-type': 'image/jpeg' } }),
}

/** Serves one verification until a write replaces it. */
function holding(first: Identity, more: Record<string, Reply> = {}) {
  let now = first
  const calls = serve({ findUserAuthInfoNew: () => ok(now), ...more })
  const become = (next: Identity) => {
    now = next
    return ok(next)
  }
  return { calls, become }
}

const trader = { userId: '7', userName: 'a***z', type: 1, authStatus: -1 }
const data = {
  fullName: 'Ada Lovelace',
  number: 'X1234567',
  birthDate: '1990-05-17',
  expiryDate: '2099-08-31',
}
const image = (side: 'front' | 'back' | 'selfie', present: boolean, replaceable = true) => ({
  side,
  present,
  replaceable,
})
const draft = identity({
  state: 'draft',
  version: 4,
  country: 'CH',
  documentType: 'passport',
  images: [image('front', false), image('selfie', false)],
})
const full = identity({
  ...draft,
  ...data,
  version: 9,
  images: [image('front', true), image('selfie', true)],
})
const submitted = identity({
  state: 'submitted',
  authStatus: 1,
  version: 10,
  attempt: 1,
  attemptsLeft: 2,
  applicationNo: 'ID-31',
  submittedAt: Date.UTC(2026, 10, 20, 9, 30),
  promisedAt: Date.now() + 86_400_000,
  mayChangeData: false,
})
const sentBack = identity({
  ...full,
  state: 'resubmission_required',
  authStatus: 2,
  attempt: 1,
  attemptsLeft: 2,
  applicationNo: 'ID-31',
  images: [image('front', true, false), image('selfie', false)],
  asked: [{ part: 'selfie', reason: 'face_hidden' }],
  mayChangeData: false,
})
const approved = identity({ state: 'approved', authStatus: 3, level: 1, fullName: 'Ada Lovelace' })

// The first screen of a file takes time to load.
beforeAll(() => import('./authenticate'), 60_000)

beforeEach(() => {
  setScreen('phone')
  startSession('token', trader)
  useToasts.setState({ shown: [] })
  URL.createObjectURL = vi.fn(() => 'blob:picture')
  URL.revokeObjectURL = vi.fn()
})

afterEach(() => {
  vi.mocked(checkPicture).mockClear()
  clearSession()
})

const heading = (name: string | RegExp) => screen.findByRole('heading', { name, level: 2 })
const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }))
const camera = () => screen.getByLabelText('Take a photo', { selector: 'input' })
const picture = new File(['x'], 'front.jpg', { type: 'image/jpeg' })

describe('filling in', () => {
  test('begins with the country, and offers the documents of that country', async () => {
    const { calls, become } = holding(identity({}), {
      saveDraft: () => become(identity({ state: 'draft', country: 'GB', version: 1 })),
    })
    const { history } = await renderApp('/authenticate')
    await heading('Which country issued your document?')
    await press('Continue')
    expect(await screen.findByText('Fill this in.')).toBeTruthy()
    expect(calls.some(({ path }) => path === 'saveDraft')).toBe(false)
    await press(/Issuing country/)
    await userEvent.click(await screen.findByRole('button', { name: 'United Kingdom' }))
    await press('Continue')
    expect(await screen.findByRole('radio', { name: /Passport/ })).toBeTruthy()
    expect(screen.queryByRole('radio', { name: /ID card/ })).toBeNull()
    expect(calls.find(({ path }) => path === 'saveDraft')?.body).toEqual({ country: 'GB' })
    expect(history.location.search).toBe('?step=type')
    expect(screen.getByText('Step 2 of 6')).toBeTruthy()
  })

  test('forgets a document that another country does not offer', async () => {
    const id = identity({ ...draft, documentType: 'id_card' })
    const { calls } = holding(id, { saveDraft: () => ok(draft) })
    await renderApp('/authenticate?step=country')
    await userEvent.click(await screen.findByRole('button', { name: /Issuing country/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'United Kingdom' }))
    await press('Continue')
    await waitFor(() =>
      expect(calls.find(({ path }) => path === 'saveDraft')?.body).toEqual({
        country: 'GB',
        documentType: '',
      }),
    )
  })

  test('needs one of the documents, whose first one gets the focus', async () => {
    const { calls } = holding(identity({ state: 'draft', country: 'GB', version: 1 }), {})
    await renderApp('/authenticate?step=type')
    const passport = await screen.findByRole('radio', { name: /Passport/ })
    await press('Continue')
    expect(await screen.findByText('Choose a document.')).toBeTruthy()
    expect(document.activeElement).toBe(passport)
    expect(calls.some(({ path }) => path === 'saveDraft')).toBe(false)
  })

  test('shows at its field what the server refuses', async () => {
    holding(draft, {
      saveDraft: () => refuse('invalid_input', { fields: { number: 'field.latin' } }),
    })
    await renderApp('/authenticate')
    await heading('Document details')
    for (const [label, text] of [
      ['Full name', data.fullName],
      ['Document number', data.number],
    ] as const) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
    }
    await enterDate('Date of birth', data.birthDate)
    await enterDate('Valid until', data.expiryDate)
    await press('Continue')
    expect(await screen.findByText(/Latin letters, digits/)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Document number'))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('goes on where it was, and keeps data only when they can be right', async () => {
    const { calls, become } = holding(draft, { saveDraft: () => become({ ...draft, ...data }) })
    await renderApp('/authenticate')
    await heading('Document details')
    await userEvent.type(screen.getByLabelText('Full name'), ' Ada Lovelace ')
    await userEvent.type(screen.getByLabelText('Document number'), 'X12#')
    await enterDate('Date of birth', '2020-05-17')
    await enterDate('Valid until', '2020-08-31')
    await press('Continue')
    expect(await screen.findByText('You must be at least 18 years old.')).toBeTruthy()
    expect(screen.getByText(/This document has expired/)).toBeTruthy()
    expect(screen.getByText(/Latin letters, digits/)).toBeTruthy()
    expect(calls.some(({ path }) => path === 'saveDraft')).toBe(false)
    await userEvent.clear(screen.getByLabelText('Document number'))
    await userEvent.type(screen.getByLabelText('Document number'), data.number)
    await enterDate('Date of birth', data.birthDate)
    await enterDate('Valid until', data.expiryDate)
    await press('Continue')
    await heading('Photo page of the passport')
    expect(calls.find(({ path }) => path === 'saveDraft')?.body).toEqual(data)
  })

  test('says what the server finds wrong at the field', async () => {
    holding(
      { ...draft, ...data },
      { saveDraft: () => refuse('invalid_input', { fields: { number: 'field.latin' } }) },
    )
    await renderApp('/authenticate?step=data')
    await heading('Document details')
    await press('Continue')
    expect(await screen.findByText(/Latin letters, digits/)).toBeTruthy()
  })

  test('hands in a picture, shrunk and looked at', async () => {
    const { calls, become } = holding(
      { ...draft, ...data },
      {
        uploadImage: () =>
          become({ ...draft, ...data, images: [image('front', true), image('selfie', false)] }),
      },
    )
    await renderApp('/authenticate')
    await heading('Photo page of the passport')
    const send = screen.getByRole('button', { name: 'Send picture and continue' })
    expect((send as HTMLButtonElement).disabled).toBe(true)
    expect(camera().getAttribute('capture')).toBe('environment')
    await userEvent.upload(
      screen.getByLabelText('Choose a picture', { selector: 'input' }),
      picture,
    )
    expect(await screen.findByRole('img', { name: /picture that will be sent/ })).toBeTruthy()
    expect(shrinkImage).toHaveBeenCalledWith(picture)
    expect(checkPicture).toHaveBeenCalledWith(picture)
    await press('Send picture and continue')
    await heading('Selfie')
    expect(calls.filter(({ path }) => path === 'uploadImage')).toHaveLength(1)
    expect(camera().getAttribute('capture')).toBe('user')
  })

  test('warns of a bad picture, which may be used anyway', async () => {
    vi.mocked(checkPicture).mockResolvedValueOnce(['dark', 'blurred'])
    const { calls } = holding({ ...draft, ...data }, { uploadImage: () => ok(full) })
    await renderApp('/authenticate')
    await heading('Photo page of the passport')
    await userEvent.upload(
      screen.getByLabelText('Choose a picture', { selector: 'input' }),
      picture,
    )
    expect(await screen.findByText(/very dark/)).toBeTruthy()
    expect(screen.getByText(/looks blurred/)).toBeTruthy()
    expect(calls.some(({ path }) => path === 'uploadImage')).toBe(false)
    await press('Use it anyway')
    await waitFor(() => expect(calls.some(({ path }) => path === 'uploadImage')).toBe(true))
  })

  test('sends HEIC as it is, unseen', async () => {
    holding({ ...draft, ...data })
    await renderApp('/authenticate')
    await heading('Photo page of the passport')
    await userEvent.upload(
      screen.getByLabelText('Choose a picture', { selector: 'input' }),
      new File(['x'], 'photo.heic', { type: 'image/heic' }),
      { applyAccept: false },
    )
    expect(await screen.findByText('photo.heic')).toBeTruthy()
    expect(screen.queryByRole('img', { name: /picture that will be sent/ })).toBeNull()
    expect(checkPicture).not.toHaveBeenCalled()
  })

  test('ends with a review, and is handed in as it was shown', async () => {
    const { calls, become } = holding(full, { submit: () => become(submitted) })
    const { history } = await renderApp('/authenticate')
    await heading('Check your details')
    expect(screen.getByText('X1234567')).toBeTruthy()
    expect(await screen.findByText('Switzerland')).toBeTruthy()
    expect(await screen.findByRole('img', { name: /Photo page of the passport/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Change: Details' }).getAttribute('href')).toBe(
      '/authenticate?step=data',
    )
    await press('Submit for review')
    await heading('Under review')
    expect(history.location.pathname + history.location.search).toBe('/process?status=REVIEW')
    const submit = calls.find(({ path }) => path === 'submit')
    expect(submit?.body).toEqual({ version: 9 })
    expect(submit?.key).toMatch(/^[0-9a-f]{32}$/)
    await waitFor(() => expect(useSession.getState().user?.authStatus).toBe(1))
  })

  test('looks again when it changed elsewhere', async () => {
    const { calls } = holding(full, { submit: () => refuse('kyc.changed') })
    await renderApp('/authenticate')
    await heading('Check your details')
    await press('Submit for review')
    expect(await screen.findByText(/verification has changed/)).toBeTruthy()
    await waitFor(() =>
      expect(calls.filter(({ path }) => path === 'findUserAuthInfoNew')).toHaveLength(2),
    )
  })
})

test('a guest is told to register', async () => {
  startSession('token', { ...trader, type: 8 })
  const { calls } = holding(identity({}))
  await renderApp('/authenticate')
  const panel = await screen.findByRole('main')
  expect(await within(panel).findByRole('link', { name: 'Sign up' })).toBeTruthy()
  expect(calls.some(({ path }) => path === 'findUserAuthInfoNew')).toBe(false)
})

describe('under review', () => {
  test('says since when, until when, and what stays usable', async () => {
    holding(submitted)
    await renderApp('/process?status=REVIEW')
    await heading('Under review')
    expect(screen.getByText('ID-31')).toBeTruthy()
    expect(screen.getByText('Submitted')).toBeTruthy()
    expect(screen.getByText('Expected by')).toBeTruthy()
    expect(await screen.findByText(/up to .2,000. USDT in total/)).toBeTruthy()
    expect(screen.queryByText(/longer than usual/)).toBeNull()
  })

  test('can be withdrawn while nobody reviews it', async () => {
    const { calls, become } = holding(submitted, { withdraw: () => become(full) })
    await renderApp('/process?status=REVIEW')
    await heading('Under review')
    await press('Withdraw and edit')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Withdraw and edit' }))
    await heading('Check your details')
    const withdraw = calls.find(({ path }) => path === 'withdraw')
    expect(withdraw?.body).toEqual({ version: 10 })
    expect(withdraw?.key).toMatch(/^[0-9a-f]{32}$/)
  })

  test('cannot be withdrawn any more when somebody looks at it', async () => {
    holding({ ...submitted, state: 'in_review', promisedAt: Date.now() - 60_000 })
    await renderApp('/process?status=REVIEW')
    expect(await screen.findByText(/reviewing your documents/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Withdraw and edit' })).toBeNull()
    expect(screen.getByText(/longer than usual/)).toBeTruthy()
  })
})

describe('not approved', () => {
  test('says what was sent back and why, and leads to just that step', async () => {
    holding(sentBack)
    const { history } = await renderApp('/failed')
    await heading('Some items need to be sent again')
    expect(screen.getByText(/face is not fully visible/)).toBeTruthy()
    expect(screen.getByText('2 attempts left.')).toBeTruthy()
    await userEvent.click(screen.getByRole('link', { name: /Fix this step: Selfie/ }))
    await heading('Selfie')
    expect(history.location.search).toBe('?step=selfie')
    expect(screen.getByText('Step 1 of 2')).toBeTruthy()
    expect(screen.getByText(/face is not fully visible/)).toBeTruthy()
  })

  test('offers the review when everything is fixed', async () => {
    holding({ ...sentBack, asked: [], images: [image('selfie', true)] })
    await renderApp('/failed')
    await userEvent.click(await screen.findByRole('link', { name: 'Review and submit' }))
    await heading('Check your details')
    // Pictures that were already submitted are not shown again.
    expect(screen.queryByRole('img', { name: /Your picture/ })).toBeNull()
    expect(screen.getByText('Picture received.')).toBeTruthy()
  })

  test('leads nowhere when all attempts are used', async () => {
    holding({ ...sentBack, attemptsLeft: 0 })
    await renderApp('/failed')
    expect(await screen.findByText(/You’ve used all attempts/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: /Fix this step/ })).toBeNull()
  })

  test('is final with the generic text', async () => {
    holding(identity({ state: 'rejected_final', authStatus: 2, reason: 'not_accepted' }))
    await renderApp('/failed')
    await heading('Not approved')
    expect(screen.getByText(/We can’t verify your identity/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: /Fix this step/ })).toBeNull()
  })
})

describe('verified', () => {
  test('says the level, the limits, and where to pay in', async () => {
    holding(approved)
    await renderApp('/successful')
    await heading('Your identity is verified')
    expect(screen.getByText('Ada Lovelace')).toBeTruthy()
    expect(await screen.findByText(/10 – 50,000/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposite')
  })

  test('says what may be withdrawn in a day and in a month at this level', async () => {
    const terms = {
      currency: 'USDT',
      dayLimit: '10000',
      dayLeft: '9000',
      monthLimit: '100000',
      monthLeft: '100000',
    }
    holding(approved, { findWithdrawTerms: () => ok({ ...terms, verified: true }) })
    await renderApp('/successful')
    const shownFor = (name: string) => screen.getByText(name).nextElementSibling?.textContent
    await screen.findByText('Withdrawals in 24 hours')
    expect(shownFor('Withdrawals in 24 hours')).toMatch(/^10,000 USDT.*9,000.* left$/)
    expect(shownFor('Withdrawals in 30 days')).toBe('100,000 USDT')
  })

  test('says no such limits where the server gives none', async () => {
    const terms = { currency: 'USDT', dayLimit: '0', dayLeft: '0', monthLimit: '0', monthLeft: '0' }
    holding(approved, { findWithdrawTerms: () => ok({ ...terms, verified: false }) })
    await renderApp('/successful')
    await screen.findByText(/10 – 50,000/)
    expect(screen.queryByText('Withdrawals in 24 hours')).toBeNull()
  })

  test('names each way to pay in, coins by their network', async () => {
    const way = (channelId: number, kind: string, more = {}) => ({
      channelId,
      kind,
      currency: 'USDT',
      rechargeMin: '10',
      rechargeMax: '1000',
      ...more,
    })
    const ways = [
      way(1, 'bank'),
      way(2, 'third_party'),
      way(3, 'otc'),
      way(4, 'standard', { chainName: 'TRON (TRC-20)' }),
    ]
    holding(approved, { getPayChannelList: () => ok(ways) })
    await renderApp('/successful')
    for (const name of ['Bank transfer', 'Payment provider', 'OTC', 'TRON (TRC-20)'])
      expect(await screen.findByText(name)).toBeTruthy() // exactly once each
  })

  test('leads on when the document expires soon', async () => {
    holding({ ...approved, state: 'expiring' })
    await renderApp('/successful')
    await userEvent.click(await screen.findByRole('link', { name: 'Verify a new document' }))
    await heading('Which country issued your document?')
  })
})

test.each([
  ['/authenticate', submitted, '/process'],
  ['/failed', draft, '/authenticate'],
  ['/process?status=REVIEW', sentBack, '/failed'],
  ['/authenticate', sentBack, '/failed'],
  ['/authenticate?step=country', approved, '/successful'],
  ['/successful', submitted, '/process'],
] as const)('%s is left for the right screen', async (path, standing, other) => {
  holding(standing)
  const { history } = await renderApp(path)
  await waitFor(() => expect(history.location.pathname).toBe(other))
})

test('a verification that does not load can be asked for again', async () => {
  let broken = true
  serve({ findUserAuthInfoNew: () => (broken ? refuse('busy') : ok(approved)) })
  await renderApp('/successful')
  await screen.findByRole('alert')
  broken = false
  await press('Try again')
  await heading('Your identity is verified')
})
