import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { EmptyState } from '@/ui/empty-state'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import { profitOnMargin } from '../model/profit-on-margin'
import styles from './deals-panel.module.css'
import { ClosePositionSheet, ProtectSheet } from './position-sheets'

type Position = Wire['Position']
export type PositionsTableProps = { positions: Position[] | null; products: readonly Product[] }

/** Open positions in a table, live. */
export function PositionsTable({ positions, products }: PositionsTableProps) {
  const { t } = useTranslation()
  const [acting, setActing] = useState<{ id: number; on: 'close' | 'protect' } | null>(null)
  if (positions === null) return <SkeletonRows rows={4} />
  if (positions.length === 0) return <EmptyState text={t('trade.no_positions')} />
  const chosen = positions.find((one) => one.positionId === acting?.id)
  const end = () => setActing(null)
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('trade.product')}</th>
            <th scope="col">{t('trade.lots_head')}</th>
            <th scope="col">{t('trade.open_price')}</th>
            <th scope="col">{t('trade.current')}</th>
            <th scope="col">SL</th>
            <th scope="col">TP</th>
            <th scope="col">{t('trade.margin')}</th>
            <th scope="col">{t('trade.profit_unit')}</th>
            <th scope="col">{t('trade.profit_on_margin')}</th>
            <th scope="col">{t('trade.opened')}</th>
            <th scope="col">
              <span className="sr-only">{t('trade.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {positions.map((position) => {
            const product = products.find((one) => one.productId === position.productId)
            const point = product?.point ?? 2
            const price = (value: string | undefined) => (
              <Num>{value === undefined ? '–' : formatPrice(value, point)}</Num>
            )
            return (
              <tr key={position.positionId}>
                <td>
                  <span className={styles.what}>
                    <b>{product?.productNo}</b>
                    <Tag tone={position.side === 'buy' ? 'up' : 'down'}>
                      {t(position.side === 'buy' ? 'trade.buy' : 'trade.sell')}
                    </Tag>
                    <Num className={styles.quiet}>1:{position.leverage}</Num>
                  </span>
                </td>
                <td>
                  <Num>{position.lots}</Num>
                </td>
                <td>{price(position.openPrice)}</td>
                <td>{price(position.price)}</td>
                <td>{price(position.stopLoss)}</td>
                <td>{price(position.takeProfit)}</td>
                <td>
                  <Num>{formatFixed(position.margin, 2)}</Num>
                </td>
                <td>
                  <ChangeText kind="number" value={position.profit} />
                </td>
                <td>
                  <ChangeText value={profitOnMargin(position)} />
                </td>
                <td className={styles.quiet}>
                  <TimeText at={position.openedAt} shape="timeSeconds" />
                </td>
                <td>
                  <span className={styles.actions}>
                    <Button
                      size="small"
                      variant="quiet"
                      onClick={() => setActing({ id: position.positionId, on: 'protect' })}
                    >
                      SL/TP
                    </Button>
                    <Button
                      size="small"
                      variant="quiet"
                      onClick={() => setActing({ id: position.positionId, on: 'close' })}
                    >
                      {t('trade.close')}
                    </Button>
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {chosen && acting?.on === 'close' && <ClosePositionSheet position={chosen} onClose={end} />}
      {chosen && acting?.on === 'protect' && <ProtectSheet position={chosen} onClose={end} />}
    </>
  )
}
