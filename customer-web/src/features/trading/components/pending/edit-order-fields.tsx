import { type Control, useController, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { useQuote } from '@/live/use-quote'
import { usePreferences } from '@/theme/preferences'
import { FormField } from '@/ui/form/form-field'
import { problemText, type TextArgs } from '@/ui/form/problems'
import {
  expectedFillPrice,
  type PendingOrderInput,
  type PendingOrderShape,
  problemsOf,
} from '../../model/pending-order'
import type { ProtectionKind } from '../../model/protection'
import { useMarketNow } from '../../model/use-market-now'
import { ExpiryField } from '../ticket/expiry-field'
import { LegGuards } from '../ticket/leg-guards'
import { PendingOrderSummary } from '../ticket/pending-order-summary'
import { PriceField } from '../ticket/price-field'

export type EditOrderPartProps = {
  control: Control<PendingOrderInput, unknown, Omit<Wire['UpdateOrder'], 'orderId'>>
  product: Product
  shape: PendingOrderShape
}

export type EditOrderFieldsProps = EditOrderPartProps & {
  lots: string
  /** A write is running, or its outcome is unknown. */
  disabled: boolean
  /** The values that the server's refusal names. */
  args: TextArgs | undefined
}

type Quote = { bid: string; ask: string }

/** The problems of what is typed, at a quote where one is given. */
export function useEditProblems({ control, product, shape }: EditOrderPartProps, quote?: Quote) {
  const input = useWatch({ control, compute: (values: PendingOrderInput) => values })
  const now = useMarketNow()
  const zone = usePreferences(({ timeZone }) => timeZone)
  return problemsOf(product, shape, input, quote, { now: now(), zone })
}

/** The fields of an order that is edited. Of them, only the prices follow the quotes. */
export function EditOrderFields({ lots, args, disabled, ...part }: EditOrderFieldsProps) {
  const { t } = useTranslation()
  const { kind, armed } = part.shape
  return (
    <>
      <EditPrice
        {...{ ...part, args, disabled }}
        name="price"
        label={t(kind === 'limit' ? 'waiting.limit_price' : 'waiting.stop_price')}
        fixed={armed}
      />
      {kind === 'stop_limit' && (
        <EditPrice
          {...{ ...part, args, disabled }}
          name="limitPrice"
          label={t('waiting.limit_price')}
        />
      )}
      <EditGuards {...{ ...part, lots, args, disabled }} />
      <EditExpiry {...{ ...part, disabled }} />
    </>
  )
}

type EditPriceProps = EditOrderPartProps & {
  args: TextArgs | undefined
  disabled: boolean
  name: 'price' | 'limitPrice'
  label: string
  fixed?: boolean
}

function EditPrice({ args, name, label, disabled, fixed = false, ...part }: EditPriceProps) {
  const { product, shape } = part
  const quote = useQuote(product.productId)
  const problems = useEditProblems(part, quote)
  return (
    <FormField control={part.control} name={name} args={args}>
      {({ error, ...field }) => (
        <PriceField
          {...{ ...field, label, product, shape, quote, disabled, fixed }}
          trigger={name === 'price' && !shape.armed}
          error={problems[name] ?? error}
        />
      )}
    </FormField>
  )
}

function EditGuards({ lots, args, disabled, ...part }: EditOrderFieldsProps) {
  const { product, shape, control } = part
  useQuote(product.conversion.productId || product.productId)
  const entry = useWatch({
    control,
    compute: (input: PendingOrderInput) => expectedFillPrice(input, shape.kind),
  })
  const problems = useEditProblems(part)
  const stopLoss = useController({ control, name: 'stopLoss' })
  const takeProfit = useController({ control, name: 'takeProfit' })
  const guard = (
    kind: ProtectionKind,
    { field, fieldState }: typeof stopLoss | typeof takeProfit,
  ) => ({
    value: field.value,
    error: problems[kind] ?? problemText(fieldState.error?.message, args),
    disabled,
    onChange: field.onChange,
    inputRef: field.ref,
  })
  return (
    <LegGuards
      {...{ product, lots, entry }}
      side={shape.side}
      stopLoss={guard('stopLoss', stopLoss)}
      takeProfit={guard('takeProfit', takeProfit)}
    />
  )
}

function EditExpiry({ disabled, ...part }: EditOrderPartProps & { disabled: boolean }) {
  const { control } = part
  const problems = useEditProblems(part)
  const force = useController({ control, name: 'force' })
  const until = useController({ control, name: 'until' })
  return (
    <ExpiryField
      input={{ force: force.field.value, until: until.field.value }}
      problem={problems.expiresAt ?? problemText(until.fieldState.error?.message)}
      disabled={disabled}
      onChange={(change) => {
        force.field.onChange(change.force)
        until.field.onChange(change.until)
      }}
    />
  )
}

export type EditSummaryProps = EditOrderPartProps & { order: Wire['Order'] }

/** The distance from the market, margin and costs of the order as it is typed. */
export function EditSummary({ control, product, shape, order }: EditSummaryProps) {
  const quote = useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const input = useWatch({ control, compute: (values: PendingOrderInput) => values })
  return (
    <PendingOrderSummary
      product={product}
      order={order}
      price={shape.armed ? input.limitPrice : input.price}
      entry={expectedFillPrice(input, shape.kind)}
      quote={quote}
    />
  )
}
