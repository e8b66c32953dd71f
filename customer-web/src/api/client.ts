import createClient, { type Middleware } from 'openapi-fetch'
import { REQUEST_TIMEOUT_MS } from '@/constants'
import type { CallError } from '@/i18n/error-text'
import { storage } from '@/storage/storage'
import { ACCOUNT_HEADER, correctClock, requestHeaders, shownAccount } from './request-headers'
import type { components, paths } from './schema'
import { reportSessionEnded } from './session-ended'

/** The contract's types by name: `Wire['Product']`. */
export type Wire = components['schemas']

type Envelope = Wire['Envelope']

/** A call that was refused or got no response. `errorText` turns it into a sentence. */
export class CallFailure extends Error implements CallError {
  readonly httpStatus: number
  readonly code: string | undefined
  readonly args: Record<string, string> | undefined
  readonly cnMsg: string | undefined
  readonly enMsg: string | undefined
  readonly traceId: string | undefined
  /** Maps a field name to the key of its problem. */
  readonly fields: Record<string, string>

  constructor(httpStatus: number, envelope?: Partial<Envelope>) {
    super(envelope?.code ?? `http ${httpStatus}`)
    this.httpStatus = httpStatus
    this.code = envelope?.code
    this.args = envelope?.args
    this.cnMsg = envelope?.cnMsg
    this.enMsg = envelope?.enMsg
    this.traceId = envelope?.traceId
    this.fields = envelope?.fields ?? {}
  }
}

const signed: Middleware = {
  onRequest({ request }) {
    // A write names the account that it was made on, also when another tab has switched since.
    const account = request.headers.get(ACCOUNT_HEADER)
    for (const [name, value] of Object.entries(requestHeaders())) request.headers.set(name, value)
    if (account) request.headers.set(ACCOUNT_HEADER, account)
    return request
  },
  onResponse({ request, response }) {
    const token = request.headers.get('apptoken')
    if (!token || token !== storage.read('token')) superseded.add(response)
  },
}

/**
 * Responses to calls without a token, or with one that has been replaced, for example after an account switch; they
 * say nothing about the current session.
 */
const superseded = new WeakSet<Response>()

/** The generated client; every request goes through `call`. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  cache: 'no-store',
  fetch: (request) =>
    globalThis.fetch(request, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }),
})
api.use(signed)

type Answer<T> = {
  data?: (Envelope & { data?: T }) | undefined
  error?: unknown
  response: Response
}

/** Unwraps a response of the contract: returns its data or throws a CallFailure. Reports an ended session once. */
export async function call<T>(pending: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await pending
  } catch {
    throw new CallFailure(0)
  }
  const envelope = answer.data ?? (answer.error as Partial<Envelope> | undefined)
  const httpStatus = answer.response.status
  if (envelope?.serverTime) correctClock(envelope.serverTime)
  if (
    (httpStatus === 401 || envelope?.code === 'token_invalid') &&
    !superseded.has(answer.response)
  ) {
    reportSessionEnded()
  }
  if (answer.data?.status !== 1) {
    throw new CallFailure(httpStatus, typeof envelope === 'object' ? envelope : undefined)
  }
  return answer.data.data as T
}

/** A write that must not run twice: its idempotency key, and the account that the trader saw when making it. */
export type Write = { key: string; accountId: string }

/** A new write, for one action of the trader; retries of that action reuse it. */
export function newWrite(): Write {
  return { key: newKey(), accountId: shownAccount() }
}

/** The headers of a write: the server runs a key once and replays its answer, and refuses a trade for another account than the session's. */
export function idempotent({ key, accountId }: Write): { headers: Record<string, string> } {
  return { headers: { 'Idempotency-Key': key, ...(accountId && { [ACCOUNT_HEADER]: accountId }) } }
}

/** 128 random bits in hex. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
