import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatFixed } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { cx } from '@/ui/cx'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { CopyNumber } from './copy-number'
import styles from './fills-sheet.module.css'

export type FillStepProps = {
  fill: Wire['Fill']
  product: Product | undefined
}

/** A fill of a position: time, volume, price, rule, and receipt. */
export function FillStep({ fill, product }: FillStepProps) {
  const { t } = useTranslation()
  const closes = fill.entry === 'close'
  return (
    <li className={cx(styles.step, closes && styles.end)}>
      <div className={styles.line}>
        <b>{t(closes ? 'history.closed_part' : 'history.opened')}</b>
        <span className={styles.rule}>
          {closes && fill.rule === 'market'
            ? t('history.reason.manual')
            : t(`trade.rule_of.${fill.rule}`)}
        </span>
        <span className={styles.when}>
          <TimeText at={fill.time} shape="dateTimeSeconds" />
        </span>
      </div>
      <div className={styles.line}>
        <bdi dir="ltr" className="n">
          {formatLots(product, fill.lots)} × {formatPrice(fill.price, product?.point ?? 2)}
        </bdi>
        <span className={styles.quiet}>
          {t('trade.commission')} <Num>{formatFixed(fill.commission, 2)}</Num>
        </span>
        {closes && (
          <span className={styles.profit}>
            <ChangeText kind="number" value={fill.profit} arrow />
          </span>
        )}
      </div>
      <div className={styles.line}>
        <CopyNumber label={t('history.order_number')} number={fill.orderId} />
        <Button size="small" className={styles.proof} onClick={() => openReceipt(fill.fillId)}>
          <Mark size={16} />
          {t('position.proof')}
        </Button>
      </div>
    </li>
  )
}
