import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import styles from './position-sheets.module.css'

export type PositionLinesProps = {
  positions: readonly Wire['Position'][]
  products: readonly Product[]
}

/** Positions in one line each, with their current profit. */
export function PositionLines({ positions, products }: PositionLinesProps) {
  const { t } = useTranslation()
  return (
    <ul className={styles.lines}>
      {positions.map(({ positionId, productId, side, lots, profit }) => {
        const product = products.find((one) => one.productId === productId)
        return (
          <li key={positionId}>
            <b>{product?.productNo}</b>
            <Tag tone={side === 'buy' ? 'up' : 'down'}>
              {t(side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
              <Num>{formatLots(product, lots)}</Num>
            </Tag>
            <span className={styles.end}>
              <ChangeText kind="number" value={profit} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}
