import { errorText } from '@/i18n/error-text'
import { CallFailure } from './client'

/** Why something failed, as a sentence, with the id to quote to customer service. */
export function reasonOf(error: unknown): { reason: string; traceId: string | undefined } {
  if (error instanceof CallFailure) return { reason: errorText(error), traceId: error.traceId }
  return { reason: errorText({ httpStatus: 0, code: 'general' }), traceId: undefined }
}
