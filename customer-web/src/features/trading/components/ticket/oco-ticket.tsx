import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { usePreferences } from '@/theme/preferences'
import { SelectField } from '@/ui/form/select-field'
import { toast } from '@/ui/toast/toast-store'
import { useInsertOcoOrders } from '../../api/pending-order-writes'
import { isVolume } from '../../model/lots'
import { editPair, PAIRS, type Pair, shapesOf, startPair, usePairDraft } from '../../model/oco'
import {
  expectedFillPrice,
  isIncomplete,
  type PendingOrderShape,
  toRequestBody,
} from '../../model/pending-order'
import { editTicket, setLots, useTicket } from '../../model/ticket-store'
import { usePendingOrderProblems } from '../../model/use-pending-order-problems'
import { usePendingOrderState } from '../../model/use-pending-order-state'
import { ExpiryText } from '../pending/expiry-text'
import { ExpiryField } from './expiry-field'
import { LegFields } from './leg-fields'
import { LeverageField } from './leverage-field'
import { OcoSummary } from './oco-summary'
import { OrderReview } from './order-review'
import styles from './order-ticket.module.css'
import { QuoteLine } from './quote-line'
import { SidePicker } from './side-picker'
import { TicketFoot } from './ticket-foot'
import { VolumeField } from './volume-field'

export type OcoTicketProps = {
  product: Product
  foot: HTMLElement | null
  onPlaced?: (() => void) | undefined
}

/** The ticket of an OCO pair. */
export function OcoTicket({ product, foot, onPlaced }: OcoTicketProps) {
  const { t } = useTranslation()
  const { side, lots, leverage } = useTicket()
  const { both, inputs } = usePairDraft()
  const pair: Pair = both ?? side
  const state = usePendingOrderState(product)
  const { quote } = state
  const zone = usePreferences(({ timeZone }) => timeZone)
  const [checking, setChecking] = useState(false)
  const write = useInsertOcoOrders(() => setChecking(true))
  const unanswered = isOutcomeUnknown(write.error) ? write.variables : undefined
  const [first, second] = shapesOf(pair)
  const checks = [
    usePendingOrderProblems(product, first, inputs[0], quote, null),
    usePendingOrderProblems(product, second, inputs[1], quote, null),
  ] as const
  useStart(product, pair)

  const legs = [
    { shape: first, input: inputs[0], index: 0 },
    { shape: second, input: inputs[1], index: 1 },
  ] as const
  const unfit =
    !isVolume(product, completeNumeric(lots)) ||
    checks.some(({ wrong }) => wrong) ||
    legs.some((leg) => isIncomplete(leg.input, leg.shape.kind))

  const pick = (picked: Pair) => {
    if (picked === 'stops' || picked === 'limits') usePairDraft.setState({ both: picked })
    else {
      editTicket({ side: picked })
      usePairDraft.setState({ both: null })
    }
  }

  const submit = () => {
    setChecking(false)
    const shared = { productId: product.productId, lots: completeNumeric(lots), leverage }
    const orders = legs.map(({ shape, input }) => ({
      ...{ ...shared, type: shape.kind, side: shape.side },
      ...toRequestBody(input, shape.kind, zone),
    }))
    write.mutate(unanswered ?? { orders }, {
      onSuccess: () => {
        const what = {
          lots: formatLots(product, shared.lots),
          symbol: product.productNo,
          first: t(`trade.waiting.${first.side}_${first.kind}`),
          second: t(`trade.waiting.${second.side}_${second.kind}`),
        }
        toast.success(t('waiting.oco.placed', what))
        onPlaced?.()
      },
      onSettled: () => setChecking(false),
    })
  }

  const submitText = ({ side: on, kind }: PendingOrderShape, price: string) =>
    t(`waiting.submit.${on}_${kind}`, {
      lots: lots ? formatLots(product, lots) : '–',
      price: formatPrice(price, product.point),
    })

  const change = (index: 0 | 1, input: Parameters<typeof editPair>[1]) => {
    if (write.error && !unanswered) write.reset()
    editPair(index, input)
  }

  const { expiresAt } = toRequestBody(inputs[0], first.kind, zone)
  const summary = (
    <OcoSummary product={product} order={{ lots, leverage }} legs={legs} quote={quote} />
  )

  return (
    <>
      <SidePicker
        product={product}
        quote={quote}
        {...(both ? {} : { side })}
        off={false}
        onPick={pick}
      />
      <div className={styles.line}>
        <QuoteLine quote={quote} age={state.age} />
      </div>
      <SelectField
        label={t('waiting.oco.pair')}
        className={styles.expiry}
        value={pair}
        options={PAIRS.map((value) => ({ value, text: t(`waiting.oco.pair.${value}`) }))}
        onPick={pick}
      />
      <VolumeField
        product={product}
        lots={lots}
        deals={legs.map(({ shape, input }) => ({
          ...{ side: shape.side, leverage },
          price: expectedFillPrice(input, shape.kind),
        }))}
        onChange={setLots}
      />
      <LeverageField product={product} />
      {legs.map(({ shape, input, index }) => (
        <fieldset key={index} className={styles.leg}>
          <legend className={styles.strong}>
            {t(`trade.waiting.${shape.side}_${shape.kind}`)}
          </legend>
          <LegFields
            {...{ product, shape, lots, input, quote }}
            problems={checks[index].problems}
            onChange={(next) => change(index, next)}
          />
        </fieldset>
      ))}
      <ExpiryField
        input={inputs[0]}
        problem={checks[0].problems.expiresAt}
        onChange={(next) => change(0, next)}
      />
      {summary}
      <p className={styles.footnote}>{t('waiting.oco.footnote')}</p>
      <TicketFoot
        place={foot}
        product={product}
        state={state}
        costs={legs.map(({ shape, input }) => ({
          ...{ side: shape.side, lots, leverage },
          price: expectedFillPrice(input, shape.kind),
        }))}
        expiry={<ExpiryText order={{ timeInForce: inputs[0].force, expiresAt }} />}
        error={write.error}
        variant={both ? 'primary' : side}
        disabled={unfit}
        busy={write.isPending}
        checking={checking}
        again={unanswered !== undefined}
        onSubmit={submit}
        onSide={pick}
        review={
          <OrderReview
            product={product}
            leverage={leverage}
            orders={legs.map(({ shape, input }) => ({
              ...input,
              ...{ force: inputs[0].force, expiresAt },
              text: submitText(shape, input.price),
            }))}
          >
            {summary}
          </OrderReview>
        }
      >
        {t('waiting.oco.submit', {
          first: submitText(first, inputs[0].price),
          second: submitText(second, inputs[1].price),
        })}
      </TicketFoot>
    </>
  )
}

/** Suggests prices near the market when product or pair change. */
function useStart(product: Product, pair: Pair): void {
  const known = usePairDraft(({ start }) => start)
  const quote = useQuote(product.productId)
  const start = `${product.productId} ${pair}`
  useEffect(() => {
    if (quote && known !== start) startPair(start, product, pair, quote)
  }, [known, start, quote, product, pair])
}
