import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { DistanceValue } from '@/features/market/components/distance-value'
import { formatAmount, formatPercent } from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatWeekday } from '@/format/weekday'
import type { TextKey } from '@/i18n/i18n'
import { useLanguage } from '@/i18n/use-language'
import { Num } from '@/ui/num'
import { isNone, percentOfBps, readTiers, secondsOf, type Term } from '../../model/product-terms'
import { leveragesOf } from '../../model/ticket-store'

export type TermTextProps = {
  term: Term
  product: Pick<Product, 'point' | 'type' | 'quote'>
}

/** The value of a term as text; its unit is part of the term's name. */
export function TermText({ term: { term, value }, product }: TermTextProps) {
  const { t } = useTranslation()
  const { tag } = useLanguage()
  switch (term) {
    case 'mode':
    case 'swap_model':
      return t(`terms.${term}.${value}` as TextKey)
    case 'spread_markup':
    case 'stop_level':
      if (isNone({ term, value })) return t('terms.nothing')
      return <DistanceValue product={product} distance={fromScaled(BigInt(value), product.point)} />
    case 'lot_min':
    case 'lot_step':
    case 'lot_max':
    case 'swap_long':
    case 'swap_short':
      return <Num>{formatAmount(value)}</Num>
    case 'commission_per_lot':
    case 'commission_min':
      return isNone({ term, value }) ? t('terms.nothing') : <Num>{formatAmount(value)}</Num>
    case 'multiple':
      return (
        <Num>
          {leveragesOf({ ...product, multiple: value })
            .toSorted((a, b) => a - b)
            .map((one) => `1:${one}`)
            .join(', ')}
        </Num>
      )
    case 'tiers':
      return <TiersText value={value} />
    case 'hedged_ratio_bps':
    case 'commission_bps':
    case 'spike_bps':
      return <Num>{formatPercent(percentOfBps(value))}</Num>
    case 'stale_ms':
      return <Num>{formatAmount(secondsOf(value))}</Num>
    case 'triple_day':
      return value === '' ? t('terms.nothing') : formatWeekday(Number(value), tag)
  }
}

function TiersText({ value }: { value: string }) {
  const { t } = useTranslation()
  const tiers = readTiers(value)
  if (tiers.length === 0) return t('terms.nothing')
  return tiers.map(({ upTo, leverage }) => {
    const most = bidiIsolate(`1:${leverage}`)
    return (
      <span key={leverage}>
        {upTo === undefined
          ? t('terms.tier_rest', { most })
          : t('terms.tier', { lots: bidiIsolate(formatAmount(upTo)), most })}
      </span>
    )
  })
}
