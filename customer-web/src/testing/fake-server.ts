import { vi } from 'vitest'
import type { Wire } from '@/api/client'

/** One recorded call of the app. */
export type RecordedCall = {
  path: string
  body: unknown
  query: URLSearchParams
  token: string | null
  visitor: string | null
  /** The solution of a challenge. */
  verify: string | null
}

type Answer = Partial<Wire['Envelope']> & { data?: unknown; httpStatus?: number; file?: Response }

/** A successful answer. */
export function answer(data: unknown): Answer {
  return { status: 1, code: 'ok', data }
}

/** A list as a file. */
export function fileAnswer(text: string, headers: Record<string, string> = {}): Answer {
  const type = 'text/csv; charset=utf-8; header=present'
  return { file: new Response(text, { headers: { 'content-type': type, ...headers } }) }
}

/** A refusal with its key; `args` and `fields` as the server sends them. */
export function refusal(code: string, more: Omit<Answer, 'code' | 'status'> = {}): Answer {
  return { status: 0, code, enMsg: code, ...more }
}

/**
 * Answers the app's calls: each path has a function, and any other path gets an empty success. The platform
 * runs, unless an answer says otherwise. Returns the recorded calls in order.
 */
export function fakeServer(
  answers: Record<string, (asked: RecordedCall) => Answer>,
): RecordedCall[] {
  const asked: RecordedCall[] = []
  const all: typeof answers = { 'common/platformRunningStatus': () => answer(1), ...answers }
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = new Request(
      new URL(input instanceof Request ? input.url : input, 'http://candor.test'),
      {
        method: input instanceof Request ? input.method : (init?.method ?? 'GET'),
        headers: input instanceof Request ? input.headers : (init?.headers ?? {}),
      },
    )
    const text = input instanceof Request ? await input.text() : ''
    const url = new URL(request.url)
    const one: RecordedCall = {
      path: url.pathname.replace('/client/', ''),
      body: text === '' ? null : JSON.parse(text),
      query: url.searchParams,
      token: request.headers.get('apptoken'),
      visitor: request.headers.get('visitor'),
      verify: request.headers.get('verify'),
    }
    asked.push(one)
    const { httpStatus = 200, file, ...envelope } = (all[one.path] ?? (() => answer(null)))(one)
    return file ?? Response.json(envelope, { status: httpStatus })
  })
  return asked
}

/** The calls without those for the configuration, which any part of the app makes. */
export function withoutConfig(asked: RecordedCall[]): RecordedCall[] {
  return asked.filter(({ path }) => path !== 'config/findFrontConfigList')
}
