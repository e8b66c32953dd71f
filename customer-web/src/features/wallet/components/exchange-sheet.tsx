import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enum as choice, object, refine, string } from 'zod/mini'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { reasonOf } from '@/api/reason'
import { formatAmount } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { FormField } from '@/ui/form/form-field'
import { problemText } from '@/ui/form/problems'
import { SelectField } from '@/ui/form/select-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { IconButton } from '@/ui/icon-button'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useDebouncedValue } from '@/ui/use-debounced-value'
import { useExchangeQuote, useInsertExchange, type WalletAccount } from '../api/wallet'
import { type Currency, currencies, scaleOf } from '../model/currencies'
import { isNothing } from '../model/total'
import styles from './move.module.css'
import { QuoteView } from './quote-view'

export type ExchangeSheetProps = {
  accounts: readonly WalletAccount[]
  /** The currency to pay with. */
  from: Currency
  onClose: () => void
}

const options = currencies.map((one) => ({ value: one, text: one }))

/** A rate is fetched after typing has paused this long. */
const TYPED_MS = 400

function heldIn(currency: Currency, accounts: readonly WalletAccount[]): string {
  const account = accounts.find((one) => one.kind === 'funding' && one.currency === currency)
  return account?.available ?? '0'
}

/** Reports whether an amount is more than there is of the currency. */
function isBeyond(amount: string, from: Currency, accounts: readonly WalletAccount[]): boolean {
  const scale = scaleOf(from)
  return (toScaled(amount, scale) ?? 0n) > (toScaled(heldIn(from, accounts), scale) ?? 0n)
}

const schemaOf = (accounts: readonly WalletAccount[]) =>
  object({ from: choice(currencies), to: choice(currencies), amount: string() }).check(
    refine(
      ({ from, amount }) => !isBeyond(completeNumeric(amount, scaleOf(from)), from, accounts),
      {
        path: ['amount'],
        // The field says how much is available.
        error: 'transfer.amount.funds',
      },
    ),
  )

/** Converts funding money into another currency, at a rate shown with its remaining validity. */
export function ExchangeSheet({ accounts, from: first, onClose }: ExchangeSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const second: Currency = first === 'USDT' ? 'BTC' : 'USDT'
  const form = useSchemaForm(
    schemaOf(accounts),
    { from: first, to: second, amount: '' },
    'onTouched',
  )
  const [checking, setChecking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const write = useInsertExchange(() => setChecking(true))

  // While the outcome of this quote is unknown, pressing asks for its answer again, so no other quote may replace
  // it.
  const unsure = failure !== null && isOutcomeUnknown(failure)

  const { from, to, amount: typed } = form.watch()
  const most = heldIn(from, accounts)
  const scale = scaleOf(from)
  const amount = completeNumeric(typed, scale)
  const settled = useDebouncedValue(amount, TYPED_MS)
  const asks = !isNothing(amount) && settled === amount
  const rate = useExchangeQuote(asks ? { from, to, amount } : null, write.isPending || unsure)
  const quote = asks && !rate.isError ? rate.data : undefined
  const beyond = isBeyond(amount, from, accounts)
  const refusal = asks && rate.isError ? rate.error : null
  const refused = refusal instanceof CallFailure ? refusal.fields.amount : undefined
  const available = { amount: bidiIsolate(formatAmount(most, scale)), currency: from }

  const edit = (change: () => void) => {
    if (write.isPending) return
    change()
    setFailure(null)
  }
  const type = (value: string) =>
    edit(() => form.setValue('amount', value, { shouldValidate: true }))
  const pickFrom = (next: Currency) =>
    edit(() => {
      form.setValue('from', next)
      form.setValue('amount', '', { shouldValidate: true })
      if (next === to) form.setValue('to', from)
    })
  const pickTo = (next: Currency) =>
    edit(() => {
      form.setValue('to', next)
      if (next === from) pickFrom(to)
    })

  const submit = form.handleSubmit(() => {
    if (!quote || write.isPending) return
    write.mutate(
      { quoteId: quote.quoteId },
      {
        onSuccess: (done) => {
          toast.success(
            t('exchange.done', {
              paid: bidiIsolate(
                `${formatAmount(done.fromAmount, scaleOf(done.from))} ${done.from}`,
              ),
              got: bidiIsolate(`${formatAmount(done.toAmount, scaleOf(done.to))} ${done.to}`),
            }),
          )
          onClose()
        },
        onError: (error) => {
          setFailure(error)
          if (!isOutcomeUnknown(error)) void rate.refetch()
        },
        onSettled: () => setChecking(false),
      },
    )
  })

  return (
    <Sheet
      open
      title={t('exchange.title')}
      onClose={() => !write.isPending && onClose()}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          size="large"
          block
          busy={write.isPending}
          disabled={!quote || (beyond && !unsure)}
        >
          {checking
            ? t('deposit.checking')
            : quote
              ? t('exchange.submit_amount', {
                  paid: bidiIsolate(`${formatAmount(quote.fromAmount, scale)} ${from}`),
                })
              : t('exchange.submit')}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <fieldset className={styles.fields} disabled={unsure}>
          <div className={styles.pair}>
            <SelectField
              options={options}
              label={t('exchange.from')}
              value={from}
              disabled={unsure}
              onPick={pickFrom}
            />
            <IconButton icon="swap" label={t('exchange.turn')} onClick={() => pickFrom(to)} />
            <SelectField
              options={options}
              label={t('exchange.to')}
              value={to}
              disabled={unsure}
              onPick={pickTo}
            />
          </div>
          <FormField control={form.control} name="amount">
            {({ error, ...field }) => (
              <AmountField
                {...field}
                label={t('exchange.amount')}
                currency={from}
                precision={scale}
                hint={t('transfer.available', available)}
                error={
                  error && beyond ? t('transfer.amount.funds', available) : problemText(refused)
                }
                max={{ label: t('transfer.max_label'), onPick: () => type(most) }}
                onChange={type}
              />
            )}
          </FormField>
        </fieldset>
        <section
          className={styles.quote}
          aria-label={t('exchange.quote')}
          aria-busy={asks && rate.isPending}
        >
          {quote ? (
            <QuoteView quote={quote} />
          ) : (
            <p className={styles.wait}>
              {asks && rate.isPending ? t('exchange.asking') : t('exchange.hint')}
            </p>
          )}
        </section>
        {refusal && !refused && <Note tone="error">{reasonOf(refusal).reason}</Note>}
        {failure !== null && <FailureNote error={failure} />}
      </form>
    </Sheet>
  )
}
