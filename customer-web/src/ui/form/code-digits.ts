import { minLength, string } from 'zod/mini'
import { toLatinDigits } from '@/format/numeric-input'

export const CODE_LENGTH = 6

/** All digits of a code. */
export const fullCode = string().check(minLength(CODE_LENGTH, 'field.code'))

/** The digits a code field keeps of typed or pasted text: at most six, of any script. */
export function codeDigits(text: string): string {
  return toLatinDigits(text).replace(/\D/g, '').slice(0, CODE_LENGTH)
}
