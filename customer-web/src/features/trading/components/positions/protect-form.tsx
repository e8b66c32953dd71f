import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure, type Wire } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice, truncatePrice } from '@/format/price'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useUpdatePosition } from '../../api/orders'
import { amountAt, type DraggedProtection, type ProtectionKind } from '../../model/protection'
import type { ProtectionInput } from '../../model/ticket-store'
import { isSameDistance } from '../../model/trailing'
import { useLivePosition } from '../../model/use-live-position'
import { RiskReward } from '../ticket/risk-reward'
import { UnitPicker } from '../ticket/unit-picker'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { PositionTitle } from './position-title'
import { ProtectField, type Protection } from './protect-field'
import { TrailField } from './trail-field'

export type ProtectFormProps = {
  position: Wire['Position']
  product: Product
  /** Initial prices that differ from the position's own, because a chart line was dragged. */
  dragged?: DraggedProtection | undefined
  onClose: () => void
}

type Kind = ProtectionKind | 'trailingStop'

const read = (productId: number) => quoteStore.get(productId)

const refusals: Record<Kind, string> = {
  stopLoss: 'order.stop_loss',
  takeProfit: 'order.take_profit',
  trailingStop: 'order.trail',
}

/**
 * Protection of a position: switch, price and amount for stop loss and take profit, a distance for the trailing
 * stop, and one save button.
 */
export function ProtectForm({ product, dragged, onClose, ...props }: ProtectFormProps) {
  const { t } = useTranslation()
  const { position, gone } = useLivePosition(props.position)
  const quote = useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const offline = useLive(({ socket }) => socket !== 'open')
  const [values, setValues] = useState<Record<ProtectionKind, Protection>>({
    stopLoss: startOf(dragged?.stopLoss ?? props.position.stopLoss, product.point),
    takeProfit: startOf(dragged?.takeProfit ?? props.position.takeProfit, product.point),
  })
  const [trail, setTrail] = useState<ProtectionInput>(
    startOf(props.position.trailingStop, product.point),
  )
  const [tried, setTried] = useState(false)
  const [checking, setChecking] = useState(false)
  const update = useUpdatePosition(() => setChecking(true))
  const unanswered = isOutcomeUnknown(update.error)
  const frozen = update.isPending || unanswered || gone
  const current = position.side === 'buy' ? quote?.bid : quote?.ask

  const { stopLoss, takeProfit } = values
  const guards: Record<Kind, ProtectionInput> = { stopLoss, takeProfit, trailingStop: trail }
  const unchanged = isSameDistance(completeNumeric(trail.price), position.trailingStop, product)
  const isMissing = ({ on, price }: ProtectionInput) => on && completeNumeric(price) === ''

  const problemOf = (kind: Kind): string | undefined => {
    if (tried && isMissing(guards[kind]))
      return t(kind === 'trailingStop' ? 'position.trail.missing' : 'position.protect.missing')
    if (update.error instanceof CallFailure && update.error.code === refusals[kind])
      return reasonOf(update.error).reason
    return undefined
  }
  const isAtField =
    update.error instanceof CallFailure && Object.values(refusals).includes(update.error.code ?? '')

  const send = async (body: Wire['UpdatePosition']) => {
    setChecking(false)
    try {
      await update.mutateAsync(body)
      toast.success(t('position.protect.done', { symbol: product.productNo }))
      onClose()
    } catch {
      // The failure stays visible in the sheet.
    }
  }

  const submit = () => {
    setTried(true)
    if (unanswered && update.variables) return void send(update.variables)
    if (Object.values(guards).some(isMissing)) return
    void send({
      positionId: position.positionId,
      ...(stopLoss.on ? { stopLoss: completeNumeric(stopLoss.price) } : {}),
      ...(takeProfit.on ? { takeProfit: completeNumeric(takeProfit.price) } : {}),
      ...(trail.on ? { trailingStop: completeNumeric(trail.price) } : {}),
    })
  }

  const amountOf = ({ on, price }: Protection) =>
    on ? amountAt(product, position, price, read) : null

  const field = (kind: ProtectionKind) => (
    <ProtectField
      kind={kind}
      product={product}
      position={position}
      quote={quote}
      current={current}
      value={values[kind]}
      problem={problemOf(kind)}
      disabled={frozen}
      onChange={(value) => {
        setValues({ ...values, [kind]: value })
        if (update.error) update.reset()
      }}
    />
  )

  const label = () => {
    if (update.isPending) return checking ? t('trade.checking') : t('position.protect.saving')
    return unanswered ? t('position.ask_again') : t('position.protect.save')
  }

  return (
    <Sheet
      open
      onClose={onClose}
      title={<PositionTitle position={position} product={product} act="protect" />}
      footer={
        <Button
          block
          size="large"
          variant="primary"
          busy={update.isPending}
          disabled={gone || offline}
          onClick={submit}
        >
          {label()}
        </Button>
      }
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!gone && !offline) submit()
        }}
      >
        <dl className={styles.rows}>
          <div>
            <dt>{t('trade.open_price')}</dt>
            <dd>
              <Num>{formatPrice(position.openPrice, product.point)}</Num>
            </dd>
          </div>
          <div>
            <dt>{t(position.side === 'buy' ? 'receipt.quote.bid' : 'receipt.quote.ask')}</dt>
            <dd>
              <Num>{formatPrice(current, product.point)}</Num>
            </dd>
          </div>
        </dl>
        {field('stopLoss')}
        {field('takeProfit')}
        {(stopLoss.on || takeProfit.on) && (
          <UnitPicker product={product} units={['price', 'distance', 'percent']} />
        )}
        <RiskReward loss={amountOf(stopLoss)} gain={amountOf(takeProfit)} />
        <TrailField
          product={product}
          side={position.side}
          current={current}
          value={trail}
          level={unchanged ? position.trailingLevel : undefined}
          problem={problemOf('trailingStop')}
          disabled={frozen}
          onChange={(value) => {
            setTrail(value)
            if (update.error) update.reset()
          }}
        />
        {position.trailingStop !== undefined && trail.on && !unchanged && (
          <p className={styles.note}>{t('position.trail.anew')}</p>
        )}
        {update.error && !update.isPending && !isAtField && <FailureNote error={update.error} />}
        {gone && <p className={styles.note}>{t('position.gone')}</p>}
        {offline && <p className={styles.note}>{t('trade.obstacle.offline')}</p>}
        {/* The button is below the sheet's content; this one lets Enter save. */}
        <input type="submit" hidden />
      </form>
    </Sheet>
  )
}

function startOf(price: string | undefined, point: number): Protection {
  return { on: price !== undefined, price: truncatePrice(price, point), amount: null }
}
