import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Product } from '@/features/market/api/products'
import { usePendingOrders } from '@/features/trading/api/pending-orders'
import { PendingOrderList } from '@/features/trading/components/pending/pending-order-list'
import { CloseAllButton } from '@/features/trading/components/positions/close-all-button'
import { PositionCard } from '@/features/trading/components/positions/position-card'
import { useAccount } from '@/live/account-store'
import { useSession } from '@/session/session-store'
import { EmptyState } from '@/ui/empty-state'
import { TabGroup } from '@/ui/tab-group'
import styles from './trade.module.css'

/** The trader's open positions and pending orders of one product, below its chart on a phone. */
export function TradeDeals({ product }: { product: Product }) {
  const { t } = useTranslation()
  const panelId = useId()
  const [tab, setTab] = useState(0)
  const guest = useSession(({ token }) => token === null)
  const positions = useAccount((account) => account.positions)
  const orders = usePendingOrders()
  const own = positions?.filter((one) => one.productId === product.productId) ?? []
  const pending = orders.filter((one) => one.productId === product.productId)
  const others = (positions?.length ?? 0) - own.length
  if (guest) {
    return (
      <div className={styles.panel}>
        <EmptyState text={t('trade.guest_deals')} />
      </div>
    )
  }
  return (
    <div className={styles.panel}>
      <TabGroup
        type="line"
        label={t('trade.deals')}
        panelId={panelId}
        active={tab}
        onChange={setTab}
        list={[
          { title: t('trade.positions'), count: own.length },
          { title: t('trade.pending'), count: pending.length },
        ]}
      />
      <div
        id={panelId}
        role="tabpanel"
        aria-label={t(tab === 0 ? 'trade.positions' : 'trade.pending')}
      >
        {tab === 0 && (
          <div className={styles.positions}>
            {positions !== null && own.length === 0 && (
              <EmptyState text={t('trade.no_positions')} />
            )}
            {own.map((position) => (
              <PositionCard
                key={position.positionId}
                position={position}
                product={product}
                open={own.length === 1}
              />
            ))}
            {own.length > 0 && <CloseAllButton productId={product.productId} />}
            {others > 0 && (
              <Link className={styles.more} to="/order">
                {t('trade.other_positions', { count: others })}
              </Link>
            )}
          </div>
        )}
        {tab === 1 && <PendingOrderList products={[product]} productId={product.productId} />}
      </div>
    </div>
  )
}
