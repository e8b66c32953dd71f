import { formatAmount, formatFixed } from './amount'
import { parseDecimal } from './decimal'

/** The decimals of a product's volumes, those of their step. */
export function decimalsOfLots({ lotStep }: { lotStep: string }): number {
  return (parseDecimal(lotStep)?.fraction ?? '').replace(/0+$/, '').length
}

/**
 * A volume with the decimals of the product's step: "0.20"; a finer remainder shows its own. Without its product it
 * is written like an amount.
 */
export function formatLots(product: { lotStep: string } | undefined, lots: string): string {
  if (!product) return formatAmount(lots)
  const own = (parseDecimal(lots)?.fraction ?? '').replace(/0+$/, '').length
  return formatFixed(lots, Math.max(own, decimalsOfLots(product)))
}

/** The same as a field has it while it is edited: without grouping. */
export function typedLots(product: { lotStep: string }, lots: string): string {
  return formatLots(product, lots).replaceAll(',', '')
}
