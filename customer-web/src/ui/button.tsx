import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'
import { cx } from './cx'

export type ButtonProps = {
  children: ReactNode
  /**
   * `primary` is the main action, one per view; `plain` has an edge; `quiet` a background; `text` neither; `buy`
   * and `sell` have the price colours and always a label; `danger` is destructive.
   */
  variant?: 'primary' | 'plain' | 'quiet' | 'text' | 'buy' | 'sell' | 'danger'
  size?: 'small' | 'medium' | 'large'
  /** As wide as its container. */
  block?: boolean
  disabled?: boolean
  /** Was pressed and waits for the answer: shows a spinner and ignores further presses. */
  busy?: boolean
  /** Renders a link that looks like a button. */
  to?: string
  type?: 'button' | 'submit'
  onClick?: () => void
  className?: string | undefined
  'aria-label'?: string
  'aria-expanded'?: boolean
  'aria-describedby'?: string
}

export function Button({
  children,
  variant = 'plain',
  size = 'medium',
  block = false,
  disabled = false,
  busy = false,
  to,
  type = 'button',
  onClick,
  className,
  ...aria
}: ButtonProps) {
  const classes = cx(styles.button, styles[variant], styles[size], block && styles.block, className)
  if (to !== undefined && !disabled) {
    return (
      <Link to={to} className={classes} onClick={onClick} {...aria}>
        {children}
      </Link>
    )
  }
  return (
    <button
      type={type}
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onClick={onClick}
      {...aria}
    >
      {busy && <span className={styles.spinner} aria-hidden />}
      {children}
    </button>
  )
}
