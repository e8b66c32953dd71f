import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { object } from 'zod/mini'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { formatAmount, formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Chip } from '@/ui/chip'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import type { Channel } from '../api/channels'
import { refreshDeposits } from '../api/deposits'
import { useCurrencies } from '../api/limits'
import { useInsertBankRecharge, useInsertProviderRecharge } from '../api/writes'
import { amountSchema, limitsOf, quickAmounts } from '../model/limits'
import { SumBlock } from './sum-block'

export type AmountFormProps = {
  channel: Channel
  /** The channel's kind; crypto deposits announce no amount. */
  kind: Exclude<Channel['kind'], 'standard'>
  /** What a trader without verification may deposit in total, USDT; undefined for others. */
  unverifiedTotal: string | undefined
  /** The path of a deposit. */
  pathOf: (depositId: number) => string
  /** The verification path, if that screen exists. */
  verifyPath?: string | undefined
}

/** The amount form of a deposit; on success it opens the deposit to pay. */
export function AmountForm({
  channel,
  kind,
  unverifiedTotal,
  pathOf,
  verifyPath,
}: AmountFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const currencies = useCurrencies().data
  const limits = limitsOf(channel, currencies)
  const form = useSchemaForm(object({ amount: amountSchema(limits) }), { amount: '' }, 'onTouched')
  const [checking, setChecking] = useState(false)
  const client = useQueryClient()
  const bank = useInsertBankRecharge(() => setChecking(true))
  const page = useInsertProviderRecharge('third_party', () => setChecking(true))
  const merchant = useInsertProviderRecharge('otc', () => setChecking(true))

  const write = { bank, third_party: page, otc: merchant }[kind]
  const { currency } = channel
  const amount = completeNumeric(form.watch('amount'))
  const quick = quickAmounts(limits)
  const range = {
    min: bidiIsolate(formatAmount(limits.min)),
    max: bidiIsolate(formatAmount(limits.max)),
    currency,
  }

  const submit = form.handleSubmit((sent) => {
    if (write.isPending) return
    write.mutate(
      { channelId: channel.channelId, ...sent },
      {
        onSuccess: ({ rechargeId }) => void navigate(pathOf(rechargeId)),
        onError: (error) => {
          showRefusal(form, error)
          // If the deposit was created anyway, the list of deposits under way shows it.
          void refreshDeposits(client)
        },
        onSettled: () => setChecking(false),
      },
    )
  })

  const atField = form.formState.errors.amount?.type === 'server'
  const failure = atField ? null : write.error
  const unverified = failure instanceof CallFailure && failure.code === 'deposit.unverified'

  const verifyLink = verifyPath && (
    <Link to={verifyPath} className={styles.inline}>
      {t('deposit.unverified.verify')}
    </Link>
  )

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <section className={styles.block}>
        <FormField control={form.control} name="amount" args={range}>
          {({ onChange, ...field }) => {
            const edit = (value: string) => {
              onChange(value)
              // The failure belonged to another amount; an unknown outcome stays visible.
              if (!isOutcomeUnknown(write.error)) write.reset()
            }
            return (
              <>
                <AmountField
                  {...field}
                  currency={currency}
                  hint={t('deposit.channel.range', range)}
                  onChange={edit}
                />
                {quick.length > 0 && (
                  <fieldset className={styles.quick}>
                    <legend className="visually-hidden">{t('deposit.amount.quick')}</legend>
                    {quick.map((one) => (
                      <Chip key={one} edge on={one === amount} onClick={() => edit(one)}>
                        <Num>{formatFixed(one, 0)}</Num> {currency}
                      </Chip>
                    ))}
                  </fieldset>
                )}
              </>
            )
          }}
        </FormField>
        {unverifiedTotal !== undefined && !unverified && (
          <Note>
            {t('deposit.unverified.note', { limit: bidiIsolate(formatAmount(unverifiedTotal)) })}{' '}
            {verifyLink}
          </Note>
        )}
        {failure && (
          <FailureNote error={failure}>
            {unverified && (
              <>
                {t('deposit.unverified.left', {
                  limit: bidiIsolate(formatAmount(failure.args?.limit)),
                  left: bidiIsolate(formatAmount(failure.args?.left)),
                })}{' '}
                {verifyLink}
              </>
            )}
          </FailureNote>
        )}
      </section>
      <SumBlock
        amount={amount}
        currency={currency}
        feeRate={channel.feeRate}
        viaProvider={kind !== 'bank'}
        offered={kind === 'otc'}
      />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" size="large" block busy={write.isPending}>
          {checking
            ? t('deposit.checking')
            : t(write.isPending ? 'deposit.sending' : 'deposit.continue')}
        </Button>
      </div>
    </form>
  )
}
