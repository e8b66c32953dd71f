import { type ComponentProps, type ComponentType, Suspense, useId } from 'react'
import type { Wire } from '@/api/client'
import { SkeletonRows } from '@/ui/skeleton-rows'
import styles from './contact-field.module.css'
import { ContactTabs, type ContactWay } from './contact-tabs'

/** The log-in with an Ethereum wallet, loaded when it is opened. */
export type WalletLogin = ComponentType<{
  invitation?: string
  termsPath?: string | undefined
  onDone: (session: Wire['Session']) => void
  /** Goes to the log-in with a password. */
  onLogin: () => void
}>

export type WalletWayProps = ComponentProps<WalletLogin> & {
  Login: WalletLogin
  onWay: (way: ContactWay) => void
}

/** The tab of Ethereum wallets; its code is loaded when it is opened. */
export function WalletWay({ Login, onWay, ...login }: WalletWayProps) {
  const panelId = useId()
  return (
    <div className={styles.contact}>
      <ContactTabs active="wallet" wallet panelId={panelId} onChange={onWay} />
      <div id={panelId}>
        <Suspense fallback={<SkeletonRows rows={3} rowHeight={56} />}>
          <Login {...login} />
        </Suspense>
      </div>
    </div>
  )
}
