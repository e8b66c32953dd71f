import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { LazyRestrictionNote } from '@/features/restriction/components/restrictions'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { setFocus } from '@/live/live'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { estimateProfit } from '../../model/estimate'
import { isVolume, suggestPrice } from '../../model/lots'
import { useOrderEntry } from '../../model/order-entry'
import { type ProtectionKind, protectionLimit } from '../../model/protection'
import { editTicket, type Side, setLots, useTicket } from '../../model/ticket-store'
import { useMarketOrder } from '../../model/use-market-order'
import { useOrderState } from '../../model/use-order-state'
import { useTicketOf } from '../../model/use-ticket-of'
import { useTradeRestrictions } from '../../model/use-trade-restrictions'
import { CloseOnlyTicket } from './close-only-ticket'
import { KindPicker } from './kind-picker'
import { LeverageField } from './leverage-field'
import { OcoTicket } from './oco-ticket'
import { OneClickTicket } from './one-click-ticket'
import { OrderReview } from './order-review'
import { OrderSettingsButton } from './order-settings-button'
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

/** The order ticket: the order kind and its fields. */
export function OrderTicket(props: OrderTicketProps) {
  const { product, foot } = props
  const kind = useTicket((ticket) => ticket.kind)
  const restrictions = useTradeRestrictions()
  const oneClick = useOrderEntry() === 'one-click'
  useTicketOf(product)
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
      <div className={styles.kinds}>
        <KindPicker kind={kind} onPick={(picked) => editTicket({ kind: picked })} />
        <OrderSettingsButton product={product} />
      </div>
      {kind === 'market' && oneClick && <OneClickTicket product={product} foot={foot} />}
      {kind === 'market' && !oneClick && <MarketTicket {...props} />}
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
  const order = useMarketOrder(product, onFilled)

  const { quote } = state
  const { side, lots, leverage } = ticket
  const price = side === 'buy' ? quote?.ask : quote?.bid
  const close = side === 'buy' ? quote?.bid : quote?.ask
  const fits = isVolume(product, completeNumeric(lots))
  const gain = (kind: 'stopLoss' | 'takeProfit') => {
    const { on, price: at } = ticket[kind]
    return on && price && at && fits
      ? estimateProfit(product, { side, lots, open: price, close: at }, readQuote)
      : null
  }
  const guarded = ['stopLoss', 'takeProfit'] as const
  const isWrong = (kind: ProtectionKind) => {
    const { on, price: at } = ticket[kind]
    return on && protectionLimit(product, side, kind, completeNumeric(at), quote)?.broken === true
  }
  const failure = order.error instanceof CallFailure ? order.error : null
  const refused = guarded.find((one) => failure?.code === CODES[one])
  const word = t(side === 'buy' ? 'trade.buy' : 'trade.sell')

  const send = () => {
    if (!price) return
    order.send({
      ...{ side, lots, leverage, price },
      ...(ticket.stopLoss.on ? { stopLoss: completeNumeric(ticket.stopLoss.price) } : {}),
      ...(ticket.takeProfit.on ? { takeProfit: completeNumeric(ticket.takeProfit.price) } : {}),
    })
  }
  const pick = (picked: Side) => editTicket({ side: picked })
  const text = t('trade.submit', {
    side: word,
    lots: lots ? formatLots(product, lots) : '–',
    price: price ? formatPrice(price, product.point) : '–',
  })
  const summary = <TicketSummary product={product} ticket={ticket} price={price} quote={quote} />

  const protectionField = (kind: 'stopLoss' | 'takeProfit') => (
    <ProtectionField
      kind={kind}
      product={product}
      side={side}
      quote={quote}
      value={ticket[kind]}
      order={price ? { side, lots, open: price } : null}
      amount={gain(kind)}
      suggestion={
        close ? suggestPrice(product, close, (kind === 'takeProfit') === (side === 'buy')) : ''
      }
      error={refused === kind ? reasonOf(failure).reason : undefined}
      onChange={(value) => {
        order.forget()
        editTicket({ [kind]: value })
      }}
    />
  )

  return (
    <div className={styles.ticket}>
      <SidePicker
        product={product}
        quote={quote}
        side={side}
        off={state.obstacle !== null && state.obstacle !== 'guest'}
        onPick={pick}
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
        onChange={setLots}
      />
      <LeverageField product={product} />
      <div className={styles.guards}>
        {protectionField('stopLoss')}
        {protectionField('takeProfit')}
        {(ticket.stopLoss.on || ticket.takeProfit.on) && <UnitPicker product={product} />}
        <RiskReward loss={gain('stopLoss')} gain={gain('takeProfit')} />
      </div>
      {summary}
      <p className={styles.footnote}>{t('trade.footnote')}</p>
      <TicketFoot
        place={foot}
        product={product}
        state={state}
        deal={{ side, lots, leverage, price: price ?? '' }}
        error={refused ? null : order.error}
        variant={side}
        disabled={!fits || guarded.some(isWrong)}
        busy={order.busy}
        checking={order.checking}
        again={order.askAgain !== null}
        onSubmit={order.askAgain ?? send}
        onSide={pick}
        review={
          <OrderReview
            product={product}
            leverage={leverage}
            orders={[{ text, stopLoss: ticket.stopLoss, takeProfit: ticket.takeProfit }]}
          >
            {summary}
          </OrderReview>
        }
      >
        {text}
      </TicketFoot>
    </div>
  )
}
