import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enum as choice, object, overwrite, refine, string } from 'zod/mini'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { formatAmount } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useInsertTransfer, type WalletAccount } from '../api/wallet'
import { scaleOf } from '../model/currencies'
import styles from './move.module.css'

export type TransferSheetProps = {
  accounts: readonly WalletAccount[]
  /** The initial direction. */
  way?: Way
  onClose: () => void
}

const ways = ['keep', 'trade'] as const
type Way = (typeof ways)[number]

const CURRENCY = 'USDT'
const SCALE = scaleOf(CURRENCY)

/** The account a direction takes from, and the one it adds to. */
const ends = {
  keep: { from: 'contract', to: 'funding' },
  trade: { from: 'funding', to: 'contract' },
} as const

function availableFor(way: Way, accounts: readonly WalletAccount[]): string {
  const { from } = ends[way]
  return accounts.find((one) => one.kind === from && one.currency === CURRENCY)?.available ?? '0'
}

function problemOf(amount: string, most: string): 'missing' | 'funds' | null {
  const value = toScaled(amount, SCALE) ?? 0n
  if (value === 0n) return 'missing'
  return value > (toScaled(most, SCALE) ?? 0n) ? 'funds' : null
}

const schemaOf = (accounts: readonly WalletAccount[]) =>
  object({
    way: choice(ways),
    amount: string().check(overwrite((typed) => completeNumeric(typed, SCALE))),
  }).check(
    refine(({ way, amount }) => problemOf(amount, availableFor(way, accounts)) === null, {
      path: ['amount'],
      // The field says how much is available.
      error: 'transfer.amount.missing',
    }),
  )

/** Transfers USDT between the trading and the funding account: direction and amount. */
export function TransferSheet({ accounts, way: first = 'keep', onClose }: TransferSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const form = useSchemaForm(schemaOf(accounts), { way: first, amount: '' }, 'onTouched')
  const [checking, setChecking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const write = useInsertTransfer(() => setChecking(true))

  const [way, typed] = form.watch(['way', 'amount'])
  const amount = completeNumeric(typed, SCALE)
  const most = availableFor(way, accounts)
  const problem = problemOf(amount, most)
  const shown = { amount: bidiIsolate(formatAmount(most)), currency: CURRENCY }

  /** The failure belonged to another amount; an unknown outcome stays visible. */
  const restart = () => {
    if (!isOutcomeUnknown(failure)) setFailure(null)
  }

  const submit = form.handleSubmit((values) => {
    if (write.isPending) return
    setFailure(null)
    write.mutate(
      { ...ends[values.way], amount: values.amount },
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
        onError: (error) => {
          if (!showRefusal(form, error)) setFailure(error)
        },
        onSettled: () => setChecking(false),
      },
    )
  })

  return (
    <Sheet
      open
      title={t('transfer.title')}
      onClose={() => !write.isPending && onClose()}
      footer={
        <Button
          type="submit"
          form={formId}
          variant="primary"
          size="large"
          block
          busy={write.isPending}
        >
          {checking
            ? t('deposit.checking')
            : problem
              ? t('transfer.submit')
              : t('transfer.submit_amount', {
                  amount: bidiIsolate(formatAmount(amount)),
                  currency: CURRENCY,
                })}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <ChoiceGroup<Way>
          label={t('transfer.way')}
          value={way}
          onChange={(next) => {
            form.setValue('way', next)
            form.clearErrors('amount')
            restart()
          }}
          columns={1}
          options={[
            { value: 'keep', label: t('transfer.keep'), explanation: t('transfer.keep_note') },
            { value: 'trade', label: t('transfer.trade'), explanation: t('transfer.trade_note') },
          ]}
        />
        <FormField control={form.control} name="amount">
          {({ onChange, error, ...field }) => {
            const edit = (value: string) => {
              onChange(value)
              restart()
            }
            return (
              <AmountField
                {...field}
                currency={CURRENCY}
                precision={SCALE}
                hint={t('transfer.available', shown)}
                error={error && problem ? t(`transfer.amount.${problem}`, shown) : error}
                max={{ label: t('transfer.max_label'), onPick: () => edit(most) }}
                onChange={edit}
              />
            )
          }}
        </FormField>
        {failure !== null && <FailureNote error={failure} />}
      </form>
    </Sheet>
  )
}
