import { expect, test, vi } from 'vitest'
import { previewCalls } from './calls'
import type { Draft } from './draft'

const draft = { kind: 'banner', title: 'Pause', summary: '', body: '', image: '' } as Draft
const origin = 'https://desk.example'

function setup() {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('of the server'))
  return { fetch, call: previewCalls(() => draft, fetch) }
}

test('calls about the draft never reach the server', async () => {
  const { fetch, call } = setup()
  const answer = await (await call(`${origin}/client/api/findByBannerList`)).json()
  expect(answer).toMatchObject({ status: 1, code: 'ok', data: [{ title: 'Pause' }] })
  expect(await (await call(`${origin}/client/common/platformRunningStatus`)).json()).toMatchObject({
    data: 1,
  })
  expect(fetch).not.toHaveBeenCalled()
})

test('calls that write do nothing', async () => {
  const { fetch, call } = setup()
  const request = { method: 'POST', body: '{"ids":[7]}' }
  expect((await call(`${origin}/client/content/insertSeen`, request)).ok).toBe(true)
  expect(fetch).not.toHaveBeenCalled()
})

test('other calls are those of a visitor, to the back office', async () => {
  const { fetch, call } = setup()
  const headers = { language: 'ko' }
  await call(`${origin}/client/api/findProductList?size=3`, { headers })
  const [path, request] = fetch.mock.calls[0] ?? []
  expect(path).toBe('/admin/content-preview/client/api/findProductList?size=3')
  expect(new Headers(request?.headers).get('language')).toBe('ko')
  await call(`${origin}/assets/a.json`)
  expect(fetch).toHaveBeenCalledTimes(2)
})
