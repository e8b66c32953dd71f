import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatPercent } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatLots, typedLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice, truncatePrice } from '@/format/price'
import { FormField } from '@/ui/form/form-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { toast } from '@/ui/toast/toast-store'
import { useClosePosition } from '../../api/orders'
import { isAll, SLIPPAGE_BPS } from '../../model/close-part'
import { closePartSchema } from '../../model/close-part-schema'
import { realisedText } from '../../model/realised'
import { useLivePosition } from '../../model/use-live-position'
import { useOrderState } from '../../model/use-order-state'
import { ObstacleNote } from '../ticket/obstacle-note'
import { CloseButton } from './close-button'
import { CloseFigures } from './close-figures'
import { ClosePartField } from './close-part-field'
import type { CloseFormProps } from './close-position-sheet'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { SheetFoot } from './sheet-foot'

/** Closes a position: volume, current price, expected profit, and the button. */
export function ClosePositionForm({ product, foot, onClose, ...props }: CloseFormProps) {
  const { t } = useTranslation()
  const { position, gone } = useLivePosition(props.position)
  const { positionId, side, lots: of } = position
  const form = useSchemaForm(closePartSchema(product, of), { lots: typedLots(product, of) })
  const lots = form.watch('lots')
  const problem = form.formState.errors.lots !== undefined
  const [checking, setChecking] = useState(false)
  const close = useClosePosition(() => setChecking(true))
  const unanswered = isOutcomeUnknown(close.error) ? close.variables : undefined
  const ended = gone && !close.isPending && !close.isSuccess

  const send = (body: Wire['ClosePosition']) => {
    setChecking(false)
    close.mutate(body, {
      onSuccess: ({ fill }) => {
        if (fill) notifyClosed(fill)
        onClose()
      },
    })
  }

  const notifyClosed = (fill: Wire['Fill']) =>
    toast.success(
      t('position.close.done', {
        symbol: product.productNo,
        lots: formatLots(product, fill.lots),
        price: formatPrice(fill.price, product.point),
        profit: realisedText([fill]),
      }),
      {
        action: {
          label: t('trade.proof'),
          onPress: () => openReceipt(fill.fillId),
        },
      },
    )

  const submit = (price: string) => {
    // An unanswered write is repeated unchanged.
    if (unanswered) return send(unanswered)
    void form.handleSubmit((values) =>
      send({
        positionId,
        price: truncatePrice(price, product.point),
        slippageBps: SLIPPAGE_BPS,
        ...(isAll(values.lots, of) ? {} : { lots: completeNumeric(values.lots) }),
      }),
    )()
  }

  return (
    <div className={styles.form}>
      <SheetFoot place={foot}>
        <CloseButton
          {...{ product, side, lots, checking }}
          busy={close.isPending}
          again={unanswered !== undefined}
          off={ended || problem}
          onPress={submit}
        />
      </SheetFoot>
      <FormField
        control={form.control}
        name="lots"
        args={{
          min: formatLots(product, product.lotMin),
          max: formatLots(product, of),
          step: formatLots(product, product.lotStep),
        }}
      >
        {({ onChange, ...field }) => (
          <ClosePartField
            {...field}
            product={product}
            of={of}
            disabled={close.isPending || unanswered !== undefined || ended}
            onChange={(next) => {
              onChange(next)
              void form.trigger('lots')
            }}
          />
        )}
      </FormField>
      <CloseFigures {...{ product, position, lots }} />
      {close.error && !close.isPending && <FailureNote error={close.error} />}
      {ended ? <p className={styles.note}>{t('position.gone')}</p> : <Obstacle product={product} />}
      <p className={styles.hint}>
        {t('position.close.note', { percent: bidiIsolate(formatPercent(SLIPPAGE_BPS / 100, 1)) })}
      </p>
    </div>
  )
}

function Obstacle({ product }: { product: Product }) {
  return <ObstacleNote state={useOrderState(product)} />
}
