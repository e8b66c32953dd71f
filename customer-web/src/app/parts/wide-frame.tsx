import type { ReactNode } from 'react'
import styles from '../routes/history-orders.module.css'
import { useTitle } from '../use-title'

export type WideFrameProps = { title: string; children: ReactNode }

/** A desktop page for a wide table, with the heading inside the panel. */
export function WideFrame({ title, children }: WideFrameProps) {
  useTitle(title)
  return (
    <div className={styles.frame}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
