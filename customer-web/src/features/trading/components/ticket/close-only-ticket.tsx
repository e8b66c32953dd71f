import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { useAccount } from '@/live/account-store'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { ClosePositionSheet } from '../positions/position-forms'
import styles from './order-ticket.module.css'

/** Shown instead of the ticket of a close-only product, with the positions that can be closed. */
export function CloseOnlyTicket({ product }: { product: Product }) {
  const { t } = useTranslation()
  const positions = useAccount((account) => account.positions)
  const [closing, setClosing] = useState<number | null>(null)
  const own = positions?.filter(({ productId }) => productId === product.productId) ?? []
  const closed = own.find(({ positionId }) => positionId === closing)
  return (
    <div className={styles.ticket}>
      <p className={styles.note}>{t('error.order.close_only')}</p>
      {positions !== null && own.length === 0 && (
        <p className={styles.footnote}>{t('margin.close_only.none')}</p>
      )}
      {own.length > 0 && (
        <ul className={styles.closable} aria-label={t('margin.close_only.list')}>
          {own.map(({ positionId, side, lots, profit }) => (
            <li key={positionId}>
              <Tag tone={side === 'buy' ? 'up' : 'down'}>
                {t(side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
                <Num>{formatLots(product, lots)}</Num>
              </Tag>
              <ChangeText kind="number" value={profit} />
              <Button onClick={() => setClosing(positionId)}>{t('position.close')}</Button>
            </li>
          ))}
        </ul>
      )}
      {closed && <ClosePositionSheet position={closed} onClose={() => setClosing(null)} />}
    </div>
  )
}
