import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import styles from './history.module.css'

export type HistoryCardProps = {
  position: Wire['Position']
  product: Product | undefined
  onOpen: () => void
}

/** A closed position on a phone; pressing it shows its fills. */
export function HistoryCard({ position, product, onOpen }: HistoryCardProps) {
  const { t } = useTranslation()
  const { side, lotsOpened, closeReason, closedAt } = position
  const price = (value: string | undefined) =>
    product ? formatPrice(value, product.point) : formatAmount(value)
  return (
    <ButtonBase className={styles.card} aria-haspopup="dialog" onClick={onOpen}>
      <span className={styles.line}>
        <b>{product?.productNo}</b>
        <Tag tone={side === 'buy' ? 'up' : 'down'}>
          {t(side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
          <Num>{formatLots(product, lotsOpened)}</Num>
        </Tag>
        <span className={styles.profit}>
          <ChangeText kind="number" value={position.profit} arrow />
        </span>
      </span>
      <span className={styles.second}>
        <bdi dir="ltr" className="n">
          {price(position.openPrice)} → {price(position.price)}
        </bdi>
        <span>{closeReason && t(`history.reason.${closeReason}`)}</span>
      </span>
      <span className={styles.second}>
        {closedAt !== undefined && <TimeText at={closedAt} />}
        <span>
          {t('trade.commission')} <Num>{formatFixed(position.commission, 2)}</Num>
          {' · '}
          {t('position.swap')} <Num>{formatFixed(position.swap, 2)}</Num>
        </span>
      </span>
    </ButtonBase>
  )
}
