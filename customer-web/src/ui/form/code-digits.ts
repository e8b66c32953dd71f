import { toLatinDigits } from '@/format/numeric-input'

export const CODE_LENGTH = 6

/** The digits a code field keeps of typed or pasted text: at most six, of any script. */
export function codeDigits(text: string): string {
  return toLatinDigits(text).replace(/\D/g, '').slice(0, CODE_LENGTH)
}
