import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { profitOnMargin } from '../../model/profit-on-margin'
import { ProofButton } from '../history/proof-button'
import styles from '../history/wide-table.module.css'
import { ChargesText } from './charges-text'
import { OpenedText } from './opened-text'
import { TrailText } from './trail-text'

export type PositionTableRowProps = {
  position: Wire['Position']
  product: Product | undefined
  onAct: (on: 'close' | 'protect') => void
}

/** An open position in the desktop's table. */
export function PositionTableRow({ position, product, onAct }: PositionTableRowProps) {
  const { t } = useTranslation()
  const { side } = position
  const price = (value: string | undefined) => (
    <Num>{product ? formatPrice(value, product.point) : formatAmount(value)}</Num>
  )
  return (
    <tr>
      <th scope="row">
        <span className={styles.what}>
          <b>{product?.productNo}</b>
          <Tag tone={side === 'buy' ? 'up' : 'down'}>
            {t(side === 'buy' ? 'trade.buy' : 'trade.sell')}
          </Tag>
          <Num className={styles.quiet}>1:{position.leverage}</Num>
        </span>
      </th>
      <td>
        <Num>{formatAmount(position.lots)}</Num>
      </td>
      <td>{price(position.openPrice)}</td>
      <td>{price(position.price)}</td>
      <td>
        {(position.stopLoss !== undefined || position.trailingStop === undefined) &&
          price(position.stopLoss)}
        {position.trailingStop !== undefined && (
          <span className={styles.trail}>
            {t('trade.rule_of.trailing')}{' '}
            {product && <TrailText position={position} product={product} />}
          </span>
        )}
      </td>
      <td>{price(position.takeProfit)}</td>
      <td>
        <Num>{formatFixed(position.margin, 2)}</Num>
      </td>
      <td>
        <Num>{formatFixed(position.commission, 2)}</Num>
      </td>
      <td>
        <ChargesText position={position} product={product} />
      </td>
      <td>
        <ChangeText kind="number" value={position.profit} arrow />
      </td>
      <td>
        <ChangeText value={profitOnMargin(position)} />
      </td>
      <td className={styles.quiet}>
        <OpenedText at={position.openedAt} />
      </td>
      <td className={styles.pinned}>
        <span className={styles.actions}>
          <ProofButton positionId={position.positionId} compact />
          <Button size="small" variant="quiet" onClick={() => onAct('protect')}>
            {t('position.protect')}
          </Button>
          <Button size="small" variant="quiet" onClick={() => onAct('close')}>
            {t('position.close')}
          </Button>
        </span>
      </td>
    </tr>
  )
}
