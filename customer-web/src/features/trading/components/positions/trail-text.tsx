import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { useDistanceText } from '@/features/market/model/pips'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import styles from './trail-text.module.css'

export type TrailTextProps = {
  position: Wire['Position']
  product: Product
}

/** The level of a trailing stop, and its distance from the best price. */
export function TrailText({ position, product }: TrailTextProps) {
  const { t } = useTranslation()
  const text = useDistanceText(product)
  return (
    <>
      <Num>{formatPrice(position.trailingLevel, product.point)}</Num>
      <small className={styles.behind}>
        {t('position.behind', { distance: text(position.trailingStop) })}
      </small>
    </>
  )
}
