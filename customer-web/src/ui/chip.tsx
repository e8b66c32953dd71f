import type { ReactNode } from 'react'
import styles from './chip.module.css'
import { cx } from './cx'

export type ChipProps = {
  children: ReactNode
  onClick: () => void
  /** Selected: a raised grey, never a colour. */
  on?: boolean
  /** Has an edge, for a chip on its own. */
  edge?: boolean
  disabled?: boolean
}

/** A small option: a period, a filter, a share of the margin. 24 px on a desktop, 32 px on a phone. */
export function Chip({ children, onClick, on, edge = false, disabled = false }: ChipProps) {
  return (
    <button
      type="button"
      className={cx(styles.chip, on && styles.on, edge && styles.edge)}
      aria-pressed={on}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
