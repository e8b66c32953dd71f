import { CallFailure } from '@/api/client'
import { type Challenge, fetchChallenge } from '../api/challenge'
import type { Solve } from './solve-in-worker'

/** A challenge this close to its end is not used: the call takes a while too. */
const MARGIN_MS = 15_000

type Prepared = {
  solution: Promise<string>
  /** Infinity until the challenge has arrived. */
  expiresAt: number
}

/** The solutions of one form: solved ahead, each used once. */
export class Solutions {
  readonly #solve: Solve
  #prepared: Prepared | null = null
  #life = new AbortController()

  constructor(solve: Solve) {
    this.#solve = solve
  }

  /** Begins to solve a challenge, unless one is being solved or ready. A failure is left to the call that needs the solution, which tries again. */
  prepare(): void {
    void this.#ahead().solution.catch(() => {})
  }

  /** Makes a call with a solution; once again with a fresh one when the server no longer takes it. */
  async send<T>(ask: (solution: string) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#take())
    } catch (error) {
      if (!refusedAs(error, 'verify.wrong')) throw error
      return ask(await this.#take())
    }
  }

  /** Makes a call without a solution; with one when the server asks for it. */
  async sendIfAsked<T>(ask: (solution?: string) => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!refusedAs(error, 'verify.needed')) throw error
      return this.send(ask)
    }
  }

  /** Ends what is being solved. A call that waits for it rejects with Stopped. */
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

/** Why a call was given up: its form is gone, or begins anew. Nobody is told. */
export class SolveCancelled extends Error {}

function refusedAs(error: unknown, code: string): boolean {
  return error instanceof CallFailure && error.code === code
}
