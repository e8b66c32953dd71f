import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '@/format/time'
import { Button } from '@/ui/button'
import { Chip } from '@/ui/chip'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { useTimeStyle } from '@/ui/time-text'
import {
  activeFields,
  type FilterField,
  PERIODS,
  periodOf,
  withFilter,
  withPeriod,
} from '../../model/history-filter'
import styles from './history-bar.module.css'
import { HistoryFilters, type HistoryFiltersProps } from './history-filters'

/** The period, the active filters, each removable, and the way to all of them. */
export function HistoryBar(props: HistoryFiltersProps) {
  const { list, filter, today, onChange } = props
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const active = activeFields(filter, list)
  const period = periodOf(filter, today)
  const wordOf = useFilterWords(props)
  return (
    <div className={styles.bar}>
      <Chip edge onClick={() => setOpen(true)}>
        <Icon name="sliders" size={14} /> {t('history.filters')}
        {active.length > 0 && <Num> {active.length}</Num>}
      </Chip>
      {PERIODS.map((days) => (
        <Chip
          key={days}
          on={period === days}
          onClick={() => onChange(withPeriod(filter, days, today))}
        >
          {t('history.period', { days })}
        </Chip>
      ))}
      {period === undefined && (
        <Chip on onClick={() => setOpen(true)}>
          <Days from={filter.from} to={filter.to} />
        </Chip>
      )}
      {active.map((field) => (
        <Chip
          key={field}
          edge
          label={t('history.filter.remove', { filter: wordOf(field) })}
          onClick={() => onChange(withFilter(filter, field, undefined))}
        >
          {wordOf(field)} <Icon name="close" size={14} />
        </Chip>
      ))}
      <Sheet
        open={open}
        title={t('history.filters')}
        onClose={() => setOpen(false)}
        footer={
          <Button variant="primary" block onClick={() => setOpen(false)}>
            {t('history.filter.done')}
          </Button>
        }
      >
        <HistoryFilters {...props} />
      </Sheet>
    </div>
  )
}

function Days({ from, to }: { from: string; to: string }) {
  // A calendar day is the same in every time zone.
  const style = { ...useTimeStyle(), timeZone: 'utc' } as const
  return (
    <>
      <bdi>{formatDay(Date.parse(from), style)}</bdi> –{' '}
      <bdi>{formatDay(Date.parse(to), style)}</bdi>
    </>
  )
}

/** The value of a filter in words. */
function useFilterWords({ filter, products }: HistoryFiltersProps) {
  const { t } = useTranslation()
  return (field: FilterField): string => {
    switch (field) {
      case 'productId':
        return products.find(({ productId }) => productId === filter.productId)?.productNo ?? ''
      case 'side':
        return filter.side ? t(`trade.${filter.side}`) : ''
      case 'openedBy':
        return filter.openedBy
          ? `${t('history.filter.opened_by')}: ${t(`trade.rule_of.${filter.openedBy}`)}`
          : ''
      case 'closeReason':
        return filter.closeReason
          ? `${t('history.filter.closed_by')}: ${t(`history.reason.${filter.closeReason}`)}`
          : ''
      case 'rule':
        return filter.rule ? t(`trade.rule_of.${filter.rule}`) : ''
      case 'type':
        return filter.type ? t(`trade.rule_of.${filter.type}`) : ''
      case 'reason':
        return filter.reason ? t(`history.ended_by.${filter.reason}`) : ''
    }
  }
}
