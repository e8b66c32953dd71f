import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import styles from '../history/wide-table.module.css'
import { CloseAllButton } from './close-all-button'
import { ClosePositionSheet } from './close-position-sheet'
import { PositionTableRow } from './position-table-row'
import { ProtectSheet } from './protect-sheet'

export type PositionTableProps = {
  positions: readonly Wire['Position'][]
  products: readonly Product[]
}

/** The table of open positions on a desktop. */
export function PositionTable({ positions, products }: PositionTableProps) {
  const { t } = useTranslation()
  const [acting, setActing] = useState<{ id: number; on: 'close' | 'protect' } | null>(null)
  const chosen = positions.find(({ positionId }) => positionId === acting?.id)
  const end = () => setActing(null)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={styles.scroll} aria-label={t('order.list')} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('figure.product')}</th>
              <th scope="col">{t('trade.volume')}</th>
              <th scope="col">{t('trade.open_price')}</th>
              <th scope="col">{t('trade.current')}</th>
              <th scope="col">{t('trade.stop_loss')}</th>
              <th scope="col">{t('trade.take_profit')}</th>
              <th scope="col">{t('trade.margin')}</th>
              <th scope="col">{t('trade.commission')}</th>
              <th scope="col">{t('position.swap')}</th>
              <th scope="col">{t('trade.profit_unit')}</th>
              <th scope="col">{t('trade.profit_on_margin')}</th>
              <th scope="col">{t('trade.opened')}</th>
              <th scope="col" className={styles.pinned}>
                <span className="visually-hidden">{t('trade.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {positions.map((position) => (
              <PositionTableRow
                key={position.positionId}
                position={position}
                product={products.find(({ productId }) => productId === position.productId)}
                onAct={(on) => setActing({ id: position.positionId, on })}
              />
            ))}
          </tbody>
        </table>
      </section>
      <CloseAllButton />
      {chosen && acting?.on === 'close' && <ClosePositionSheet position={chosen} onClose={end} />}
      {chosen && acting?.on === 'protect' && <ProtectSheet position={chosen} onClose={end} />}
    </>
  )
}
