import { findSolution } from './find-solution'

// The worker that solve-in-worker.ts starts: it gets one challenge and answers its solution.
self.onmessage = ({ data }) => self.postMessage(findSolution(data))
