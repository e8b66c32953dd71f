import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatAmount, formatFixed } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import styles from './history.module.css'

export type FillCardProps = {
  fill: Wire['Fill']
  product: Product | undefined
}

/** A fill on a phone; pressing it opens its receipt. */
export function FillCard({ fill, product }: FillCardProps) {
  const { t } = useTranslation()
  const { side, entry, rule, lots, price } = fill
  return (
    <ButtonBase
      className={styles.card}
      aria-haspopup="dialog"
      onClick={() => openReceipt(fill.fillId)}
    >
      <span className={styles.line}>
        <b>{product?.productNo}</b>
        <Tag tone={side === 'buy' ? 'up' : 'down'}>
          {t(`trade.${side}`)} <Num>{formatLots(product, lots)}</Num>
        </Tag>
        {entry === 'close' && (
          <span className={styles.profit}>
            <ChangeText kind="number" value={fill.profit} arrow />
          </span>
        )}
      </span>
      <span className={styles.second}>
        <bdi dir="ltr" className="n">
          {product ? formatPrice(price, product.point) : formatAmount(price)}
        </bdi>
        <span>
          {t(`trade.entry.${entry}`)}
          {' · '}
          {t(`trade.rule_of.${rule}`)}
        </span>
      </span>
      <span className={styles.second}>
        <TimeText at={fill.time} shape="dateTimeSeconds" />
        <span>
          {t('trade.commission')} <Num>{formatFixed(fill.commission, 2)}</Num>
        </span>
      </span>
    </ButtonBase>
  )
}
