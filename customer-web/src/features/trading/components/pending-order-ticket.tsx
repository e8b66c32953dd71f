import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnanswered } from '@/api/keyed-write'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { usePreferences } from '@/theme/preferences'
import { toast } from '@/ui/toast/toast-store'
import { useInsertPendingOrder } from '../api/waiting-writes'
import { editTicket, useTicket } from '../model/ticket-store'
import { useWaitingProblems } from '../model/use-waiting-problems'
import { useWaitingState } from '../model/use-waiting-state'
import { bodyOf, entryOf, isIncomplete, suggestTerms, type WaitingKind } from '../model/waiting'
import { editDraft, startDraft, useWaitingDraft } from '../model/waiting-store'
import { TicketFoot } from './lazy-outlook'
import { LeverageField } from './leverage-field'
import styles from './order-ticket.module.css'
import { QuoteLine } from './quote-line'
import { SidePicker } from './side-picker'
import { VolumeField } from './volume-field'
import { WaitingFields } from './waiting-fields'
import { WaitingSummary } from './waiting-summary'

export type WaitingTicketProps = {
  product: Product
  foot: HTMLElement | null
  kind: WaitingKind
  onPlaced?: (() => void) | undefined
}

/** The ticket of an order that waits for its price. */
export function WaitingTicket({ product, foot, kind, onPlaced }: WaitingTicketProps) {
  const { t } = useTranslation()
  const { side, lots, leverage } = useTicket()
  const draft = useWaitingDraft()
  const state = useWaitingState(product)
  const { quote } = state
  const zone = usePreferences(({ timeZone }) => timeZone)
  const [checking, setChecking] = useState(false)
  const order = useInsertPendingOrder(() => setChecking(true))
  const frame = { side, kind, armed: false }
  const { problems, wrong, atField } = useWaitingProblems(product, frame, draft, quote, order.error)
  useStart(product, kind)

  const entry = entryOf(draft, kind)
  const unanswered = isUnanswered(order.error) ? order.variables : undefined

  const submit = () => {
    setChecking(false)
    const terms = bodyOf(draft, kind, zone)
    order.mutate(
      unanswered ?? {
        ...{ productId: product.productId, type: kind, side, lots: completeNumeric(lots) },
        leverage,
        ...terms,
      },
      {
        onSuccess: ({ order: placed }) => {
          const what = {
            name: t(`trade.waiting.${placed.side}_${placed.type}`),
            lots: formatAmount(placed.lots),
            symbol: product.productNo,
            price: formatPrice(placed.price, product.point),
          }
          toast.success(t('waiting.placed', what))
          onPlaced?.()
        },
        onSettled: () => setChecking(false),
      },
    )
  }

  const change = (terms: Parameters<typeof editDraft>[0]) => {
    if (order.error && !unanswered) order.reset()
    editDraft(terms)
  }

  return (
    <>
      <SidePicker
        product={product}
        quote={quote}
        side={side}
        off={false}
        onPick={(picked) => editTicket({ side: picked })}
      />
      <div className={styles.line}>
        <QuoteLine quote={quote} age={state.age} />
      </div>
      <VolumeField
        product={product}
        lots={lots}
        deals={[{ side, leverage, price: entry }]}
        onChange={(next) => editTicket({ lots: next })}
      />
      <LeverageField
        product={product}
        leverage={leverage}
        onChange={(next) => editTicket({ leverage: next })}
      />
      <WaitingFields {...{ product, frame, lots, terms: draft, problems }} onChange={change} />
      <WaitingSummary
        product={product}
        order={{ side, lots, leverage }}
        price={draft.price}
        entry={entry}
        quote={quote}
      />
      <p className={styles.footnote}>{t('waiting.footnote')}</p>
      <TicketFoot
        place={foot}
        product={product}
        state={state}
        error={atField ? null : order.error}
        variant={side}
        disabled={wrong || lots === '' || isIncomplete(draft, kind)}
        busy={order.isPending}
        checking={checking}
        again={unanswered !== undefined}
        onSubmit={submit}
      >
        {t(`waiting.submit.${side}_${kind}`, { price: formatPrice(draft.price, product.point) })}
      </TicketFoot>
    </>
  )
}

/** Fills in prices near the market when product, kind or side is another one. */
function useStart(product: Product, kind: WaitingKind): void {
  const side = useTicket((ticket) => ticket.side)
  const known = useWaitingDraft(({ start }) => start)
  const quote = useQuote(product.productId)
  const start = `${product.productId} ${kind} ${side}`
  useEffect(() => {
    if (quote && known !== start)
      startDraft(start, suggestTerms(product, { side, kind, armed: false }, quote))
  }, [known, start, quote, product, side, kind])
}
