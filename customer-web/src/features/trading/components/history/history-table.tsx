import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { totalsOf } from '../../model/history-totals'
import { HistoryTableRow } from './history-table-row'
import styles from './wide-table.module.css'

export type HistoryTableProps = {
  positions: readonly Wire['Position'][]
  products: readonly Product[]
  onOpen: (position: Wire['Position']) => void
}

/** A table of closed positions with the page's totals; each row opens its fills. */
export function HistoryTable({ positions, products, onOpen }: HistoryTableProps) {
  const { t } = useTranslation()
  const totals = totalsOf(positions)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={styles.scroll} aria-label={t('history.title')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('figure.product')}</th>
            <th scope="col">{t('trade.volume')}</th>
            <th scope="col">{t('history.open_to_close')}</th>
            <th scope="col" className={styles.start}>
              {t('history.reason')}
            </th>
            <th scope="col">{t('trade.opened')}</th>
            <th scope="col">{t('history.closed')}</th>
            <th scope="col">{t('trade.commission')}</th>
            <th scope="col">{t('position.swap')}</th>
            <th scope="col">{t('trade.profit_unit')}</th>
          </tr>
        </thead>
        <tbody>
          {positions.map((position) => (
            <HistoryTableRow
              key={position.positionId}
              position={position}
              product={products.find(({ productId }) => productId === position.productId)}
              onOpen={() => onOpen(position)}
            />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={6}>{t('history.totals')}</td>
            <td>
              <Num>{formatFixed(totals.commission, 2)}</Num>
            </td>
            <td>
              <Num>{formatFixed(totals.swap, 2)}</Num>
            </td>
            <td>
              <ChangeText kind="number" value={totals.profit} arrow />
            </td>
          </tr>
          <tr>
            <td colSpan={8}>{t('history.net')}</td>
            <td>
              <ChangeText kind="number" value={totals.net} arrow />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
