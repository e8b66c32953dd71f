import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import styles from './position-sheets.module.css'

export type PositionTitleProps = {
  position: Pick<Wire['Position'], 'side' | 'lots'>
  product: Product
  act: 'close' | 'protect'
}

/** A sheet's title: the action and its position. */
export function PositionTitle({ position: { side, lots }, product, act }: PositionTitleProps) {
  const { t } = useTranslation()
  return (
    <span className={styles.title}>
      {act === 'close'
        ? t('position.close.title', { symbol: product.productNo })
        : t('position.protect.title')}
      <Tag tone={side === 'buy' ? 'up' : 'down'}>
        {act === 'protect' && product.productNo} {t(side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
        <Num>{formatLots(product, lots)}</Num>
      </Tag>
    </span>
  )
}
