import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { Button } from '@/ui/button'
import { useShortcuts } from '@/ui/use-shortcuts'
import type { Deal } from '../../model/order-effect'
import { useOrderEntry } from '../../model/order-entry'
import { editTicket, type Side } from '../../model/ticket-store'
import type { OrderState } from '../../model/use-order-state'
import { useShortage } from '../../model/use-shortage'
import { useTradeRestrictions } from '../../model/use-trade-restrictions'
import { FailureNote } from '../positions/failure-note'
import { SheetFoot } from '../positions/sheet-foot'
import { ClosedText } from './closed-text'
import { ObstacleNote } from './obstacle-note'
import styles from './order-ticket.module.css'
import { ReviewSheet } from './review-sheet'
import { ShortageNote } from './shortage-note'
import { TicketCosts } from './ticket-costs'

export type TicketFootProps = {
  /** The ticket's element below the scrolling content; null before it is rendered. */
  place: HTMLElement | null
  product: Product
  state: OrderState
  /** The fill to expect at once, for which the account needs the margin. */
  deal?: Deal | undefined
  /** The fills to expect, for the line of costs; `deal` by default. */
  costs?: readonly Deal[]
  /** When a pending order expires. */
  expiry?: ReactNode
  /** The failure of the last order, unless a field shows it. */
  error: unknown
  variant: 'primary' | 'buy' | 'sell'
  /** The form is incomplete. */
  disabled: boolean
  busy: boolean
  /** An unanswered order is being retried. */
  checking: boolean
  /** The outcome of the last order is unknown, so that order is sent again. */
  again: boolean
  onSubmit: () => void
  onSide: (side: Side) => void
  /** The order, for a trader who reviews it before it is sent. */
  review: ReactNode
  /** The label of the button. */
  children: ReactNode
}

/** The ticket's footer, always visible: why no order can be sent, or the button that sends it. */
export function TicketFoot(props: TicketFootProps) {
  const costs = props.costs ?? (props.deal ? [props.deal] : [])
  const { place, product, state, deal, error, variant, disabled, busy, checking, again } = props
  const { t } = useTranslation()
  const { obstacle } = state
  // The note at the top of the ticket says why.
  const restricted = useTradeRestrictions().length > 0
  const fits = obstacle === null && !restricted && !busy && !again
  const shortage = useShortage(product, fits && !disabled ? deal : undefined)
  const off = obstacle !== null || shortage !== null || (!again && (disabled || restricted))
  const entry = useOrderEntry()
  const [reviewing, setReviewing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // A key only chooses; the button that has the focus then says the whole order.
  const choose = (side: Side) => {
    props.onSide(side)
    button.current?.focus()
  }
  useShortcuts({ b: () => choose('buy'), s: () => choose('sell') })
  const send = () => {
    setReviewing(false)
    props.onSubmit()
  }
  const label = () => {
    if (obstacle === 'closed' && !again) return <ClosedText until={state.until} />
    if (checking) return t('trade.checking')
    return again && !busy ? t('position.ask_again') : props.children
  }
  return (
    <SheetFoot place={place}>
      {shortage && <ShortageNote product={product} {...shortage} />}
      {error != null && !busy && !shortage && <FailureNote error={error} />}
      {obstacle !== 'closed' && <ObstacleNote state={state} />}
      {obstacle === null && !shortage && (
        <TicketCosts product={product} deals={costs} expiry={props.expiry} />
      )}
      {obstacle === 'closed' && deal && (
        <Button block onClick={() => editTicket({ kind: 'limit' })}>
          {t('margin.closed.wait')}
        </Button>
      )}
      <Button
        block
        size="large"
        variant={variant}
        ref={button}
        disabled={off}
        busy={busy}
        onClick={entry === 'review' && !again ? () => setReviewing(true) : send}
        className={styles.submit}
      >
        {label()}
      </Button>
      <ReviewSheet
        open={reviewing}
        variant={variant}
        off={off || busy}
        label={label()}
        onSend={send}
        onClose={() => setReviewing(false)}
      >
        {props.review}
      </ReviewSheet>
    </SheetFoot>
  )
}
