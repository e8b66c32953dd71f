import { findSolution } from './find-solution'

// The worker started by solve-in-worker.ts: it receives one challenge and returns its solution.
self.onmessage = ({ data }) => self.postMessage(findSolution(data))
