import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { solveInWorker } from './solve-in-worker'

const challenge = { challenge: 'c1', difficulty: 17, expiresAfter: 600 }

class FakeWorker {
  static started: FakeWorker[] = []
  onmessage: ((event: { data: string }) => void) | null = null
  onerror: (() => void) | null = null
  readonly postMessage = vi.fn()
  readonly terminate = vi.fn()
  readonly address: URL
  constructor(address: URL) {
    this.address = address
    FakeWorker.started.push(this)
  }
}

/** The worker started last. */
function worker(): FakeWorker {
  const last = FakeWorker.started.at(-1)
  if (!last) throw new Error('no worker was started')
  return last
}

beforeEach(() => {
  FakeWorker.started = []
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => vi.unstubAllGlobals())

test('a worker of our own solves the challenge, and ends', async () => {
  const solution = solveInWorker(challenge, new AbortController().signal)
  expect(worker().address.pathname).toMatch(/find-solution-worker/)
  expect(worker().postMessage).toHaveBeenCalledWith(challenge)
  worker().onmessage?.({ data: 'c1.7' })
  expect(await solution).toBe('c1.7')
  expect(worker().terminate).toHaveBeenCalledOnce()
})

test('the worker ends when nobody needs the solution any more', async () => {
  const life = new AbortController()
  const solution = solveInWorker(challenge, life.signal)
  life.abort()
  await expect(solution).rejects.toMatchObject({ name: 'AbortError' })
  expect(worker().terminate).toHaveBeenCalledOnce()
})

test('none is started when nobody needs it by then', async () => {
  await expect(solveInWorker(challenge, AbortSignal.abort())).rejects.toMatchObject({
    name: 'AbortError',
  })
  expect(FakeWorker.started).toHaveLength(0)
})

test('a worker that fails is ended too, and its failure is said', async () => {
  const solution = solveInWorker(challenge, new AbortController().signal)
  worker().onerror?.()
  await expect(solution).rejects.toThrow('the worker failed')
  expect(worker().terminate).toHaveBeenCalledOnce()
})
