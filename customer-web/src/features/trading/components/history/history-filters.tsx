import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { FilterDay, FilterSelect, Filters } from '@/ui/filters'
import {
  CLOSE_REASONS,
  END_REASONS,
  type HistoryFilter,
  type HistoryList,
  MAX_DAYS,
  OPENINGS,
  ORDER_TYPES,
  RULES,
  SIDES,
  withFilter,
  withFrom,
  withTo,
} from '../../model/history-filter'

export type HistoryFiltersProps = {
  list: HistoryList
  filter: HistoryFilter
  today: string
  products: readonly Product[]
  onChange: (filter: HistoryFilter) => void
}

/** The fields of the filter: product, side, opening rule, close reason or end reason, and the days. */
export function HistoryFilters({ list, filter, today, products, onChange }: HistoryFiltersProps) {
  const { t } = useTranslation()
  const hintId = useId()
  const sorted = products.toSorted((a, b) => a.productNo.localeCompare(b.productNo))
  return (
    <Filters
      flush
      hint={{
        id: hintId,
        text: t(list === 'orders' ? 'history.filter.most_placed' : 'history.filter.most', {
          days: MAX_DAYS,
        }),
      }}
    >
      <FilterSelect
        label={t('figure.product')}
        all={t('history.filter.all_products')}
        value={filter.productId}
        options={sorted.map(({ productId, productNo }) => ({ value: productId, text: productNo }))}
        onPick={(value) => onChange(withFilter(filter, 'productId', value))}
      />
      <FilterSelect
        label={t('trade.side')}
        all={t('history.filter.both_sides')}
        value={filter.side}
        options={SIDES.map((value) => ({ value, text: t(`trade.${value}`) }))}
        onPick={(value) => onChange(withFilter(filter, 'side', value))}
      />
      {(list === 'positions' || list === 'performance') && (
        <>
          <FilterSelect
            label={t('history.filter.opened_by')}
            all={t('history.filter.any_order')}
            value={filter.openedBy}
            options={OPENINGS.map((value) => ({ value, text: t(`trade.rule_of.${value}`) }))}
            onPick={(value) => onChange(withFilter(filter, 'openedBy', value))}
          />
          <FilterSelect
            label={t('history.filter.closed_by')}
            all={t('history.filter.any_reason')}
            value={filter.closeReason}
            options={CLOSE_REASONS.map((value) => ({ value, text: t(`history.reason.${value}`) }))}
            onPick={(value) => onChange(withFilter(filter, 'closeReason', value))}
          />
        </>
      )}
      {list === 'fills' && (
        <FilterSelect
          label={t('trade.rule')}
          all={t('history.filter.any_rule')}
          value={filter.rule}
          options={RULES.map((value) => ({ value, text: t(`trade.rule_of.${value}`) }))}
          onPick={(value) => onChange(withFilter(filter, 'rule', value))}
        />
      )}
      {list === 'orders' && (
        <>
          <FilterSelect
            label={t('trade.kind')}
            all={t('history.filter.any_order')}
            value={filter.type}
            options={ORDER_TYPES.map((value) => ({ value, text: t(`trade.rule_of.${value}`) }))}
            onPick={(value) => onChange(withFilter(filter, 'type', value))}
          />
          <FilterSelect
            label={t('history.reason')}
            all={t('history.filter.any_reason')}
            value={filter.reason}
            options={END_REASONS.map((value) => ({ value, text: t(`history.ended_by.${value}`) }))}
            onPick={(value) => onChange(withFilter(filter, 'reason', value))}
          />
        </>
      )}
      <FilterDay
        label={t('history.filter.from')}
        value={filter.from}
        today={today}
        describedBy={hintId}
        onPick={(day) => day && onChange(withFrom(filter, day, today))}
      />
      <FilterDay
        label={t('history.filter.to')}
        value={filter.to}
        today={today}
        describedBy={hintId}
        onPick={(day) => day && onChange(withTo(filter, day))}
      />
    </Filters>
  )
}
