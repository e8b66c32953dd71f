import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { LazyRestrictionNote } from '@/features/restriction/components/restrictions'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice, truncatePrice } from '@/format/price'
import { setFocus } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { useLeverageCaps } from '@/session/info-query'
import { toast } from '@/ui/toast/toast-store'
import { useInsertOrder } from '../../api/orders'
import { estimateProfit } from '../../model/estimate'
import { suggestPrice } from '../../model/lots'
import {
  editTicket,
  openTicket,
  resetProtection,
  type Side,
  useTicket,
} from '../../model/ticket-store'
import { useOrderState } from '../../model/use-order-state'
import { useTradeRestrictions } from '../../model/use-trade-restrictions'
import { CloseOnlyTicket } from './close-only-ticket'
import { KindPicker } from './kind-picker'
import { LeverageField } from './leverage-field'
import { OcoTicket } from './oco-ticket'
import styles from './order-ticket.module.css'
import { PendingOrderTicket } from './pending-order-ticket'
import { ProtectionField } from './protection-field'
import { QuoteLine } from './quote-line'
import { RiskReward } from './risk-reward'
import { SidePicker } from './side-picker'
import { TicketFoot } from './ticket-foot'
import { TicketSummary } from './ticket-summary'
import { UnitPicker } from './unit-picker'
import { VolumeField } from './volume-field'

export type OrderTicketProps = {
  product: Product
  /** The element below the scrolling content that receives the button; null before it is rendered. */
  foot: HTMLElement | null
  /** Closes the phone's sheet after a fill. */
  onFilled?: () => void
}

const CODES = { stopLoss: 'order.stop_loss', takeProfit: 'order.take_profit' }

const read = (productId: number) => quoteStore.get(productId)

/** The order ticket: the order kind and its fields. */
export function OrderTicket(props: OrderTicketProps) {
  const { product, foot } = props
  const kind = useTicket((ticket) => ticket.kind)
  const caps = useLeverageCaps()
  const restrictions = useTradeRestrictions()
  useEffect(() => openTicket(product, caps), [product, caps])
  useEffect(() => {
    setFocus(product.productId)
    return () => setFocus(0)
  }, [product])
  if (product.mode === 'close_only') return <CloseOnlyTicket product={product} />
  return (
    <div className={styles.ticket}>
      {restrictions.map((one) => (
        <LazyRestrictionNote key={one.kind} restriction={one} />
      ))}
      <KindPicker kind={kind} onPick={(picked) => editTicket({ kind: picked })} />
      {kind === 'market' && <MarketTicket {...props} />}
      {kind === 'oco' && <OcoTicket product={product} foot={foot} onPlaced={props.onFilled} />}
      {kind !== 'market' && kind !== 'oco' && (
        <PendingOrderTicket product={product} foot={foot} kind={kind} onPlaced={props.onFilled} />
      )}
    </div>
  )
}

/** A market order: side, volume, leverage, protection, costs, and one button that states all of it. */
function MarketTicket({ product, foot, onFilled }: OrderTicketProps) {
  const { t } = useTranslation()
  const ticket = useTicket()
  const state = useOrderState(product)
  useQuote(product.conversion.productId || product.productId)
  useQuote(product.marginConversion.productId || product.productId)
  const [checking, setChecking] = useState(false)
  const order = useInsertOrder(() => setChecking(true))

  const { quote } = state
  const { side, lots, leverage } = ticket
  const price = side === 'buy' ? quote?.ask : quote?.bid
  const close = side === 'buy' ? quote?.bid : quote?.ask
  const gain = (kind: 'stopLoss' | 'takeProfit') => {
    const { on, price: at } = ticket[kind]
    return on && price && at
      ? estimateProfit(product, { side, lots, open: price, close: at }, read)
      : null
  }
  const failure = order.error instanceof CallFailure ? order.error : null
  const refused = (['stopLoss', 'takeProfit'] as const).find((one) => failure?.code === CODES[one])
  const word = t(side === 'buy' ? 'trade.buy' : 'trade.sell')

  // While the outcome of the last order is unknown, pressing repeats the same order, which can't be filled twice.
  const unanswered = isOutcomeUnknown(order.error) ? order.variables : undefined

  const submit = () => {
    if (!price) return
    setChecking(false)
    order.mutate(
      unanswered ?? {
        productId: product.productId,
        side,
        lots: completeNumeric(ticket.lots),
        leverage: ticket.leverage,
        price: truncatePrice(price, product.point),
        ...(ticket.stopLoss.on ? { stopLoss: completeNumeric(ticket.stopLoss.price) } : {}),
        ...(ticket.takeProfit.on ? { takeProfit: completeNumeric(ticket.takeProfit.price) } : {}),
      },
      {
        onSuccess: ({ fill }) => {
          resetProtection()
          if (!fill) return
          const what = {
            side: word,
            lots: formatLots(product, fill.lots),
            symbol: product.productNo,
            price: formatPrice(fill.price, product.point),
          }
          toast.success(t('trade.filled', what), {
            action: { label: t('trade.proof'), onPress: () => openReceipt(fill.fillId) },
          })
          onFilled?.()
        },
        onSettled: () => setChecking(false),
      },
    )
  }

  const protectionField = (kind: 'stopLoss' | 'takeProfit') => (
    <ProtectionField
      kind={kind}
      product={product}
      value={ticket[kind]}
      order={price ? { side, lots, open: price } : null}
      amount={gain(kind)}
      suggestion={
        close ? suggestPrice(product, close, (kind === 'takeProfit') === (side === 'buy')) : ''
      }
      error={refused === kind ? reasonOf(failure).reason : undefined}
      onChange={(value) => editTicket({ [kind]: value })}
    />
  )

  return (
    <div className={styles.ticket}>
      <SidePicker
        product={product}
        quote={quote}
        side={side}
        off={state.obstacle !== null && state.obstacle !== 'guest'}
        onPick={(picked: Side) => editTicket({ side: picked })}
      />
      <div className={styles.line}>
        <QuoteLine quote={quote} age={state.age} />
        <span className={styles.caption}>
          {t(side === 'buy' ? 'trade.fills_ask' : 'trade.fills_bid')}
        </span>
      </div>
      <VolumeField
        product={product}
        lots={ticket.lots}
        deals={[{ side, leverage: ticket.leverage, price: price ?? '' }]}
        onChange={(lots) => editTicket({ lots })}
      />
      <LeverageField
        product={product}
        leverage={ticket.leverage}
        onChange={(leverage) => editTicket({ leverage })}
      />
      <div className={styles.guards}>
        {protectionField('stopLoss')}
        {protectionField('takeProfit')}
        {(ticket.stopLoss.on || ticket.takeProfit.on) && <UnitPicker product={product} />}
        <RiskReward loss={gain('stopLoss')} gain={gain('takeProfit')} />
      </div>
      <TicketSummary product={product} ticket={ticket} price={price} quote={quote} />
      <p className={styles.footnote}>{t('trade.footnote')}</p>
      <TicketFoot
        place={foot}
        product={product}
        state={state}
        deal={{ side, lots, leverage, price: price ?? '' }}
        error={refused ? null : order.error}
        variant={side}
        disabled={lots === ''}
        busy={order.isPending}
        checking={checking}
        again={unanswered !== undefined}
        onSubmit={submit}
      >
        {t('trade.submit', {
          side: word,
          lots: lots ? formatLots(product, lots) : '–',
          price: price ? formatPrice(price, product.point) : '–',
        })}
      </TicketFoot>
    </div>
  )
}
