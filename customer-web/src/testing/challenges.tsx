import type { ReactElement } from 'react'
import type { Challenge } from '@/features/account/api/challenge'
import type { Solve } from '@/features/account/model/solve-in-worker'
import { SolveContext } from '@/features/account/model/use-solutions'
import { answer } from './fake-server'

/** A server's answers to getVerify: the challenges c1, c2, and so on. */
export function challenges(expiresAfter = 600) {
  let count = 0
  return {
    'common/getVerify': () => {
      count++
      return answer({ challenge: `c${count}`, difficulty: 17, expiresAfter } satisfies Challenge)
    },
  }
}

/** Solves without work: c1 becomes c1.7. */
const solveAtOnce: Solve = async ({ challenge }) => `${challenge}.7`

/** Wraps an element so that its challenges are solved without a worker. */
export function withSolver(part: ReactElement, solve: Solve = solveAtOnce) {
  return <SolveContext value={solve}>{part}</SolveContext>
}

/** A solver controlled by the test; challenges are cancelled when their form is gone. */
export function manualSolver() {
  const held: { challenge: string; signal: AbortSignal; finish: () => void }[] = []
  const solve: Solve = ({ challenge }, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      held.push({ challenge, signal, finish: () => resolve(`${challenge}.7`) })
    })
  return { held, solve }
}
