import { afterEach, expect, test, vi } from 'vitest'
import { canReload } from './stale-build'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a page reloads only from a server that answers', async () => {
  const server = vi.fn(async () => new Response())
  vi.stubGlobal('fetch', server)
  expect(await canReload()).toBe(true)
  server.mockResolvedValueOnce(new Response(null, { status: 503 }))
  expect(await canReload()).toBe(false)
  server.mockRejectedValueOnce(new TypeError('no network'))
  expect(await canReload()).toBe(false)
})

test('without a network nothing is asked', async () => {
  const server = vi.fn(async () => new Response())
  vi.stubGlobal('fetch', server)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(await canReload()).toBe(false)
  expect(server).not.toHaveBeenCalled()
})
