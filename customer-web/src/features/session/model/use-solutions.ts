import { createContext, useContext, useEffect, useState } from 'react'
import { Solutions } from './solutions'
import { solveInWorker } from './solve-in-worker'

/** What solves challenges; tests, which have no workers, provide another. */
export const SolveContext = createContext(solveInWorker)

/** The solutions of a form. `ahead` begins with the first one when the form opens; what is being solved ends with the form. */
export function useSolutions({ ahead = false } = {}): Solutions {
  const solve = useContext(SolveContext)
  const [solutions] = useState(() => new Solutions(solve))
  useEffect(() => {
    if (ahead) solutions.prepare()
    return () => solutions.stop()
  }, [solutions, ahead])
  return solutions
}
