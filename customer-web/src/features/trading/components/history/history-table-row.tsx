import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import styles from './wide-table.module.css'

export type HistoryTableRowProps = {
  position: Wire['Position']
  product: Product | undefined
  onOpen: () => void
}

/** A closed position in the desktop's table. */
export function HistoryTableRow({ position, product, onOpen }: HistoryTableRowProps) {
  const { t } = useTranslation()
  const { side, lotsOpened, closeReason, closedAt } = position
  const word = t(side === 'buy' ? 'trade.buy' : 'trade.sell')
  const price = (value: string | undefined) =>
    product ? formatPrice(value, product.point) : formatAmount(value)
  const symbol = product?.productNo ?? ''
  return (
    <tr>
      <th scope="row">
        <button type="button" className={styles.open} aria-haspopup="dialog" onClick={onOpen}>
          <span className={styles.what}>
            <b>{symbol}</b>
            <Tag tone={side === 'buy' ? 'up' : 'down'}>{word}</Tag>
            <span className="visually-hidden">{t('history.show_fills')}</span>
          </span>
        </button>
      </th>
      <td>
        <Num>{formatAmount(lotsOpened)}</Num>
      </td>
      <td>
        <bdi dir="ltr" className="n">
          {price(position.openPrice)} → {price(position.price)}
        </bdi>
      </td>
      <td className={styles.start}>{closeReason && t(`history.reason.${closeReason}`)}</td>
      <td className={styles.quiet}>
        <TimeText at={position.openedAt} />
      </td>
      <td className={styles.quiet}>
        {closedAt !== undefined && <TimeText at={closedAt} shape="dateTimeSeconds" />}
      </td>
      <td>
        <Num>{formatFixed(position.commission, 2)}</Num>
      </td>
      <td>
        <Num>{formatFixed(position.swap, 2)}</Num>
      </td>
      <td>
        <ChangeText kind="number" value={position.profit} arrow />
      </td>
    </tr>
  )
}
