import { answerOf, type Draft } from './draft'

/** Where the back office answers calls of visitors. */
const CALLS = '/admin/content-preview'

function answer(data: unknown): Response {
  return Response.json({ status: 1, code: 'ok', cnMsg: '', enMsg: '', traceId: '', data })
}

/**
 * The calls of an app that shows a draft: those about the draft have their answers here, other reading ones are those of
 * a visitor, and writing ones do nothing.
 */
export function previewCalls(draft: () => Draft, fetch: typeof globalThis.fetch) {
  return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (!url.pathname.startsWith('/client/')) return fetch(request)
    if (url.pathname === '/client/common/platformRunningStatus') return answer(1)
    const known = answerOf(draft(), url)
    if (known !== undefined) return answer(known)
    if (request.method !== 'GET') return answer({})
    return fetch(`${CALLS}${url.pathname}${url.search}`, {
      headers: request.headers,
      signal: request.signal,
    })
  }
}
