import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { reasonOf } from '@/api/reason'
import { formatAmount } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import type { TextKey } from '@/i18n/i18n'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { IconButton } from '@/ui/icon-button'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useDebouncedValue } from '@/ui/use-debounced-value'
import { useExchangeQuote, useInsertExchange, type WalletAccount } from '../api/wallet'
import { type Currency, currencies, scaleOf } from '../model/currencies'
import styles from './move.module.css'
import { QuoteView } from './quote-view'
import { SubmitButton } from './submit-button'

export type ExchangeSheetProps = {
  accounts: readonly WalletAccount[]
  onClose: () => void
}

/** A rate is fetched after typing has paused this long. */
const TYPED_MS = 400

/** Exchanges funding money into another currency, at a rate shown with its remaining validity. */
export function ExchangeSheet({ accounts, onClose }: ExchangeSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const held = (currency: Currency) =>
    accounts.find((one) => one.kind === 'funding' && one.currency === currency)?.available ?? '0'
  const first = currencies.find((currency) => !isNothing(held(currency))) ?? 'USDT'
  const [from, setFrom] = useState<Currency>(first)
  const [to, setTo] = useState<Currency>(first === 'USDT' ? 'BTC' : 'USDT')
  const [typed, setTyped] = useState('')
  const [checking, setChecking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const write = useInsertExchange(() => setChecking(true))

  // While the outcome of this quote is unknown, pressing asks for its answer again, so no other quote may replace
  // it.
  const unsure = failure !== null && isOutcomeUnknown(failure)

  const most = held(from)
  const scale = scaleOf(from)
  const amount = completeNumeric(typed, scale)
  const sum = toScaled(amount, scale) ?? 0n
  const settled = useDebouncedValue(amount, TYPED_MS)
  const asks = sum > 0n && settled === amount
  const asked = useExchangeQuote(asks ? { from, to, amount } : null, write.isPending || unsure)
  const quote = asks && !asked.isError ? asked.data : undefined
  const beyond = sum > (toScaled(most, scale) ?? 0n)
  const fields = asked.error instanceof CallFailure ? asked.error.fields : undefined
  const refusal = asks && asked.isError ? asked.error : null

  const edit = (change: () => void) => {
    if (write.isPending) return
    change()
    setFailure(null)
  }
  const pickFrom = (next: Currency) =>
    edit(() => {
      setFrom(next)
      setTyped('')
      if (next === to) setTo(from)
    })
  const pickTo = (next: Currency) =>
    edit(() => {
      setTo(next)
      if (next === from) pickFrom(to)
    })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!quote || (beyond && !unsure) || write.isPending) return
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
          if (!isOutcomeUnknown(error)) void asked.refetch()
        },
        onSettled: () => setChecking(false),
      },
    )
  }

  return (
    <Sheet
      open
      title={t('exchange.title')}
      onClose={() => !write.isPending && onClose()}
      footer={
        <SubmitButton form={formId} busy={write.isPending} disabled={!quote || (beyond && !unsure)}>
          {checking
            ? t('deposit.checking')
            : quote
              ? t('exchange.submit_amount', {
                  paid: bidiIsolate(`${formatAmount(quote.fromAmount, scale)} ${from}`),
                })
              : t('exchange.submit')}
        </SubmitButton>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        {currencies.every((currency) => isNothing(held(currency))) && (
          <Note>{t('exchange.nothing')}</Note>
        )}
        <fieldset className={styles.fields} disabled={unsure}>
          <div className={styles.pair}>
            <CurrencySelect label={t('exchange.from')} value={from} onPick={pickFrom} />
            <IconButton icon="swap" label={t('exchange.turn')} onClick={() => pickFrom(to)} />
            <CurrencySelect label={t('exchange.to')} value={to} onPick={pickTo} />
          </div>
          <AmountField
            label={t('exchange.amount')}
            value={typed}
            currency={from}
            precision={scale}
            hint={t('transfer.available', {
              amount: bidiIsolate(formatAmount(most, scale)),
              currency: from,
            })}
            problem={
              beyond
                ? t('transfer.amount.funds', {
                    amount: bidiIsolate(formatAmount(most, scale)),
                    currency: from,
                  })
                : fields?.amount
                  ? t(fields.amount as TextKey)
                  : undefined
            }
            end={
              <button
                type="button"
                className={styles.max}
                aria-label={t('transfer.max_label')}
                onClick={() => edit(() => setTyped(most))}
              >
                {t('withdraw.amount.max')}
              </button>
            }
            onChange={(value) => edit(() => setTyped(value))}
            onLeave={() => {}}
          />
        </fieldset>
        <section
          className={styles.quote}
          aria-label={t('exchange.quote')}
          aria-busy={asks && asked.isPending}
        >
          {quote ? (
            <QuoteView quote={quote} />
          ) : (
            <p className={styles.wait}>
              {asks && asked.isPending ? t('exchange.asking') : t('exchange.hint')}
            </p>
          )}
        </section>
        {refusal && !fields?.amount && <Note tone="error">{reasonOf(refusal).reason}</Note>}
        {failure !== null && <FailureNote error={failure} />}
      </form>
    </Sheet>
  )
}

const isNothing = (amount: string) => /^[0.]*$/.test(amount)

type CurrencySelectProps = { label: string; value: Currency; onPick: (value: Currency) => void }

function CurrencySelect({ label, value, onPick }: CurrencySelectProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onPick(event.target.value as Currency)}>
        {currencies.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}
