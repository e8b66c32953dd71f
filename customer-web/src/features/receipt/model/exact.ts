import { toScaled } from '@/format/arithmetic'

/**
 * A plain decimal as a whole number of its last place. Unlike the formatters it cuts nothing: a number
 * with more decimals than the scale holds is null, as is anything that is no number.
 */
export function exactScaled(text: string, decimals: number): bigint | null {
  if (!/^-?\d{1,20}(\.\d+)?$/.test(text)) return null
  const fraction = text.split('.')[1] ?? ''
  return fraction.length > decimals ? null : toScaled(text, decimals)
}
