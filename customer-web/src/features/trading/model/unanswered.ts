import { CallFailure } from '@/api/client'

/** Whether a write got no answer, so that nobody knows yet whether it was done. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof CallFailure && (error.httpStatus === 0 || error.httpStatus >= 502)
}
