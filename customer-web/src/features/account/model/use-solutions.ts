import { createContext, useContext, useEffect, useState } from 'react'
import { Solutions } from './solutions'
import { solveInWorker } from './solve-in-worker'

/** The challenge solver; tests replace it because they have no workers. */
export const SolveContext = createContext(solveInWorker)

/** The solutions of a form. `ahead` starts the first one when the form opens; solving stops when the form unmounts. */
export function useSolutions({ ahead = false } = {}): Solutions {
  const solve = useContext(SolveContext)
  const [solutions] = useState(() => new Solutions(solve))
  useEffect(() => {
    if (ahead) solutions.prepare()
    return () => solutions.stop()
  }, [solutions, ahead])
  return solutions
}
