import MuiButton, { type ButtonProps as MuiButtonProps } from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router'

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
  /** The id of the form it submits, if it is outside of it. */
  form?: string
  onClick?: () => void
  /** Not for a link. */
  ref?: Ref<HTMLButtonElement>
  className?: string | undefined
  'aria-label'?: string
  'aria-expanded'?: boolean
  'aria-describedby'?: string
}

const looks = {
  primary: { variant: 'contained', color: 'primary' },
  plain: { variant: 'outlined', color: 'inherit' },
  quiet: { variant: 'quiet', color: 'inherit' },
  text: { variant: 'text', color: 'primary' },
  buy: { variant: 'contained', color: 'up' },
  sell: { variant: 'contained', color: 'down' },
  danger: { variant: 'contained', color: 'error' },
} as const satisfies Record<string, Pick<MuiButtonProps, 'variant' | 'color'>>

export function Button({
  variant = 'plain',
  size = 'medium',
  block = false,
  disabled = false,
  busy = false,
  to,
  type = 'button',
  className,
  ref,
  ...rest
}: ButtonProps) {
  const shared = { ...looks[variant], size, fullWidth: block, className: className ?? '', ...rest }
  if (to !== undefined && !disabled) return <MuiButton component={Link} to={to} {...shared} />
  return (
    <MuiButton
      ref={ref}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      startIcon={busy && <CircularProgress color="inherit" size={14} aria-hidden />}
      {...shared}
    />
  )
}
