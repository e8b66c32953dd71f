import { Outlet } from 'react-router'
import { useDesktop } from '@/theme/use-media'
import { BottomNav } from './bottom-nav'
import { DemoBar } from './demo-bar'
import { OfflineBanner } from './offline-banner'
import styles from './shell.module.css'
import { TopHeader } from './top-header'

/** The frame of the main screens: the desktop header or the phone's bottom bar. */
export function TabShell() {
  const desktop = useDesktop()
  return (
    <div className={styles.shell}>
      {desktop ? <TopHeader /> : <DemoBar />}
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
