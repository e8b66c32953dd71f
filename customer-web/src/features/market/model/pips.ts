import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import type { Product } from '../api/products'

type Priced = Pick<Product, 'type' | 'point' | 'quote'>

/** What a product's distances are counted in; a distance without a unit of its own is an amount of money. */
export type DistanceUnit = 'pips' | 'points' | 'money'

/**
 * A currency pair counts in pips, a metal too (0.10 of gold, 0.01 of silver), an index in its own whole points.
 * Coins and shares have neither; brokers give their distances in the currency of the price.
 */
export function distanceUnit({ type }: Pick<Product, 'type'>): DistanceUnit {
  switch (type) {
    case 'forex':
    case 'metal':
      return 'pips'
    case 'index':
      return 'points'
    default:
      return 'money'
  }
}

/**
 * The decimals of a distance in the product's unit. A pip is ten steps of the last decimal, but one step of a pair
 * that is quoted with two or four decimals.
 */
export function decimalsOfUnit({ type, point }: Pick<Product, 'type' | 'point'>): number {
  if (type === 'metal') return 1
  if (type === 'forex') return point % 2
  return point
}

/** A distance between two prices in the product's unit: "1.5" of 0.00015. */
export function toUnits(product: Priced, distance: string): string | null {
  const points = toScaled(distance, product.point)
  return points === null ? null : fromScaled(points, decimalsOfUnit(product))
}

/** The distance between two prices of a number of units; null if it is not one. */
export function fromUnits(product: Priced, units: string): string | null {
  const points = toScaled(units, decimalsOfUnit(product))
  return points === null ? null : fromScaled(points, product.point)
}

/** A distance as text with its unit: "1.5 pips", "0.4 points", "87.99 USD". */
export function useDistanceText(product: Priced): (distance: string | undefined) => string {
  const { t } = useTranslation()
  return (distance) => {
    const units = toUnits(product, distance ?? '')
    if (units === null) return '–'
    const value = bidiIsolate(formatFixed(units, decimalsOfUnit(product)))
    const unit = distanceUnit(product)
    return unit === 'money' ? `${value} ${product.quote}` : t(`figure.in_${unit}`, { value })
  }
}
