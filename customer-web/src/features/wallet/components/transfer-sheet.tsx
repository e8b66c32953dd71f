import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { custom, object, overwrite, refine, string } from 'zod/mini'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { formatAmount } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate, bidiIsolateAuto } from '@/format/bidi-isolate'
import { completeNumeric } from '@/format/numeric-input'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { FailureNote } from '@/ui/failure-note'
import { AmountField } from '@/ui/form/amount-field'
import { FormField } from '@/ui/form/form-field'
import { SelectField } from '@/ui/form/select-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useInsertTransfer, type WalletAccount } from '../api/wallet'
import { useAccountLabels } from '../model/account-label'
import { scaleOf } from '../model/currencies'
import styles from './move.module.css'

export type TransferSheetProps = {
  accounts: readonly WalletAccount[]
  /** The account that gives at first; by default the one with the most, which fills up the trading account in use. */
  from: End | undefined
  onClose: () => void
}

/** An account that money is transferred from or to: the funding account, or a trading account by its id. */
export type End = 'funding' | `${number}`

const CURRENCY = 'USDT'
const SCALE = scaleOf(CURRENCY)

export function endOf({ kind, accountId }: WalletAccount): End {
  return kind === 'funding' ? 'funding' : `${accountId}`
}

function find(end: End, accounts: readonly WalletAccount[]): WalletAccount | undefined {
  return accounts.find((one) => one.currency === CURRENCY && endOf(one) === end)
}

function availableFor(end: End, accounts: readonly WalletAccount[]): string {
  return find(end, accounts)?.available ?? '0'
}

/** The end with the most available. */
function fullest(ends: readonly End[], accounts: readonly WalletAccount[]): End {
  const units = (end: End) => toScaled(availableFor(end, accounts), SCALE) ?? 0n
  return ends.reduce((most, end) => (units(end) > units(most) ? end : most), 'funding')
}

/** What the server is told of the two ends. */
function bodyOf(from: End, to: End) {
  return {
    ...(from === 'funding'
      ? ({ from: 'funding' } as const)
      : ({ from: 'contract', fromAccount: Number(from) } as const)),
    ...(to === 'funding'
      ? ({ to: 'funding' } as const)
      : ({ to: 'contract', toAccount: Number(to) } as const)),
  }
}

function problemOf(amount: string, most: string): 'missing' | 'funds' | null {
  const value = toScaled(amount, SCALE) ?? 0n
  if (value === 0n) return 'missing'
  return value > (toScaled(most, SCALE) ?? 0n) ? 'funds' : null
}

const isEnd = (value: unknown): value is End => typeof value === 'string'

const schemaOf = (accounts: readonly WalletAccount[]) =>
  object({
    from: custom<End>(isEnd),
    to: custom<End>(isEnd),
    amount: string().check(overwrite((typed) => completeNumeric(typed, SCALE))),
  }).check(
    refine(({ from, amount }) => problemOf(amount, availableFor(from, accounts)) === null, {
      path: ['amount'],
      // The field says how much is available.
      error: 'transfer.amount.missing',
    }),
  )

/** Transfers USDT between two of the trader's accounts: which, and the amount. */
export function TransferSheet({ accounts, from: first, onClose }: TransferSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const ends = accounts.filter(({ currency }) => currency === CURRENCY).map(endOf)
  const inUse = ends[0] ?? 'funding'
  const start = {
    from: first ?? fullest(ends.slice(1), accounts),
    to: first === undefined || first === 'funding' ? inUse : 'funding',
  } as const
  const form = useSchemaForm(schemaOf(accounts), { ...start, amount: '' }, 'onTouched')
  const [checking, setChecking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const write = useInsertTransfer(() => setChecking(true))

  const [from, to, typed] = form.watch(['from', 'to', 'amount'])
  const amount = completeNumeric(typed, SCALE)
  const most = availableFor(from, accounts)
  const problem = problemOf(amount, most)
  const shown = { amount: bidiIsolate(formatAmount(most)), currency: CURRENCY }

  /** The failure belonged to another amount; an unknown outcome stays visible. */
  const restart = () => {
    if (!isOutcomeUnknown(failure)) setFailure(null)
  }

  const pick = (nextFrom: End, nextTo: End) => {
    form.setValue('from', nextFrom)
    form.setValue('to', nextTo)
    form.clearErrors('amount')
    restart()
  }

  const submit = form.handleSubmit((values) => {
    if (write.isPending) return
    setFailure(null)
    write.mutate(
      { ...bodyOf(values.from, values.to), amount: values.amount },
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
        {ends.length > 2 ? (
          <Ends accounts={accounts} from={from} to={to} onPick={pick} />
        ) : (
          <ChoiceGroup
            label={t('transfer.way')}
            value={from === 'funding' ? 'trade' : 'keep'}
            onChange={(way) => (way === 'trade' ? pick('funding', inUse) : pick(inUse, 'funding'))}
            columns={1}
            options={[
              { value: 'keep', label: t('transfer.keep'), explanation: t('transfer.keep_note') },
              { value: 'trade', label: t('transfer.trade'), explanation: t('transfer.trade_note') },
            ]}
          />
        )}
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

type EndsProps = {
  accounts: readonly WalletAccount[]
  from: End
  to: End
  onPick: (from: End, to: End) => void
}

/** The accounts at both ends, one of many each; choosing the other's swaps them. */
function Ends({ accounts, from, to, onPick }: EndsProps) {
  const { t } = useTranslation()
  const labelOf = useAccountLabels()
  const options = accounts
    .filter(({ currency }) => currency === CURRENCY)
    .map((one) => ({
      value: endOf(one),
      text: [
        bidiIsolateAuto(labelOf(one)),
        ...(one.kind === 'contract' ? [one.accountId] : []),
        bidiIsolate(`${formatAmount(one.available)} ${CURRENCY}`),
      ].join(' · '),
    }))
  return (
    <div className={styles.ends}>
      <SelectField
        label={t('exchange.from')}
        value={from}
        options={options}
        onPick={(end) => onPick(end, end === to ? from : to)}
      />
      <SelectField
        label={t('exchange.to')}
        value={to}
        options={options}
        onPick={(end) => onPick(end === from ? to : from, end)}
      />
      <p>{t(from === 'funding' ? 'transfer.trade_note' : 'transfer.keep_note')}</p>
    </div>
  )
}
