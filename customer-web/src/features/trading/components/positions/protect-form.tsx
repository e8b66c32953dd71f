import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { useDistanceText } from '@/features/market/model/pips'
import { formatPrice, truncatePrice } from '@/format/price'
import { useLive } from '@/live/live'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { FormField } from '@/ui/form/form-field'
import { toFailure } from '@/ui/form/problems'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useUpdatePosition } from '../../api/orders'
import { type Protection, protectSchema } from '../../model/protect-schema'
import { amountAt, type DraggedProtection } from '../../model/protection'
import type { ProtectionInput } from '../../model/ticket-store'
import { limitTexts } from '../../model/trailing'
import { useIsGone, useLivePosition } from '../../model/use-live-position'
import { useRefusal } from '../../model/use-refusal'
import { RiskReward } from '../ticket/risk-reward'
import { UnitPicker } from '../ticket/unit-picker'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { PositionTitle } from './position-title'
import { ProtectField } from './protect-field'
import { TrailField } from './trail-field'

export type ProtectFormProps = {
  position: Wire['Position']
  product: Product
  /** Initial prices that differ from the position's own, because a chart line was dragged. */
  dragged?: DraggedProtection | undefined
  onClose: () => void
}

/** The fields of refusals that are about one. */
const fieldOf = {
  'order.stop_loss': 'stopLoss',
  'order.take_profit': 'takeProfit',
  'order.trail': 'trailingStop',
} as const

/**
 * Protection of a position: switch, price and amount for stop loss and take profit, a distance for the trailing
 * stop, and one save button. Its parts follow the quotes by themselves.
 */
export function ProtectForm({ position, product, dragged, onClose }: ProtectFormProps) {
  const { t } = useTranslation()
  const gone = useIsGone(position.positionId)
  const offline = useLive(({ socket }) => socket !== 'open')
  const form = useSchemaForm(protectSchema, {
    stopLoss: startOf(dragged?.stopLoss ?? position.stopLoss, product.point),
    takeProfit: startOf(dragged?.takeProfit ?? position.takeProfit, product.point),
    trailingStop: inputOf(position.trailingStop, product.point),
  })
  const [checking, setChecking] = useState(false)
  const update = useUpdatePosition(() => setChecking(true))
  const unanswered = isOutcomeUnknown(update.error) ? update.variables : undefined
  const disabled = update.isPending || unanswered !== undefined || gone
  const distance = useDistanceText(product)
  const { code, args: given = {} } = toFailure(update.error)
  const args =
    code === 'order.trail'
      ? limitTexts(given, distance)
      : { ...given, ...(given.limit ? { limit: formatPrice(given.limit, product.point) } : {}) }
  const failure = useRefusal(form, update.error, fieldOf)

  const send = (body: Wire['UpdatePosition']) => {
    setChecking(false)
    update.mutate(body, {
      onSuccess: () => {
        toast.success(t('position.protect.done', { symbol: product.productNo }))
        onClose()
      },
    })
  }
  const check = form.handleSubmit((values) => send({ positionId: position.positionId, ...values }))
  const save = () => {
    if (gone || offline || update.isPending) return
    // An unanswered write is repeated unchanged.
    if (unanswered) send(unanswered)
    else void check()
  }

  const label = () => {
    if (update.isPending) return checking ? t('trade.checking') : t('position.protect.saving')
    return unanswered ? t('position.ask_again') : t('position.protect.save')
  }

  const guard = (kind: 'stopLoss' | 'takeProfit') => (
    <FormField control={form.control} name={kind} args={args}>
      {(field) => <ProtectField {...{ ...field, kind, product, position, disabled }} />}
    </FormField>
  )

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
          onClick={save}
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
          save()
        }}
      >
        <Prices position={position} product={product} />
        {guard('stopLoss')}
        {guard('takeProfit')}
        <Outlook {...{ position, product }} control={form.control} />
        <FormField control={form.control} name="trailingStop" args={args}>
          {(field) => <TrailField {...{ ...field, product, position, disabled }} />}
        </FormField>
        {failure !== null && <FailureNote error={failure} />}
        {gone && <p className={styles.note}>{t('position.gone')}</p>}
        {offline && <p className={styles.note}>{t('trade.obstacle.offline')}</p>}
        {/* The button is below the sheet's content; this one lets Enter save. */}
        <input type="submit" hidden />
      </form>
    </Sheet>
  )
}

type PartProps = { position: Wire['Position']; product: Product }

/** The open price, and the price at which the position would be closed now. */
function Prices({ position: { side, openPrice }, product }: PartProps) {
  const { t } = useTranslation()
  const quote = useQuote(product.productId)
  return (
    <dl className={styles.rows}>
      <div>
        <dt>{t('trade.open_price')}</dt>
        <dd>
          <Num>{formatPrice(openPrice, product.point)}</Num>
        </dd>
      </div>
      <div>
        <dt>{t(side === 'buy' ? 'receipt.quote.bid' : 'receipt.quote.ask')}</dt>
        <dd>
          <Num>{formatPrice(side === 'buy' ? quote?.bid : quote?.ask, product.point)}</Num>
        </dd>
      </div>
    </dl>
  )
}

type Values = Record<'stopLoss' | 'takeProfit', Protection> & {
  trailingStop: ProtectionInput
}

/** The unit in which prices and distances are typed, and what is risked for what. */
function Outlook({
  control,
  product,
  ...props
}: PartProps & { control: Control<Values, unknown, Omit<Wire['UpdatePosition'], 'positionId'>> }) {
  const { position } = useLivePosition(props.position)
  useQuote(product.conversion.productId || product.productId)
  const [stopLoss, takeProfit, trailing] = useWatch({
    control,
    name: ['stopLoss', 'takeProfit', 'trailingStop'],
  })
  const amountOf = ({ on, price }: Protection) =>
    on ? amountAt(product, position, price, readQuote) : null
  return (
    <>
      {(stopLoss.on || takeProfit.on || trailing.on) && (
        <UnitPicker
          product={product}
          units={
            stopLoss.on || takeProfit.on
              ? ['price', 'distance', 'percent']
              : ['distance', 'percent']
          }
        />
      )}
      <RiskReward loss={amountOf(stopLoss)} gain={amountOf(takeProfit)} />
    </>
  )
}

function inputOf(price: string | undefined, point: number): ProtectionInput {
  return { on: price !== undefined, price: truncatePrice(price, point) }
}

function startOf(price: string | undefined, point: number): Protection {
  return { ...inputOf(price, point), amount: null, text: null }
}
