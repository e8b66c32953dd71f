import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Product } from '@/features/market/api/products'
import { useProducts } from '@/features/market/api/products'
import { useAccount } from '@/live/account-store'
import { useAskLogin } from '@/session/login-request'
import { useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TabGroup } from '@/ui/tab-group'
import { usePendingOrders } from '../../api/pending-orders'
import { AccountBar } from '../account/account-bar'
import { StopOutLine } from '../account/stop-out-line'
import { LastFills } from '../history/last-fills'
import { PendingOrderList } from '../pending/pending-order-list'
import { PositionTable } from './position-table'
import styles from './positions-panel.module.css'

export type PositionsPanelProps = { product: Product }

/** The terminal's lower panel: open positions, pending orders, the last fills, and the account in one line. */
export function PositionsPanel({ product }: PositionsPanelProps) {
  const { t } = useTranslation()
  const [tab, setTab] = useState(0)
  const guest = useSession(({ token }) => token === null)
  const positions = useAccount((account) => account.positions)
  const orders = usePendingOrders()
  const { data: products } = useProducts()
  const ask = useAskLogin()
  return (
    <>
      <div className={styles.head}>
        <TabGroup
          type="line"
          label={t('trade.deals')}
          active={tab}
          onChange={setTab}
          list={[
            { title: t('trade.positions'), count: positions?.length ?? 0 },
            { title: t('trade.pending'), count: orders.length },
            { title: t('trade.fills') },
          ]}
        />
        <span className={styles.grow} />
        {!guest && <StopOutLine />}
        <Link className={styles.link} to="/historyOrders">
          {t('trade.history')}
        </Link>
      </div>
      <div className={styles.body}>
        {guest && (
          <EmptyState
            text={t('trade.guest_deals')}
            action={
              <Button
                onClick={() => ask(t('shell.log_in_to_trade', { symbol: product.productNo }))}
              >
                {t('shell.log_in')}
              </Button>
            }
          />
        )}
        {!guest && tab === 0 && positions === null && <SkeletonRows rows={4} />}
        {!guest && tab === 0 && positions?.length === 0 && (
          <EmptyState text={t('trade.no_positions')} />
        )}
        {!guest && tab === 0 && positions !== null && positions.length > 0 && (
          <PositionTable positions={positions} products={products ?? []} />
        )}
        {!guest && tab === 1 && <PendingOrderList products={products ?? []} />}
        {!guest && tab === 2 && <LastFills products={products ?? []} />}
      </div>
      {!guest && <AccountBar />}
    </>
  )
}
