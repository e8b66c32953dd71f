import { formatAmount, formatPercent } from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { MINUS } from '@/format/decimal'
import { formatPrice } from '@/format/price'
import { type ChargeReceipt, isDollar } from './evidence'
import { middle, type RateLine, rateText } from './explain'

/** A charge's calculation as a formula. */
export function chargeFormula(receipt: ChargeReceipt): string {
  const { charge } = receipt
  const { product, kind, side } = charge
  const lots = formatAmount(charge.lots)
  const size = `${formatAmount(product.contractSize)} ${product.base}`
  const line = chargeRate(receipt)
  const converted = line ? rateText(line) : ''
  const each = formatAmount(charge.rate)
  if (kind === 'dividend') {
    return `${side === 'sell' ? MINUS : ''}${each} × ${lots} × ${size}${converted}`
  }
  const { nights } = charge
  switch (product.swapModel) {
    case 'points': {
      const point = fromScaled(1n, product.point)
      return `${each} × ${formatPrice(point, product.point)} × ${lots} × ${size} × ${nights}${converted}`
    }
    case 'percent': {
      const price = formatPrice(charge.price, product.point)
      return `${formatPercent(charge.rate)} ÷ 360 × ${price} × ${lots} × ${size} × ${nights}${converted}`
    }
    default:
      return `${each} × ${lots} × ${nights}`
  }
}

/** The conversion rate of a charge; null if there is none. */
export function chargeRate({ charge, conversion }: ChargeReceipt): RateLine | null {
  const currency = charge.product.quote
  if (!conversion || !charge.conversion || isDollar(currency)) return null
  return middle(conversion, currency, charge.conversion.inverse)
}
