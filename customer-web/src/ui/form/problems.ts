import i18next from 'i18next'
import { CallFailure } from '@/api/client'
import { errorText } from '@/i18n/error-text'

/** The values that a text names. */
export type TextArgs = Record<string, string | number>

/** Turns any error into a failure with a text. */
export function toFailure(error: unknown): CallFailure {
  return error instanceof CallFailure ? error : new CallFailure(0)
}

/** The error text of a field's problem, with the values the text names. */
export function problemText(key: string | undefined, args: TextArgs = {}): string | undefined {
  if (!key) return undefined
  // The key may come from the server, so the types can't know it.
  return i18next.t(
    (i18next.exists(key) ? key : 'error.invalid_input') as 'error.invalid_input',
    args,
  )
}

/** The seconds a throttled call must wait; 0 if none are given. */
export function retryAfterSeconds(failure: CallFailure): number {
  const seconds = Number(failure.args?.seconds)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}

/** The text of a failure. */
export function failureText(failure: CallFailure | null): string | undefined {
  return failure ? errorText(failure) : undefined
}
