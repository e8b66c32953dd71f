import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { usePreferences } from '@/theme/preferences'
import { toast } from '@/ui/toast/toast-store'
import { useInsertPendingOrder } from '../../api/pending-order-writes'
import { isVolume } from '../../model/lots'
import {
  expectedFillPrice,
  isIncomplete,
  type PendingOrderKind,
  suggestPrices,
  toRequestBody,
} from '../../model/pending-order'
import { editDraft, startDraft, usePendingOrderDraft } from '../../model/pending-order-store'
import { editTicket, type Side, setLots, useTicket } from '../../model/ticket-store'
import { usePendingOrderProblems } from '../../model/use-pending-order-problems'
import { usePendingOrderState } from '../../model/use-pending-order-state'
import { ExpiryText } from '../pending/expiry-text'
import { ExpiryField } from './expiry-field'
import { LegFields } from './leg-fields'
import { LeverageField } from './leverage-field'
import { OrderReview } from './order-review'
import styles from './order-ticket.module.css'
import { PendingOrderSummary } from './pending-order-summary'
import { QuoteLine } from './quote-line'
import { SidePicker } from './side-picker'
import { TicketFoot } from './ticket-foot'
import { VolumeField } from './volume-field'

export type PendingOrderTicketProps = {
  product: Product
  foot: HTMLElement | null
  kind: PendingOrderKind
  onPlaced?: (() => void) | undefined
}

/** The ticket of a pending order. */
export function PendingOrderTicket({ product, foot, kind, onPlaced }: PendingOrderTicketProps) {
  const { t } = useTranslation()
  const { side, lots, leverage } = useTicket()
  const draft = usePendingOrderDraft()
  const state = usePendingOrderState(product)
  const { quote } = state
  const zone = usePreferences(({ timeZone }) => timeZone)
  const [checking, setChecking] = useState(false)
  const order = useInsertPendingOrder(() => setChecking(true))
  const shape = { side, kind, armed: false }
  const { problems, wrong, atField } = usePendingOrderProblems(
    product,
    shape,
    draft,
    quote,
    order.error,
  )
  useStart(product, kind)

  const fits = isVolume(product, completeNumeric(lots))
  const entry = expectedFillPrice(draft, kind)
  const { expiresAt } = toRequestBody(draft, kind, zone)
  const unanswered = isOutcomeUnknown(order.error) ? order.variables : undefined

  const submit = () => {
    setChecking(false)
    const body = toRequestBody(draft, kind, zone)
    order.mutate(
      unanswered ?? {
        ...{ productId: product.productId, type: kind, side, lots: completeNumeric(lots) },
        leverage,
        ...body,
      },
      {
        onSuccess: ({ order: placed }) => {
          const what = {
            name: t(`trade.waiting.${placed.side}_${placed.type}`),
            lots: formatLots(product, placed.lots),
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

  const change = (input: Parameters<typeof editDraft>[0]) => {
    if (order.error && !unanswered) order.reset()
    editDraft(input)
  }

  const pick = (picked: Side) => editTicket({ side: picked })
  const text = t(`waiting.submit.${side}_${kind}`, {
    lots: lots ? formatLots(product, lots) : '–',
    price: formatPrice(draft.price, product.point),
  })
  const summary = (
    <PendingOrderSummary
      product={product}
      order={{ side, lots, leverage }}
      price={draft.price}
      entry={entry}
      quote={quote}
    />
  )

  return (
    <>
      <SidePicker product={product} quote={quote} side={side} off={false} onPick={pick} />
      <div className={styles.line}>
        <QuoteLine quote={quote} age={state.age} />
      </div>
      <VolumeField
        product={product}
        lots={lots}
        deals={[{ side, leverage, price: entry }]}
        onChange={setLots}
      />
      <LeverageField product={product} />
      <LegFields {...{ product, shape, lots, input: draft, problems, quote }} onChange={change} />
      <ExpiryField input={draft} problem={problems.expiresAt} onChange={change} />
      {summary}
      <p className={styles.footnote}>{t('waiting.footnote')}</p>
      <TicketFoot
        place={foot}
        product={product}
        state={state}
        costs={[{ side, lots, leverage, price: entry }]}
        expiry={<ExpiryText order={{ timeInForce: draft.force, expiresAt }} />}
        error={atField ? null : order.error}
        variant={side}
        disabled={wrong || !fits || isIncomplete(draft, kind)}
        busy={order.isPending}
        checking={checking}
        again={unanswered !== undefined}
        onSubmit={submit}
        onSide={pick}
        review={
          <OrderReview
            product={product}
            leverage={leverage}
            orders={[{ ...draft, text, expiresAt }]}
          >
            {summary}
          </OrderReview>
        }
      >
        {text}
      </TicketFoot>
    </>
  )
}

/** Suggests prices near the market when product, kind or side change. */
function useStart(product: Product, kind: PendingOrderKind): void {
  const side = useTicket((ticket) => ticket.side)
  const known = usePendingOrderDraft(({ start }) => start)
  const quote = useQuote(product.productId)
  const start = `${product.productId} ${kind} ${side}`
  useEffect(() => {
    if (quote && known !== start)
      startDraft(start, suggestPrices(product, { side, kind, armed: false }, quote))
  }, [known, start, quote, product, side, kind])
}
