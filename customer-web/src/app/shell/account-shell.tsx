import type { ComponentType } from 'react'
import { useLoaderData, useLocation } from 'react-router'
import { useDesktop } from '@/theme/use-media'
import { MY_CENTER_PATH } from './nav-items'
import { OfflineBanner } from './offline-banner'
import { PageShell } from './page-shell'
import styles from './shell.module.css'
import { TabShell } from './tab-shell'
import { TopHeader } from './top-header'

/** The frame of the account pages. On a desktop they have the menu beside them; on a phone the user centre is a main screen. */
export function AccountShell() {
  const desktop = useDesktop()
  const { pathname } = useLocation()
  const Frame = useLoaderData() as ComponentType
  if (!desktop) return pathname === MY_CENTER_PATH ? <TabShell /> : <PageShell />
  return (
    <div className={styles.shell}>
      <TopHeader />
      <OfflineBanner />
      <Frame />
    </div>
  )
}
