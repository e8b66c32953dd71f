import { lazy, Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'
import { withTexts } from '@/i18n/i18n'
import { useDesktop, useTablet } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { MY_CENTER_PATH } from '../nav/nav-items'
import { AccountInUse } from './account-in-use'
import own from './account-shell.module.css'
import { BottomNav } from './bottom-nav'
import { OfflineBanner } from './offline-banner'
import styles from './shell.module.css'
import { TopHeader } from './top-header'

/** Only a desktop has it, with its texts. */
const SideMenu = lazy(() => withTexts(() => import('./side-menu'), ['account', 'support']))

/**
 * The frame of the account pages. On a desktop they have the menu beside them, on a tablet the rail; on a phone the
 * user centre is a main screen. The page stays mounted when the width changes, with what was typed into it.
 */
export function AccountShell() {
  const desktop = useDesktop()
  const { pathname } = useLocation()
  const tablet = useTablet()
  const nav = tablet || (!desktop && pathname === MY_CENTER_PATH)
  return (
    <div className={cx(styles.shell, nav && styles.tabs)}>
      {desktop ? <TopHeader /> : <AccountInUse />}
      <OfflineBanner />
      <div className={desktop ? own.frame : styles.main}>
        {desktop && (
          <div className={own.menu}>
            <Suspense>
              <SideMenu />
            </Suspense>
          </div>
        )}
        <main className={desktop ? own.page : styles.main}>
          <Outlet />
        </main>
      </div>
      {nav && (
        <>
          <div className={styles.navSpace} />
          <BottomNav />
        </>
      )}
    </div>
  )
}
