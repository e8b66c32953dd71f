import { NUMERIC_PRECISION } from '@/constants'

/**
 * What a numeric field keeps of typed or pasted text: a leading integer, or a decimal with at most `precision`
 * digits after the point. Leading zeros are dropped, and a leading point gets a zero before it. Digits of other
 * scripts are accepted, because keyboards produce them.
 */
export function filterNumeric(text: string, precision: number = NUMERIC_PRECISION): string {
  const latin = toLatinDigits(text).trim()
  const match = /^(\d*)(\.\d*)?/.exec(latin)
  const whole = match?.[1] ?? ''
  const fraction = precision > 0 ? (match?.[2] ?? '').slice(0, precision + 1) : ''
  if (whole === '' && fraction === '') return ''
  return (whole.replace(/^0+(?=\d)/, '') || '0') + fraction
}

/** The filtered text as a complete number: "12." becomes "12"; empty stays empty. */
export function completeNumeric(text: string, precision: number = NUMERIC_PRECISION): string {
  return filterNumeric(text, precision).replace(/\.$/, '')
}

/**
 * A typed or pasted number with a decimal point and without grouping: "92,052.37", "92.052,37", "92 052,37" and
 * "92052,37" are the same. A single comma is a decimal one ("0,02"), unless it groups as in "1,500", which only a
 * pasted number can have: while typing, the comma has become a point before the next digit.
 */
export function toPlainNumber(text: string): string {
  const latin = toLatinDigits(text)
    .trim()
    .replace(/(?<=\d)[\s\u00a0\u202f'’\u066c](?=\d{3})/g, '')
    .replaceAll('\u060c', ',')
  if (/^[-+\u2212]?[1-9]\d{0,2}(,\d{3})+(\D|$)/.test(latin)) return latin.replaceAll(',', '')
  if (/^[-+\u2212]?[1-9]\d{0,2}(\.\d{3})+,\d/.test(latin))
    return latin.replaceAll('.', '').replace(',', '.')
  if (/^[-+\u2212]?[1-9]\d{0,2}(\.\d{3}){2,}$/.test(latin)) return latin.replaceAll('.', '')
  return latin.includes('.') ? latin : latin.replace(',', '.')
}

/** The first code points of the digit ranges on keyboards of our languages. */
const digitRows = [0x0660, 0x06f0, 0x0966, 0x0e50, 0xff10]

/** Digits of other scripts as 0 to 9, and their decimal points as a point; the rest stays. */
export function toLatinDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59\uff10-\uff19]/g, (digit) => {
      const code = digit.charCodeAt(0)
      const row = digitRows.find((first) => code >= first && code < first + 10) ?? code
      return String(code - row)
    })
    .replace(/[\u066b\uff0e\u3002]/g, '.')
}
