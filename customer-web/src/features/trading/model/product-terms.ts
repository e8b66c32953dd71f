import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'

export type TermName = Wire['TermChange']['term']

/** One term; its value uses the wire format of term changes. */
export type Term = { term: TermName; value: string }

export type TermGroup = { name: 'trading' | 'margin' | 'commission' | 'swap'; terms: Term[] }

/** A product's terms in display order; terms made void by others are omitted. */
export function termsOf(product: Product): TermGroup[] {
  const term = (name: TermName, value: string | number): Term => ({
    term: name,
    value: String(value),
  })
  const perLot = term('commission_per_lot', product.commissionPerLot)
  const share = [
    term('commission_bps', product.commissionBps),
    term('commission_min', product.commissionMin),
  ]
  const swaps = [
    term('swap_long', product.swapLong),
    term('swap_short', product.swapShort),
    term('triple_day', product.tripleDay ?? ''),
  ]
  return [
    {
      name: 'trading',
      terms: [
        term('mode', product.mode),
        term('lot_min', product.lotMin),
        term('lot_step', product.lotStep),
        term('lot_max', product.lotMax),
        term('stop_level', product.stopLevel),
        term('spread_markup', product.spreadMarkup),
        term('stale_ms', product.staleMs),
      ],
    },
    {
      name: 'margin',
      terms: [
        term('multiple', product.multiple),
        term('tiers', writeTiers(product.tiers)),
        term('hedged_ratio_bps', String(toScaled(product.hedgedRatio, 4) ?? 0n)),
      ],
    },
    {
      name: 'commission',
      terms: product.commissionBps > 0 ? (isNone(perLot) ? share : [perLot, ...share]) : [perLot],
    },
    {
      name: 'swap',
      terms: [
        term('swap_model', product.swapModel),
        ...(product.swapModel === 'none' ? [] : swaps),
      ],
    },
  ]
}

/** Reports whether a term's value is none. */
export function isNone({ value }: Term): boolean {
  return value === '' || toScaled(value, 6) === 0n
}

function writeTiers(tiers: Product['tiers']): string {
  return tiers.map(({ upTo, leverage }) => `${upTo ?? ''}:${leverage}`).join(',')
}

/** Parses the tiers of a term, the smallest volume first; the last one is always unlimited. */
export function readTiers(value: string): Product['tiers'] {
  const tiers = value.split(',').flatMap((part) => {
    const [upTo = '', leverage] = part.trim().split(':')
    return leverage === undefined ? [] : [{ upTo, leverage: Number(leverage) }]
  })
  return tiers.map(({ upTo, leverage }, index) =>
    index === tiers.length - 1 ? { leverage } : { upTo, leverage },
  )
}

/** Basis points in percent: 50 becomes "0.50". */
export function percentOfBps(bps: string): string {
  return fromScaled(toScaled(bps, 0) ?? 0n, 2)
}

/** Milliseconds in seconds. */
export function secondsOf(ms: string): string {
  return fromScaled(toScaled(ms, 0) ?? 0n, 3)
}
