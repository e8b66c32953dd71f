import { errorText } from '@/i18n/error-text'
import { CallFailure } from './client'

/** The reason of a failure as a sentence, with the trace id to quote to support. */
export function reasonOf(error: unknown): { reason: string; traceId: string | undefined } {
  if (error instanceof CallFailure) return { reason: errorText(error), traceId: error.traceId }
  return { reason: errorText({ httpStatus: 0, code: 'general' }), traceId: undefined }
}
