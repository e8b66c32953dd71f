import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { errorText } from '@/i18n/error-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import styles from './position-sheets.module.css'

export type SkippedPositionsProps = {
  skipped: readonly Wire['SkippedPosition'][]
  /** Their state before the bulk close. */
  positions: readonly Wire['Position'][]
  products: readonly Product[]
}

/** The positions that could not be closed, each with the reason. */
export function SkippedPositions({ skipped, positions, products }: SkippedPositionsProps) {
  const { t } = useTranslation()
  return (
    <ul className={styles.lines}>
      {skipped.map(({ positionId, code }) => {
        const position = positions.find((one) => one.positionId === positionId)
        const product = products.find(({ productId }) => productId === position?.productId)
        return (
          <li key={positionId}>
            <b>{product?.productNo}</b>
            {position && (
              <Tag tone={position.side === 'buy' ? 'up' : 'down'}>
                {t(position.side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
                <Num>{formatLots(product, position.lots)}</Num>
              </Tag>
            )}
            <p>{errorText({ httpStatus: 200, code })}</p>
          </li>
        )
      })}
    </ul>
  )
}
