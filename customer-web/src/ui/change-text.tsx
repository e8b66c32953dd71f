import { directionOf, formatSigned, formatSignedPercent } from '@/format/amount'
import type { DecimalInput } from '@/format/decimal'
import { cx } from './cx'
import { Num } from './num'
import { Triangle } from './triangle'

export type ChangeTextProps = {
  value: DecimalInput
  /** `percent` appends a percent sign. */
  kind?: 'percent' | 'number'
  decimals?: number
  /** Shows an arrow before the number. */
  arrow?: boolean
  className?: string | undefined
}

/** A signed change in the colour of its direction. */
export function ChangeText({
  value,
  kind = 'percent',
  decimals = 2,
  arrow = false,
  className,
}: ChangeTextProps) {
  const direction = directionOf(value, decimals)
  const format = kind === 'percent' ? formatSignedPercent : formatSigned
  return (
    <Num className={cx(direction, className)}>
      {arrow && direction !== 'flat' && <Triangle direction={direction} />}
      {format(value, decimals)}
    </Num>
  )
}
