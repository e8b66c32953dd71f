/** A parsed decimal number, so that money and prices never become floats. */
export type Decimal = {
  negative: boolean
  /** Digits before the point, without leading zeros; "0" if there are none. */
  whole: string
  /** Digits after the point, as given. */
  fraction: string
}

/** The input of a formatter: a decimal string from the wire, or a local integer. */
export type DecimalInput = string | number | bigint | null | undefined

/** Shown in place of a missing number. */
export const NO_VALUE = '–'

/** The typographic minus sign, which aligns with + and digits. */
export const MINUS = '\u2212'

/** Larger exponents never occur here and would fill the memory with zeros. */
const MAX_EXPONENT = 60

const pattern = /^([+\-\u2212]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

/** Parses a decimal number; null if the input is not one. */
export function parseDecimal(input: DecimalInput): Decimal | null {
  if (input === null || input === undefined) return null
  const match = pattern.exec(String(input).trim())
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  const shift = Number(exponent)
  if (Math.abs(shift) > MAX_EXPONENT) return null
  const [shiftedWhole, shiftedFraction] = shiftPoint(whole, fraction, shift)
  return {
    negative: sign === '-' || sign === MINUS,
    whole: shiftedWhole.replace(/^0+(?=\d)/, '') || '0',
    fraction: shiftedFraction,
  }
}

/** Truncates the fraction to at most `decimals` digits; a result of zero loses its sign. */
export function truncateDecimal(value: Decimal, decimals: number): Decimal {
  const fraction = value.fraction.slice(0, decimals)
  const negative = value.negative && /[1-9]/.test(value.whole + fraction)
  return { negative, whole: value.whole, fraction }
}

export function isZero(value: Decimal): boolean {
  return !/[1-9]/.test(value.whole + value.fraction)
}

/** Separates thousands by commas in every language (specification, point 5). */
export function groupThousands(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A typed number with its thousands separated; an unfinished one keeps its end. */
export function groupDigits(text: string): string {
  const [whole = '', ...rest] = text.split('.')
  return [groupThousands(whole), ...rest].join('.')
}

/** Joins sign, grouped digits, and a point if there is a fraction. */
export function joinDecimal({ negative, whole, fraction }: Decimal): string {
  return `${negative ? MINUS : ''}${groupThousands(whole)}${fraction && `.${fraction}`}`
}

function shiftPoint(whole: string, fraction: string, shift: number): [string, string] {
  if (shift === 0) return [whole, fraction]
  if (shift > 0) {
    const padded = fraction.padEnd(shift, '0')
    return [whole + padded.slice(0, shift), padded.slice(shift)]
  }
  const padded = whole.padStart(-shift, '0')
  return [padded.slice(0, padded.length + shift), padded.slice(padded.length + shift) + fraction]
}
