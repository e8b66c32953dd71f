import { CallFailure } from '@/api/client'
import { type Challenge, fetchChallenge } from '../api/challenge'
import type { Solve } from './solve-in-worker'

/** A challenge this close to its expiry is not used, because the call takes time too. */
const MARGIN_MS = 15_000

type Prepared = {
  solution: Promise<string>
  /** Infinity until the challenge has arrived. */
  expiresAt: number
}

/** The solutions of one form: solved in advance, each used once. */
export class Solutions {
  readonly #solve: Solve
  #prepared: Prepared | null = null
  #life = new AbortController()

  constructor(solve: Solve) {
    this.#solve = solve
  }

  /**
   * Starts solving a challenge, unless one is in progress or ready. A failure surfaces in the call that needs the
   * solution, which retries.
   */
  prepare(): void {
    void this.#ahead().solution.catch(() => {})
  }

  /** Makes a call with a solution, and once more with a new one if the server no longer accepts it. */
  async send<T>(ask: (solution: string) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#take())
    } catch (error) {
      if (!refusedAs(error, 'verify.wrong')) throw error
      return ask(await this.#take())
    }
  }

  /** Makes a call without a solution, and with one if the server requires it. */
  async sendIfAsked<T>(ask: (solution?: string) => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!refusedAs(error, 'verify.needed')) throw error
      return this.send(ask)
    }
  }

  /** Stops solving. A call that waits for the solution rejects with SolveCancelled. */
  stop(): void {
    this.#life.abort(new SolveCancelled())
    this.#life = new AbortController()
    this.#prepared = null
  }

  #take(): Promise<string> {
    const { solution } = this.#ahead()
    this.#prepared = null
    return solution
  }

  #ahead(): Prepared {
    if (!this.#prepared || this.#prepared.expiresAt <= Date.now()) this.#prepared = this.#begin()
    return this.#prepared
  }

  #begin(): Prepared {
    const { signal } = this.#life
    const begun: Prepared = { expiresAt: Number.POSITIVE_INFINITY, solution: Promise.resolve('') }
    const solveIt = async () => {
      const challenge: Challenge = await fetchChallenge()
      begun.expiresAt = Date.now() + challenge.expiresAfter * 1000 - MARGIN_MS
      signal.throwIfAborted()
      return this.#solve(challenge, signal)
    }
    begun.solution = solveIt().catch((error) => {
      if (this.#prepared === begun) this.#prepared = null
      throw error
    })
    return begun
  }
}

/** A call was cancelled because its form is gone or restarted. It is not shown. */
export class SolveCancelled extends Error {}

function refusedAs(error: unknown, code: string): boolean {
  return error instanceof CallFailure && error.code === code
}
