import { useTranslation } from 'react-i18next'
import { useProducts } from '@/features/market/api/products'
import { AccountSummary } from '@/features/trading/components/account/account-summary'
import { CloseAllButton } from '@/features/trading/components/positions/close-all-button'
import { PositionCard } from '@/features/trading/components/positions/position-card'
import { PositionTable } from '@/features/trading/components/positions/position-table'
import { useAccount } from '@/live/account-store'
import { fetchAccount } from '@/live/live'
import { useDesktop, useTables } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useDelayed } from '@/ui/use-delayed'
import { useTradePath } from '../nav/trade-link'
import styles from './order.module.css'

/** If the account has not arrived after this time, loading has failed. */
const PATIENCE_MS = 8_000

/** The open positions and the account summary in all their states. */
export function OrderPositions() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const tables = useTables()
  const { statistics, positions } = useAccount()
  const { data: products } = useProducts()
  const loading = !statistics || !positions || !products
  const late = useDelayed(loading, PATIENCE_MS)
  const tradePath = useTradePath()

  if (loading) {
    if (!late) return <SkeletonRows rows={6} rowHeight={desktop ? 40 : 66} />
    return <ErrorBlock reason={t('order.unavailable')} onRetry={() => void fetchAccount()} />
  }
  const newest = positions.toSorted((a, b) => b.positionId - a.positionId)
  return (
    <div>
      <AccountSummary statistics={statistics} />
      {newest.length === 0 && (
        <EmptyState
          icon="trade"
          text={t('order.empty')}
          action={tradePath && <Button to={tradePath}>{t('order.empty_action')}</Button>}
        />
      )}
      {tables && <CloseAllButton />}
      {newest.length > 0 && tables && <PositionTable positions={newest} products={products} />}
      {newest.length > 0 && !tables && (
        <ul className={styles.cards} aria-label={t('order.list')}>
          {newest.map((position, index) => {
            const product = products.find(({ productId }) => productId === position.productId)
            return (
              product && (
                <li key={position.positionId}>
                  <PositionCard position={position} product={product} open={index === 0} />
                </li>
              )
            )
          })}
        </ul>
      )}
      {!tables && <CloseAllButton />}
    </div>
  )
}
