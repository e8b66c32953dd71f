import Popover from '@mui/material/Popover'
import type { ReactNode } from 'react'
import styles from './header-popover.module.css'

export type HeaderPopoverProps = {
  label: string
  /** The button below which it opens. */
  anchor: HTMLElement | null
  open: boolean
  onClose: () => void
  /** In pixels. */
  width: number
  children: ReactNode
}

/** A panel below a button of the header. It stays mounted, because a dialog opened from it is its child. */
export function HeaderPopover({ label, anchor, width, children, ...state }: HeaderPopoverProps) {
  return (
    <Popover
      {...state}
      keepMounted
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      transformOrigin={{ vertical: 'top', horizontal: 'center' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': label,
          className: styles.paper ?? '',
          style: { inlineSize: width },
        },
      }}
    >
      {children}
    </Popover>
  )
}
