import MuiChip from '@mui/material/Chip'
import type { ReactNode } from 'react'

export type ChipProps = {
  children: ReactNode
  onClick: () => void
  /** Selected: a raised grey, never a colour. */
  on?: boolean
  /** Has an edge, for a chip on its own. */
  edge?: boolean
  disabled?: boolean
  /** The accessible name, if the text is not enough. */
  label?: string
}

/** A small option: a period, a filter, a share of the margin. 24 px on a desktop, 32 px on a phone. */
export function Chip({ children, onClick, on, edge = false, disabled = false, label }: ChipProps) {
  return (
    <MuiChip
      component="button"
      type="button"
      clickable
      label={children}
      aria-label={label}
      variant={edge ? 'outlined' : 'filled'}
      className={on ? 'on' : ''}
      aria-pressed={on}
      disabled={disabled}
      onClick={onClick}
    />
  )
}
