import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatDate } from '@/format/time'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import { useTimeStyle } from '@/ui/time-text'
import { marketStatusQuery } from '../api/market-status'

/** Marks simulated prices, and recorded ones with their day. */
export function SimulatedTag() {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const { data } = useQuery({
    ...marketStatusQuery,
    select: ({ feed, marketTime }) => ({
      feed,
      day: feed === 'replay' ? formatDate(marketTime, { ...style, timeZone: 'utc' }) : '',
    }),
  })
  if (!data || data.feed === 'live') return null
  return (
    <Tag>
      <Icon name="info" size={14} />
      {data.feed === 'simulated'
        ? t('product.feed.simulated')
        : t('product.feed.replayed', { date: data.day })}
    </Tag>
  )
}
