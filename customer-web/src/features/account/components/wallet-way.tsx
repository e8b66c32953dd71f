import { lazy, Suspense, useId } from 'react'
import type { Wire } from '@/api/client'
import { SkeletonRows } from '@/ui/skeleton-rows'
import styles from './contact-field.module.css'
import { ContactTabs, type ContactWay } from './contact-tabs'

const WalletLogin = lazy(() => import('@/features/ethereum/components/wallet-login'))

export type WalletWayProps = {
  invitation?: string
  termsPath?: string | undefined
  onWay: (way: ContactWay) => void
  onDone: (session: Wire['Session']) => void
  onLogin: () => void
}

/** The tab of Ethereum wallets; its code is loaded when it is opened. */
export function WalletWay({ onWay, ...login }: WalletWayProps) {
  const panelId = useId()
  return (
    <div className={styles.contact}>
      <ContactTabs active="wallet" wallet panelId={panelId} onChange={onWay} />
      <div id={panelId}>
        <Suspense fallback={<SkeletonRows rows={3} rowHeight={56} />}>
          <WalletLogin {...login} />
        </Suspense>
      </div>
    </div>
  )
}
