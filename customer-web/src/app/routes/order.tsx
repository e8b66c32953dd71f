import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProducts } from '@/features/market/api/products'
import { LiveBanner } from '@/features/market/components/live-banner'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { usePendingOrders } from '@/features/trading/api/pending-orders'
import { PendingOrderList } from '@/features/trading/components/pending/pending-order-list'
import { useAccount } from '@/live/account-store'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { IconButton } from '@/ui/icon-button'
import { TabGroup } from '@/ui/tab-group'
import styles from '../parts/order.module.css'
import { OrderPositions } from '../parts/order-positions'
import { useTitle } from '../use-title'

const PANEL_ID = 'order-panel'
const HISTORY_PATH = '/historyOrders'

/** The trader's open positions and pending orders, with their current value. */
export default function Order() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const [tab, setTab] = useState(0)
  const orders = usePendingOrders()
  const { data: products } = useProducts()
  const count = useAccount(({ positions }) => positions?.length ?? 0)
  useTitle(t('order.title'))
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <div className={styles.title}>
          <h1>{t('order.title')}</h1>
          <span className={styles.source}>
            <SimulatedTag />
          </span>
          <span className={styles.tools}>
            {desktop ? (
              <Button to={HISTORY_PATH}>{t('order.history')}</Button>
            ) : (
              <IconButton
                to={HISTORY_PATH}
                icon="clock"
                size={22}
                strong
                label={t('order.history')}
              />
            )}
          </span>
        </div>
        <TabGroup
          type="line"
          label={t('order.tabs')}
          panelId={PANEL_ID}
          active={tab}
          onChange={setTab}
          list={[
            { title: t('order.tab.positions'), count },
            { title: t('trade.pending'), count: orders.length },
          ]}
        />
      </div>
      <LiveBanner />
      <div
        id={PANEL_ID}
        role="tabpanel"
        aria-label={t(tab === 0 ? 'order.tab.positions' : 'trade.pending')}
      >
        {tab === 0 ? <OrderPositions /> : <PendingOrderList products={products ?? []} />}
      </div>
    </div>
  )
}
