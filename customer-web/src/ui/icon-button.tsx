import MuiIconButton from '@mui/material/IconButton'
import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { cx } from './cx'
import styles from './icon-button.module.css'
import { Icon } from './icons/icon'
import type { IconName } from './icons/icon-shapes'

export type IconButtonProps = {
  icon: IconName
  /** What it does; there is no other text. */
  label: string
  onClick?: (event: MouseEvent<HTMLElement>) => void
  /** Renders a link that looks like an icon button. */
  to?: string
  size?: 16 | 20 | 22
  disabled?: boolean
  /** For a button that opens a panel: whether it is open. */
  expanded?: boolean
  /** For a toggle button: whether it is on. */
  pressed?: boolean
  /** Uses the text colour instead of the quieter one. */
  strong?: boolean
  className?: string | undefined
}

/** An icon as a button: 32 px on a desktop, 44 px on a phone. */
export function IconButton({
  icon,
  label,
  onClick,
  to,
  size = 16,
  disabled = false,
  expanded,
  pressed,
  strong = false,
  className,
}: IconButtonProps) {
  const shared = {
    className: cx(strong && styles.strong, pressed && styles.on, className),
    'aria-label': label,
    title: label,
    children: <Icon name={icon} size={size} />,
    ...(onClick && { onClick }),
  }
  if (to !== undefined) return <MuiIconButton component={Link} to={to} {...shared} />
  return (
    <MuiIconButton
      type="button"
      aria-pressed={pressed}
      disabled={disabled}
      aria-haspopup={expanded === undefined ? undefined : 'dialog'}
      aria-expanded={expanded}
      {...shared}
    />
  )
}
