import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { toScaled } from '@/format/arithmetic'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Tag } from '@/ui/tag'
import { positionFillsQuery } from '../../api/history'
import { ChargeList } from '../positions/charge-list'
import { CopyNumber } from './copy-number'
import { FillStep } from './fill-step'
import styles from './fills-sheet.module.css'

export type FillsSheetProps = {
  position: Wire['Position']
  product: Product | undefined
  /** The screen with the chart of the position's trade. */
  chartPath: string | undefined
  onClose: () => void
}

const isCharged = (sum: string) => toScaled(sum, 6) !== 0n

/** The fills of a position, each with its receipt, and its charges. */
export function FillsSheet({ position, product, chartPath, onClose }: FillsSheetProps) {
  const { t } = useTranslation()
  const { data, error, refetch, isFetching } = useQuery(positionFillsQuery(position.positionId))
  return (
    <Sheet
      open
      width={520}
      onClose={onClose}
      title={
        <span className={styles.title}>
          {t('history.fills', { symbol: product?.productNo ?? '' })}
          <Tag tone={position.side === 'buy' ? 'up' : 'down'}>
            {t(position.side === 'buy' ? 'trade.buy' : 'trade.sell')}
          </Tag>
        </span>
      }
    >
      <div className={styles.head}>
        <CopyNumber label={t('history.position_number')} number={position.positionId} />
        {chartPath && (
          <Button size="small" to={chartPath}>
            <Icon name="trade" size={16} />
            {t('history.open_chart')}
          </Button>
        )}
      </div>
      {position.closeReason === 'stop_out' && (
        <Note tone="warning">{t('history.stop_out_why')}</Note>
      )}
      {!data && error && (
        <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {!data && !error && <SkeletonRows rows={2} rowHeight={84} />}
      {data && (
        <ol className={styles.steps}>
          {data.map((fill) => (
            <FillStep key={fill.fillId} fill={fill} product={product} />
          ))}
        </ol>
      )}
      {(isCharged(position.swap) || isCharged(position.dividends)) && (
        <section className={styles.charges}>
          <h3>{t('charges.heading')}</h3>
          <ChargeList positionId={position.positionId} />
        </section>
      )}
    </Sheet>
  )
}
