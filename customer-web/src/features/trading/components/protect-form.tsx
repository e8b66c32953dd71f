import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure, type Wire } from '@/api/client'
import { isUnanswered } from '@/api/keyed-write'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice, truncatePrice } from '@/format/price'
import { useLive } from '@/live/live'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useUpdatePosition } from '../api/orders'
import type { ProtectionKind } from '../model/protection'
import { useLivePosition } from '../model/use-live-position'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { PositionTitle } from './position-title'
import { ProtectField, type Protection } from './protect-field'

export type ProtectFormProps = {
  position: Wire['Position']
  product: Product
  onClose: () => void
}

const refusals: Record<ProtectionKind, string> = {
  stopLoss: 'order.stop_loss',
  takeProfit: 'order.take_profit',
}

/** A switch, a price and an amount for each of the two, and one button that saves both. */
export function ProtectForm({ product, onClose, ...props }: ProtectFormProps) {
  const { t } = useTranslation()
  const { position, gone } = useLivePosition(props.position)
  const quote = useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const offline = useLive(({ socket }) => socket !== 'open')
  const [wished, setWished] = useState<Record<ProtectionKind, Protection>>({
    stopLoss: startOf(props.position.stopLoss, product.point),
    takeProfit: startOf(props.position.takeProfit, product.point),
  })
  const [tried, setTried] = useState(false)
  const [checking, setChecking] = useState(false)
  const update = useUpdatePosition(() => setChecking(true))
  const unanswered = isUnanswered(update.error)
  const frozen = update.isPending || unanswered || gone
  const current = position.side === 'buy' ? quote?.bid : quote?.ask

  const problemOf = (kind: ProtectionKind): string | undefined => {
    const { on, price } = wished[kind]
    if (tried && on && completeNumeric(price) === '') return t('position.protect.missing')
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
      // Stays in the sheet, below.
    }
  }

  const submit = () => {
    setTried(true)
    if (unanswered && update.variables) return void send(update.variables)
    const { stopLoss, takeProfit } = wished
    if ([stopLoss, takeProfit].some(({ on, price }) => on && completeNumeric(price) === '')) return
    void send({
      positionId: position.positionId,
      ...(stopLoss.on ? { stopLoss: completeNumeric(stopLoss.price) } : {}),
      ...(takeProfit.on ? { takeProfit: completeNumeric(takeProfit.price) } : {}),
    })
  }

  const field = (kind: ProtectionKind) => (
    <ProtectField
      kind={kind}
      product={product}
      position={position}
      quote={quote}
      current={current}
      value={wished[kind]}
      problem={problemOf(kind)}
      disabled={frozen}
      onChange={(value) => {
        setWished({ ...wished, [kind]: value })
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
        {update.error && !update.isPending && !isAtField && <FailureNote error={update.error} />}
        {gone && <p className={styles.note}>{t('position.gone')}</p>}
        {offline && <p className={styles.note}>{t('trade.obstacle.offline')}</p>}
        {/* The button stands below the sheet's content; this one lets Enter save. */}
        <input type="submit" hidden />
      </form>
    </Sheet>
  )
}

function startOf(price: string | undefined, point: number): Protection {
  return { on: price !== undefined, price: truncatePrice(price, point), amount: null }
}
