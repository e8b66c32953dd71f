import type { ReactNode } from 'react'
import styles from './chip.module.css'
import { cx } from './cx'

export type ChipProps = {
  children: ReactNode
  onClick: () => void
  /** Chosen: a raised grey, never a colour. */
  on?: boolean
  /** With an edge, for a chip that stands alone. */
  edge?: boolean
  disabled?: boolean
}

/** A small choice: a period, a filter, a share of the margin. 24 px on a desktop, 32 on a phone. */
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
