import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { formatAmount } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import type { TextKey } from '@/i18n/i18n'
import { ChoiceGroup } from '@/ui/choice-group'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useInsertTransfer, type WalletAccount } from '../api/wallet'
import { scaleOf } from '../model/currencies'
import styles from './move.module.css'
import { SubmitButton } from './submit-button'

export type TransferSheetProps = {
  accounts: readonly WalletAccount[]
  /** The initial direction. */
  way?: Way
  onClose: () => void
}

type Way = 'keep' | 'trade'

const CURRENCY = 'USDT'

/** Transfers USDT between the contract and the funding account: direction and amount. */
export function TransferSheet({ accounts, way: first = 'keep', onClose }: TransferSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [way, setWay] = useState<Way>(first)
  const [typed, setTyped] = useState('')
  const [judged, setJudged] = useState(false)
  const [checking, setChecking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const write = useInsertTransfer(() => setChecking(true))

  const from = way === 'keep' ? 'contract' : 'funding'
  const to = way === 'keep' ? 'funding' : 'contract'
  const source = accounts.find(({ kind, currency }) => kind === from && currency === CURRENCY)
  const most = source?.available ?? '0'
  const amount = completeNumeric(typed)
  const problem = problemOf(amount, most)
  const fieldKey = failure instanceof CallFailure ? failure.fields.amount : undefined
  const shown = bidiIsolate(formatAmount(most))

  const edit = (change: () => void) => {
    change()
    setJudged(false)
    if (!isOutcomeUnknown(failure)) setFailure(null)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setJudged(true)
    if (problem || write.isPending) return
    setFailure(null)
    write.mutate(
      { from, to, amount },
      {
        onSuccess: (done) => {
          toast.success(
            t('transfer.done', {
              amount: bidiIsolate(formatAmount(done.amount)),
              currency: CURRENCY,
            }),
          )
          onClose()
        },
        onError: setFailure,
        onSettled: () => setChecking(false),
      },
    )
  }

  return (
    <Sheet
      open
      title={t('transfer.title')}
      onClose={() => !write.isPending && onClose()}
      footer={
        <SubmitButton form={formId} busy={write.isPending}>
          {checking
            ? t('deposit.checking')
            : problem
              ? t('transfer.submit')
              : t('transfer.submit_amount', {
                  amount: bidiIsolate(formatAmount(amount)),
                  currency: CURRENCY,
                })}
        </SubmitButton>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <ChoiceGroup<Way>
          label={t('transfer.way')}
          value={way}
          onChange={(next) => edit(() => setWay(next))}
          columns={1}
          options={[
            { value: 'keep', label: t('transfer.keep'), explanation: t('transfer.keep_note') },
            { value: 'trade', label: t('transfer.trade'), explanation: t('transfer.trade_note') },
          ]}
        />
        <AmountField
          value={typed}
          currency={CURRENCY}
          precision={scaleOf(CURRENCY)}
          hint={t('transfer.available', { amount: shown, currency: CURRENCY })}
          problem={
            fieldKey
              ? t(fieldKey as TextKey)
              : judged && problem
                ? t(`transfer.amount.${problem}`, { amount: shown, currency: CURRENCY })
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
          onLeave={() => setJudged(typed !== '')}
        />
        {failure !== null && !fieldKey && <FailureNote error={failure} />}
      </form>
    </Sheet>
  )
}

function problemOf(amount: string, most: string): 'missing' | 'funds' | null {
  const scale = scaleOf(CURRENCY)
  const value = toScaled(amount, scale) ?? 0n
  if (value === 0n) return 'missing'
  return value > (toScaled(most, scale) ?? 0n) ? 'funds' : null
}
