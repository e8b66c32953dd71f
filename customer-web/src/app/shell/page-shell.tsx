import { Outlet } from 'react-router'
import { useDesktop } from '@/theme/use-media'
import { DemoBar } from './demo-bar'
import { OfflineBanner } from './offline-banner'
import styles from './shell.module.css'
import { TopHeader } from './top-header'

/** The frame of all other screens: the desktop header; on a phone the screen has its own top bar. */
export function PageShell() {
  const desktop = useDesktop()
  return (
    <div className={styles.shell}>
      {desktop ? <TopHeader /> : <DemoBar />}
      <OfflineBanner />
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}
