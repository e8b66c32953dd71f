import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { object, overwrite, refine, string } from 'zod/mini'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Proof } from '@/features/payee/model/use-proof'
import { useAccountKey } from '@/features/wallet/api/money'
import { formatAmount, formatUsdt } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import styles from '@/ui/block.module.css'
import { cx } from '@/ui/cx'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { refreshWithdrawals, type WithdrawalTerms, type WithdrawalWay } from '../api/withdrawals'
import { useInsertWithdraw } from '../api/writes'
import { clearDraft, draftOf, saveDraft } from '../model/draft'
import { amountProblem, type Cost, feeOf, limitOf, maxWithdrawal, wholeCents } from '../model/sums'
import { LockNote, ReviewButton } from './review-button'
import { ReviewSheet } from './review-sheet'
import { SumRows } from './sum-rows'
import { TermsBlocks } from './terms-blocks'
import own from './withdraw.module.css'

/** A payee as an option of the form. */
export type PayeeOption = { payeeId: number; to: ReactNode }

export type WithdrawalFormProps = {
  terms: WithdrawalTerms
  way: WithdrawalWay
  /** The payee picker, and the chosen payee; undefined while none can be used. */
  picker: ReactNode
  place: PayeeOption | undefined
  /** The path of a withdrawal, and of the payment password. */
  pathOf: (withdrawalId: number) => string
  paymentPath?: string | undefined
  /** Called on a refusal, because the payees may have changed too. */
  onRefused: () => void
}

const schemaOf = (terms: WithdrawalTerms, cost: Cost) =>
  object({
    amount: string().check(
      overwrite((typed) => completeNumeric(typed)),
      // The field says which limit, with its amount.
      refine((amount) => amountProblem(amount, terms, cost) === null, 'withdraw.amount.missing'),
    ),
  })

/** Payee, amount, and the review with the trader's proof; on success it opens the withdrawal. */
export function WithdrawalForm({
  terms,
  way,
  picker,
  place,
  pathOf,
  paymentPath,
  onRefused,
}: WithdrawalFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const owner = useAccountKey()
  const noteId = useId()
  const cost = { ...way, feeRate: terms.feeRate }
  const form = useSchemaForm(
    schemaOf(terms, cost),
    { amount: draftOf(owner).amount ?? '' },
    'onTouched',
  )
  const [reviewing, setReviewing] = useState(false)
  const [checking, setChecking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const write = useInsertWithdraw(() => setChecking(true))

  const amount = completeNumeric(form.watch('amount'))
  const problem = amountProblem(amount, terms, cost)
  const most = maxWithdrawal(terms)
  const min = bidiIsolate(formatAmount(terms.minimum))
  const amounts = {
    min,
    max: bidiIsolate(formatUsdt(limitOf(problem, terms))),
    fee: bidiIsolate(formatAmount(feeOf(amount, cost))),
  }

  const review = form.handleSubmit(() => {
    if (!place || write.isPending || terms.heldUntil !== undefined) return
    if (!isOutcomeUnknown(failure)) setFailure(null)
    setReviewing(true)
  })

  const confirm = (proof: Proof, refuseProof: (error: unknown) => boolean) => {
    if (!place || write.isPending) return
    setFailure(null)
    write.mutate(
      { kind: way.kind, payeeId: place.payeeId, amount, ...proof },
      {
        onSuccess: ({ withdrawId }) => {
          clearDraft()
          void navigate(pathOf(withdrawId))
        },
        onError: (error) => {
          if (showRefusal(form, error)) setReviewing(false)
          else if (!refuseProof(error)) setFailure(error)
          // If the withdrawal was created anyway, the list of withdrawals under way shows it; a refusal may have
          // changed the limits.
          void refreshWithdrawals(client)
          onRefused()
        },
        onSettled: () => setChecking(false),
      },
    )
  }

  return (
    <>
      <form className={cx(styles.form, own.columns)} onSubmit={review} noValidate>
        <section className={styles.block}>{picker}</section>
        <section className={styles.block}>
          <p className={styles.small}>
            {t('withdraw.amount.room', {
              available: bidiIsolate(formatUsdt(terms.available)),
              day: bidiIsolate(formatUsdt(terms.dayLeft)),
              month: bidiIsolate(formatUsdt(terms.monthLeft)),
            })}
          </p>
          <FormField control={form.control} name="amount">
            {({ onChange, error, ...field }) => {
              const edit = (value: string) => {
                onChange(value)
                saveDraft(owner, { amount: value })
                // The failure belonged to another amount; an unknown outcome stays visible.
                if (!isOutcomeUnknown(failure)) setFailure(null)
              }
              return (
                <AmountField
                  {...field}
                  currency="USDT"
                  hint={t('withdraw.amount.hint', { min, max: bidiIsolate(formatUsdt(most)) })}
                  error={error && problem ? t(`withdraw.amount.${problem}`, amounts) : error}
                  max={{
                    label: t('withdraw.amount.max_label'),
                    onPick: () => edit(wholeCents(most)),
                  }}
                  onChange={edit}
                />
              )
            }}
          </FormField>
          {failure !== null && !reviewing && <FailureNote error={failure} />}
        </section>
        <section className={styles.block}>
          <SumRows amount={amount} cost={cost} />
          {terms.heldReason && <LockNote id={noteId} reason={terms.heldReason} />}
        </section>
        <TermsBlocks terms={terms} />
        <div className={styles.actions}>
          <ReviewButton lockedUntil={terms.heldUntil} noteId={noteId} disabled={!place} />
        </div>
      </form>
      {reviewing && place && (
        <ReviewSheet
          payeeId={place.payeeId}
          to={place.to}
          amount={amount}
          cost={cost}
          paymentPath={paymentPath}
          failure={failure}
          busy={write.isPending}
          checking={checking}
          onConfirm={confirm}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  )
}
