import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnanswered } from '@/api/keyed-write'
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
import type { WaitingOrder } from '../api/waiting'
import { useUpdateOrder } from '../api/waiting-writes'
import { useWaitingProblems } from '../model/use-waiting-problems'
import { bodyOf, entryOf, type Frame, isIncomplete, type Terms, termsOf } from '../model/waiting'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { WaitingFields } from './waiting-fields'
import { WaitingSummary } from './waiting-summary'

export type EditOrderSheetProps = {
  order: WaitingOrder
  product: Product
  /** Prices to start from that are not the order's own: its line in the chart was put there. */
  wish?: Partial<Pick<Terms, 'price' | 'limitPrice'>>
  onClose: () => void
}

/** Gives a waiting order other prices, another protection, another expiry. */
export function EditOrderSheet({ order, product, wish, onClose }: EditOrderSheetProps) {
  const { t } = useTranslation()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const quote = useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const offline = useLive(({ socket }) => socket !== 'open')
  const [terms, setTerms] = useState<Terms>(() => ({ ...termsOf(order, product, zone), ...wish }))
  const update = useUpdateOrder()
  const unanswered = isUnanswered(update.error) ? update.variables : undefined
  const { side, type: kind } = order
  const frame: Frame = { side, kind, armed: kind === 'stop_limit' && order.status === 'working' }
  const { problems, wrong, atField } = useWaitingProblems(
    product,
    frame,
    terms,
    quote,
    update.error,
  )
  const off = offline || (!unanswered && (wrong || isIncomplete(terms, kind)))

  const submit = () => {
    if (off) return
    const body = unanswered ?? { orderId: order.orderId, ...bodyOf(terms, kind, zone) }
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
        {frame.armed && <p className={styles.note}>{t('waiting.armed')}</p>}
        <WaitingFields
          {...{ product, frame, lots: order.lots, terms, problems }}
          onChange={(change) => {
            setTerms((before) => ({ ...before, ...change }))
            if (update.error && !unanswered) update.reset()
          }}
        />
        <WaitingSummary
          product={product}
          order={order}
          price={frame.armed ? terms.limitPrice : terms.price}
          entry={entryOf(terms, kind)}
          quote={quote}
        />
        {update.error && !update.isPending && !atField && <FailureNote error={update.error} />}
        {offline && <p className={styles.note}>{t('trade.obstacle.offline')}</p>}
        {/* The button stands below the sheet's content; this one lets Enter save. */}
        <input type="submit" hidden />
      </form>
    </Sheet>
  )
}
