import { Outlet } from 'react-router'
import { useDesktop } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { AccountInUse } from './account-in-use'
import { BottomNav } from './bottom-nav'
import { OfflineBanner } from './offline-banner'
import styles from './shell.module.css'
import { TopHeader } from './top-header'

/** The frame of the main screens: the desktop header, the tablet's rail, or the phone's bottom bar. */
export function TabShell() {
  const desktop = useDesktop()
  return (
    <div className={cx(styles.shell, styles.tabs)}>
      {desktop ? <TopHeader /> : <AccountInUse />}
      <OfflineBanner />
      <main className={styles.main}>
        <Outlet />
      </main>
      {!desktop && (
        <>
          <div className={styles.navSpace} />
          <BottomNav />
        </>
      )}
    </div>
  )
}
