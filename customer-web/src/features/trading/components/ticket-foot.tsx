import type { ReactNode } from 'react'
import { Button } from '@/ui/button'
import type { OrderState } from '../model/use-order-state'
import { FailureNote } from './failure-note'
import { ObstacleNote } from './obstacle-note'
import styles from './order-ticket.module.css'
import { SheetFoot } from './sheet-foot'

export type TicketFootProps = {
  /** The ticket's own place below what scrolls; null before it is drawn. */
  place: HTMLElement | null
  state: OrderState
  /** What came of the last order, unless a field says it. */
  error: unknown
  variant: 'primary' | 'buy' | 'sell'
  /** The form is not filled in. */
  disabled: boolean
  busy: boolean
  onSubmit: () => void
  /** What the button says. */
  children: ReactNode
}

/** The end of a ticket, in sight however long the form above it is: why nothing can be sent, or the one button that sends. */
export function TicketFoot({ place, state, error, onSubmit, children, ...props }: TicketFootProps) {
  const { variant, disabled, busy } = props
  return (
    <SheetFoot place={place}>
      {error != null && !busy && <FailureNote error={error} />}
      <ObstacleNote state={state} />
      <Button
        block
        size="large"
        variant={variant}
        disabled={state.obstacle !== null || disabled}
        busy={busy}
        onClick={onSubmit}
        className={styles.submit}
      >
        {children}
      </Button>
    </SheetFoot>
  )
}
