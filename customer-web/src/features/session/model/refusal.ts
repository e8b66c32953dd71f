import i18next from 'i18next'
import { CallFailure } from '@/api/client'
import { errorText } from '@/i18n/error-text'

/** Field name to the key of what is wrong with it, as the server says it. */
export type Problems = Record<string, string>

/** What went wrong, as a failure that has a text: anything unexpected becomes one. */
export function toFailure(error: unknown): CallFailure {
  return error instanceof CallFailure ? error : new CallFailure(0)
}

/** The sentence for a field's problem. */
export function problemText(key: string | undefined): string | undefined {
  if (!key) return undefined
  // The key may come from the server, so the types cannot know it.
  return i18next.t((i18next.exists(key) ? key : 'error.invalid_input') as 'error.invalid_input')
}

/** The seconds that a throttled call says to wait; 0 when it says none. */
export function retryAfterSeconds(failure: CallFailure): number {
  const seconds = Number(failure.args?.seconds)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}

/** The sentence for a failure as a whole. */
export function failureText(failure: CallFailure | null): string | undefined {
  return failure ? errorText(failure) : undefined
}
