import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { useLive } from '@/live/live'
import { readQuote } from '@/live/quote-store'
import { usePreferences } from '@/theme/preferences'
import { toFailure } from '@/ui/form/problems'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { Tag } from '@/ui/tag'
import { toast } from '@/ui/toast/toast-store'
import { useUpdateOrder } from '../../api/pending-order-writes'
import type { PendingOrder } from '../../api/pending-orders'
import {
  fieldOf,
  inputOf,
  type PendingOrderInput,
  type PendingOrderShape,
  problemsOf,
} from '../../model/pending-order'
import { pendingOrderSchema } from '../../model/pending-order-schema'
import { useMarketNow } from '../../model/use-market-now'
import { useRefusal } from '../../model/use-refusal'
import { FailureNote } from '../positions/failure-note'
import styles from '../positions/position-sheets.module.css'
import { EditOrderFields, EditSummary } from './edit-order-fields'
import { SaveOrderButton } from './save-order-button'

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
  const now = useMarketNow()
  const offline = useLive(({ socket }) => socket !== 'open')
  const { side, type: kind } = order
  const shape: PendingOrderShape = {
    side,
    kind,
    armed: kind === 'stop_limit' && order.status === 'working',
  }
  const form = useSchemaForm(pendingOrderSchema(kind, zone, now), {
    ...inputOf(order, product, zone),
    ...dragged,
  })
  const update = useUpdateOrder()
  const unanswered = isOutcomeUnknown(update.error) ? update.variables : undefined
  const failure = useRefusal(form, update.error, fieldOf)
  const part = { control: form.control, product, shape }

  const send = (body: Wire['UpdateOrder']) => {
    if (update.isPending) return
    update.mutate(body, {
      onSuccess: () => {
        toast.success(t('waiting.saved', { symbol: product.productNo }))
        onClose()
      },
    })
  }
  const check = form.handleSubmit((body) => send({ orderId: order.orderId, ...body }))
  /** Judges what is typed at the latest quote: Enter saves too, though the button is disabled. */
  const isRefusedByMarket = () => {
    const quote = readQuote(product.productId)
    const problems = problemsOf(product, shape, form.getValues(), quote, { now: now(), zone })
    return Object.keys(problems).length > 0
  }
  const save = () => {
    if (offline) return
    if (unanswered) send(unanswered)
    else if (!isRefusedByMarket()) void check()
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
            <Num>{formatLots(product, order.lots)}</Num>
          </Tag>
        </span>
      }
      footer={
        <SaveOrderButton
          {...part}
          busy={update.isPending}
          off={offline}
          again={unanswered !== undefined}
          onSave={save}
        />
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
        {shape.armed && <p className={styles.note}>{t('waiting.armed')}</p>}
        <EditOrderFields
          {...part}
          lots={order.lots}
          args={toFailure(update.error).args}
          disabled={update.isPending || unanswered !== undefined}
        />
        <EditSummary {...part} order={order} />
        {failure !== null && <FailureNote error={failure} />}
        {offline && <p className={styles.note}>{t('trade.obstacle.offline')}</p>}
        {/* The button is below the sheet's content; this one lets Enter save. */}
        <input type="submit" hidden />
      </form>
    </Sheet>
  )
}
