import type { ReactNode } from 'react'
import { useTitle } from '../use-title'
import styles from './history-orders.module.css'

export type WideFrameProps = {
  title: string
  /** Shown at the end of the heading. */
  aside?: ReactNode
  children: ReactNode
}

/** A desktop page for a wide table, with the heading inside the panel. */
export function WideFrame({ title, aside, children }: WideFrameProps) {
  useTitle(title)
  return (
    <div className={styles.frame}>
      <div className={styles.head}>
        <h1>{title}</h1>
        {aside}
      </div>
      {children}
    </div>
  )
}
