import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { useLive } from '@/live/live'
import { useQuote } from '@/live/use-quote'
import { usePreferences } from '@/theme/preferences'
import { Button } from '@/ui/button'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { Tag } from '@/ui/tag'
import { toast } from '@/ui/toast/toast-store'
import { useUpdateOrder } from '../../api/pending-order-writes'
import type { PendingOrder } from '../../api/pending-orders'
import {
  expectedFillPrice,
  inputOf,
  isIncomplete,
  type PendingOrderInput,
  type PendingOrderShape,
  toRequestBody,
} from '../../model/pending-order'
import { usePendingOrderProblems } from '../../model/use-pending-order-problems'
import { FailureNote } from '../positions/failure-note'
import styles from '../positions/position-sheets.module.css'
import { PendingOrderFields } from '../ticket/pending-order-fields'
import { PendingOrderSummary } from '../ticket/pending-order-summary'

export type EditOrderSheetProps = {
  order: PendingOrder
  product: Product
  /** Initial prices that differ from the order's own, because its line in the chart was dragged. */
  dragged?: Partial<Pick<PendingOrderInput, 'price' | 'limitPrice'>>
  onClose: () => void
}

/** Amends a pending order: prices, protection and expiry. */
export function EditOrderSheet({ order, product, dragged, onClose }: EditOrderSheetProps) {
  const { t } = useTranslation()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const quote = useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const offline = useLive(({ socket }) => socket !== 'open')
  const [input, setInput] = useState<PendingOrderInput>(() => ({
    ...inputOf(order, product, zone),
    ...dragged,
  }))
  const update = useUpdateOrder()
  const unanswered = isOutcomeUnknown(update.error) ? update.variables : undefined
  const { side, type: kind } = order
  const shape: PendingOrderShape = {
    side,
    kind,
    armed: kind === 'stop_limit' && order.status === 'working',
  }
  const { problems, wrong, atField } = usePendingOrderProblems(
    product,
    shape,
    input,
    quote,
    update.error,
  )
  const off = offline || (!unanswered && (wrong || isIncomplete(input, kind)))

  const submit = () => {
    if (off) return
    const body = unanswered ?? { orderId: order.orderId, ...toRequestBody(input, kind, zone) }
    update.mutate(body, {
      onSuccess: () => {
        toast.success(t('waiting.saved', { symbol: product.productNo }))
        onClose()
      },
    })
  }

  return (
    <Sheet
      open
      onClose={onClose}
      title={
        <span className={styles.title}>
          {t('waiting.edit_title')}
          <Tag tone={side === 'buy' ? 'up' : 'down'}>
            {product.productNo} {t(`trade.waiting.${side}_${kind}`)}{' '}
            <Num>{formatAmount(order.lots)}</Num>
          </Tag>
        </span>
      }
      footer={
        <Button
          block
          size="large"
          variant="primary"
          busy={update.isPending}
          disabled={off}
          onClick={submit}
        >
          {unanswered ? t('position.ask_again') : t('position.protect.save')}
        </Button>
      }
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {shape.armed && <p className={styles.note}>{t('waiting.armed')}</p>}
        <PendingOrderFields
          {...{ product, shape, lots: order.lots, input, problems, quote }}
          onChange={(change) => {
            setInput((before) => ({ ...before, ...change }))
            if (update.error && !unanswered) update.reset()
          }}
        />
        <PendingOrderSummary
          product={product}
          order={order}
          price={shape.armed ? input.limitPrice : input.price}
          entry={expectedFillPrice(input, kind)}
          quote={quote}
        />
        {update.error && !update.isPending && !atField && <FailureNote error={update.error} />}
        {offline && <p className={styles.note}>{t('trade.obstacle.offline')}</p>}
        {/* The button is below the sheet's content; this one lets Enter save. */}
        <input type="submit" hidden />
      </form>
    </Sheet>
  )
}
