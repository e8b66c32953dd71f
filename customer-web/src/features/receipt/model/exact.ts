import { toScaled } from '@/format/arithmetic'

/**
 * A plain decimal as an integer of its last decimal. Unlike the formatters it truncates nothing: a number with
 * more decimals than the scale, or no number at all, is null.
 */
export function exactScaled(text: string, decimals: number): bigint | null {
  if (!/^-?\d{1,20}(\.\d+)?$/.test(text)) return null
  const fraction = text.split('.')[1] ?? ''
  return fraction.length > decimals ? null : toScaled(text, decimals)
}
