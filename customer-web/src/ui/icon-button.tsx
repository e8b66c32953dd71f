import { Link } from 'react-router'
import { cx } from './cx'
import styles from './icon-button.module.css'
import { Icon } from './icons/icon'
import type { IconName } from './icons/icon-shapes'

export type IconButtonProps = {
  icon: IconName
  /** What it does; there is no other text. */
  label: string
  onClick?: () => void
  /** Renders a link that looks like an icon button. */
  to?: string
  size?: 16 | 20 | 22
  disabled?: boolean
  /** The id of the popover it toggles. */
  popover?: string
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
  popover,
  pressed,
  strong = false,
  className,
}: IconButtonProps) {
  const classes = cx(styles.button, strong && styles.strong, pressed && styles.on, className)
  const drawing = <Icon name={icon} size={size} />
  if (to !== undefined) {
    return (
      <Link to={to} className={classes} aria-label={label} title={label} onClick={onClick}>
        {drawing}
      </Link>
    )
  }
  return (
    <button
      type="button"
      className={classes}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      popoverTarget={popover}
      onClick={onClick}
    >
      {drawing}
    </button>
  )
}
