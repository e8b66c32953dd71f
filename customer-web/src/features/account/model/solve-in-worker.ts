import type { Challenge } from '../api/challenge'

/** Solves a challenge. It stops and rejects when the signal aborts. */
export type Solve = (challenge: Challenge, signal: AbortSignal) => Promise<string>

/** Solves in a dedicated worker, which ends with the solution or when the signal aborts. */
export const solveInWorker: Solve = async (challenge, signal) => {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./find-solution-worker.ts', import.meta.url), {
    type: 'module',
  })
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.onerror = () => reject(new Error('the worker failed'))
      worker.onmessage = ({ data }) => resolve(data)
      worker.postMessage(challenge)
    })
  } finally {
    worker.terminate()
  }
}
