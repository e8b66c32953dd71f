import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { AUTH_STATUS } from '@/constants'
import { formatAmount, formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import type { TextKey } from '@/i18n/i18n'
import { useSession } from '@/session/session-store'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Chip } from '@/ui/chip'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import type { Channel } from '../api/channels'
import { refreshDeposits } from '../api/deposits'
import { useCurrencies, useUnverifiedTotal } from '../api/limits'
import { useInsertBankRecharge, useInsertProviderRecharge } from '../api/writes'
import { amountProblem, limitsOf, quickAmounts } from '../model/limits'
import { SumBlock } from './sum-block'

export type AmountFormProps = {
  channel: Channel
  /** The channel's kind; crypto deposits announce no amount. */
  kind: Exclude<Channel['kind'], 'standard'>
  /** The path of a deposit. */
  pathOf: (depositId: number) => string
  /** The verification path, if that screen exists. */
  verifyPath?: string | undefined
}

/** The amount form of a deposit; on success it opens the deposit to pay. */
export function AmountForm({ channel, kind, pathOf, verifyPath }: AmountFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const currencies = useCurrencies().data
  const verified = useSession(({ user }) => user?.authStatus === AUTH_STATUS.passed)
  const unverifiedTotal = useUnverifiedTotal(!verified)
  const [typed, setTyped] = useState('')
  const [judged, setJudged] = useState(false)
  const [checking, setChecking] = useState(false)
  const client = useQueryClient()
  const bank = useInsertBankRecharge(() => setChecking(true))
  const page = useInsertProviderRecharge('third_party', () => setChecking(true))
  const merchant = useInsertProviderRecharge('otc', () => setChecking(true))

  const write = { bank, third_party: page, otc: merchant }[kind]
  const { currency } = channel
  const limits = limitsOf(channel, currencies)
  const amount = completeNumeric(typed)
  const problem = amountProblem(amount, limits)
  const quick = quickAmounts(limits)
  const range = {
    min: bidiIsolate(formatAmount(limits.min)),
    max: bidiIsolate(formatAmount(limits.max)),
    currency,
  }
  const failure = write.error
  const fieldKey = failure instanceof CallFailure ? failure.fields.amount : undefined

  const edit = (value: string) => {
    setTyped(value)
    setJudged(false)
    // The failure belonged to another amount; an unknown outcome stays visible.
    if (failure && !isOutcomeUnknown(failure)) write.reset()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setJudged(true)
    if (problem || write.isPending) return
    write.mutate(
      { channelId: channel.channelId, amount },
      {
        onSuccess: ({ rechargeId }) => void navigate(pathOf(rechargeId)),
        // If the deposit was created anyway, the list of deposits under way shows it.
        onError: () => void refreshDeposits(client),
        onSettled: () => setChecking(false),
      },
    )
  }

  const unverified = failure instanceof CallFailure && failure.code === 'deposit.unverified'

  const verifyLink = verifyPath && (
    <Button variant="text" size="small" to={verifyPath}>
      {t('deposit.unverified.verify')}
    </Button>
  )

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <section className={styles.block}>
        <AmountField
          value={typed}
          currency={currency}
          hint={t('deposit.channel.range', range)}
          error={
            fieldKey
              ? t(fieldKey as TextKey)
              : judged && problem
                ? t(`deposit.amount.${problem}`, range)
                : undefined
          }
          onChange={edit}
          onBlur={() => setJudged(typed !== '')}
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
        {unverifiedTotal !== undefined && !unverified && (
          <Note>
            {t('deposit.unverified.note', { limit: bidiIsolate(formatAmount(unverifiedTotal)) })}{' '}
            {verifyLink}
          </Note>
        )}
        {failure && !fieldKey && (
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
