import { formatFixed } from './amount'
import { parseDecimal } from './decimal'

/** The decimals of a product's volumes, those of their step. */
export function decimalsOfLots({ lotStep }: { lotStep: string }): number {
  return (parseDecimal(lotStep)?.fraction ?? '').replace(/0+$/, '').length
}

/** A volume with the decimals of the product's step: "0.20"; a finer remainder shows its own. */
export function formatLots(product: { lotStep: string }, lots: string): string {
  const own = (parseDecimal(lots)?.fraction ?? '').replace(/0+$/, '').length
  return formatFixed(lots, Math.max(own, decimalsOfLots(product)))
}
