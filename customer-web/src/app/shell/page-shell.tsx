import type { ReactNode } from 'react'
import { useDesktop } from '@/theme/use-media'
import { DemoBar } from './demo-bar'
import styles from './shell.module.css'
import { TopHeader } from './top-header'

export type PageShellProps = { children: ReactNode }

/** Around all other screens: the desktop's header; on a phone the screen brings its own top bar. */
export function PageShell({ children }: PageShellProps) {
  const desktop = useDesktop()
  return (
    <div className={styles.shell}>
      {desktop ? <TopHeader /> : <DemoBar />}
      <main className={styles.main}>{children}</main>
    </div>
  )
}
