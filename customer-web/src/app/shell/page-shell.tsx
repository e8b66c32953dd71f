import { Outlet } from 'react-router'
import { useDesktop, useTablet } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { AccountInUse } from './account-in-use'
import { BottomNav } from './bottom-nav'
import { OfflineBanner } from './offline-banner'
import styles from './shell.module.css'
import { TopHeader } from './top-header'

/** The frame of all other screens: the desktop header or the tablet's rail; below 1024 px the screen has its own top bar. */
export function PageShell() {
  const desktop = useDesktop()
  const tablet = useTablet()
  return (
    <div className={cx(styles.shell, tablet && styles.tabs)}>
      {desktop ? <TopHeader /> : <AccountInUse />}
      <OfflineBanner />
      <main className={styles.main}>
        <Outlet />
      </main>
      {tablet && <BottomNav />}
    </div>
  )
}
