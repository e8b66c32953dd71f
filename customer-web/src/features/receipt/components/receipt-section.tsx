import { type ReactNode, useId } from 'react'
import { Num } from '@/ui/num'
import styles from './receipt.module.css'

export type ReceiptSectionProps = {
  /** The number of the section. */
  number: number
  title: string
  /** Shown at the end of the title's line. */
  aside?: ReactNode
  children: ReactNode
}

/** A numbered section of a receipt. */
export function ReceiptSection({ number, title, aside, children }: ReceiptSectionProps) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 className={styles.heading}>
        <Num className={styles.number}>{number}</Num>
        <span id={id} className={styles.name}>
          {title}
        </span>
        {aside && <span className={styles.aside}>{aside}</span>}
      </h3>
      {children}
    </section>
  )
}
