import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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
import { Funds } from '../account/funds'
import { LastFills } from '../history/last-fills'
import { PendingOrderList } from '../pending/pending-order-list'
import { CloseAllButton } from './close-all-button'
import { PositionTable } from './position-table'
import styles from './positions-panel.module.css'

export type PositionsPanelProps = {
  product: Product
  /** Brings another product to the chart. */
  onPick: (productId: number) => void
  /** Shows a trade in the chart of its product. */
  onTrade: (productId: number, positionId: number) => void
}

/** The terminal's lower panel: open positions, pending orders, the last trades, funds, and the account in one line. */
export function PositionsPanel({ product, onPick, onTrade }: PositionsPanelProps) {
  const { t } = useTranslation()
  const [tab, setTab] = useState(0)
  const [only, setOnly] = useState(false)
  const guest = useSession(({ token }) => token === null)
  const positions = useAccount((account) => account.positions)
  const orders = usePendingOrders()
  const own = { productId: product.productId }
  const isShown = ({ productId }: { productId: number }) => !only || productId === own.productId
  return (
    <>
      <div className={styles.head}>
        <TabGroup
          type="line"
          label={t('trade.deals')}
          active={tab}
          onChange={setTab}
          list={[
            { title: t('trade.positions'), count: positions?.filter(isShown).length ?? 0 },
            { title: t('trade.pending'), count: orders.filter(isShown).length },
            { title: t('trade.tab.history') },
            { title: t('trade.tab.funds') },
          ]}
        />
        <span className={styles.grow} />
        {!guest && tab !== 3 && (
          <FormControlLabel
            className={styles.only}
            control={<Switch checked={only} onChange={(_, checked) => setOnly(checked)} />}
            label={t('trade.only', { symbol: product.productNo })}
          />
        )}
        {!guest && tab === 0 && <CloseAllButton inline {...(only ? own : {})} />}
      </div>
      <div className={styles.body}>
        {guest ? (
          <GuestNote symbol={product.productNo} />
        ) : (
          <PanelBody {...{ tab, only, product, onPick, onTrade }} />
        )}
      </div>
      {!guest && <AccountBar />}
    </>
  )
}

type PanelBodyProps = PositionsPanelProps & { tab: number; only: boolean }

function PanelBody({ tab, only, product, onPick, onTrade }: PanelBodyProps) {
  const { t } = useTranslation()
  const { productId } = product
  const all = useAccount((account) => account.positions)
  const { data: products = [] } = useProducts()
  const positions = only ? all?.filter((one) => one.productId === productId) : all
  switch (tab) {
    case 0:
      if (!positions) return <SkeletonRows rows={4} />
      if (positions.length === 0) return <EmptyState text={t('trade.no_positions')} />
      return (
        <PositionTable
          positions={positions}
          products={products}
          chosen={productId}
          onPick={onPick}
        />
      )
    case 1:
      return (
        <PendingOrderList
          products={products}
          productId={only ? productId : undefined}
          chosen={productId}
          onPick={onPick}
        />
      )
    case 2:
      return (
        <LastFills products={products} productId={only ? productId : undefined} onPick={onTrade} />
      )
    default:
      return <Funds />
  }
}

function GuestNote({ symbol }: { symbol: string }) {
  const { t } = useTranslation()
  const ask = useAskLogin()
  return (
    <EmptyState
      text={t('trade.guest_deals')}
      action={
        <Button onClick={() => ask(t('shell.log_in_to_trade', { symbol }))}>
          {t('shell.log_in')}
        </Button>
      }
    />
  )
}
