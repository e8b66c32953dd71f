import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import styles from './stop-text.module.css'
import { TrailText } from './trail-text'

export type StopTextProps = { position: Wire['Position']; product: Product | undefined }

/** The stop loss and the trailing stop of a position. */
export function StopText({ position, product }: StopTextProps) {
  const { t } = useTranslation()
  const { stopLoss, trailingStop } = position
  return (
    <>
      {(stopLoss !== undefined || trailingStop === undefined) && (
        <Num>{product ? formatPrice(stopLoss, product.point) : formatAmount(stopLoss)}</Num>
      )}
      {trailingStop !== undefined && (
        <span className={styles.trail}>
          {t('trade.rule_of.trailing')}{' '}
          {product && <TrailText position={position} product={product} />}
        </span>
      )}
    </>
  )
}
