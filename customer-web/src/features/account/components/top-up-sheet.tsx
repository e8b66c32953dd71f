import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minLength, object, overwrite, refine, string } from 'zod/mini'
import { formatAmount, formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { completeNumeric, filterNumeric } from '@/format/numeric-input'
import { Button } from '@/ui/button'
import { FormField } from '@/ui/form/form-field'
import { failureText, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import type { Account } from '../api/accounts'
import { useSwitchAccount } from '../model/use-switch-account'
import styles from './top-up-sheet.module.css'

const SCALE = 6
/** Sensible decimals for demo money. */
const DECIMALS = 2

export type TopUpSheetProps = {
  account: Account
  /** The maximum balance. */
  limit: string
  /** The account is not in use, so topping up switches to it. */
  switches: boolean
  onClose: () => void
}

function scaled(amount: string): bigint {
  return toScaled(amount, SCALE) ?? 0n
}

const schemaOf = (balance: string, limit: string) =>
  object({
    initAmount: string().check(
      overwrite((typed) => completeNumeric(typed, DECIMALS)),
      minLength(1, 'field.required'),
      refine((amount) => scaled(amount) <= scaled(limit), 'error.demo.top_up'),
      refine((amount) => scaled(amount) > scaled(balance), 'switch_account.top_up.higher'),
    ),
  })

/** Tops up a demo account to a balance. */
export function TopUpSheet({ account, limit, switches, onClose }: TopUpSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const form = useSchemaForm(schemaOf(account.balance, limit), { initAmount: '' })
  const [failure, setFailure] = useState<unknown>(null)
  const { mutate, isPending } = useSwitchAccount()
  const most = formatAmount(limit)

  const submit = form.handleSubmit(({ initAmount }) => {
    if (isPending) return
    setFailure(null)
    mutate(
      { mock: true, accountId: account.accountId, initAmount },
      {
        onError: (error) => {
          if (!showRefusal(form, error)) setFailure(error)
        },
      },
    )
  })

  return (
    <Sheet
      open
      title={t('switch_account.top_up')}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={isPending}>
            {t('switch_account.cancel')}
          </Button>
          <Button type="submit" form={formId} size="large" variant="primary" busy={isPending}>
            {t('switch_account.top_up.confirm')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={submit}>
        <p className={styles.now}>
          <span>{t('switch_account.top_up.now')}</span>
          <Num>
            {formatFixed(account.balance, 2)} {account.currency}
          </Num>
        </p>
        <FormField control={form.control} name="initAmount" args={{ limit: most }}>
          {({ onChange, ...field }) => (
            <TextField
              label={t('switch_account.top_up.new')}
              inputMode="decimal"
              autoComplete="off"
              ltr
              autoFocus
              onChange={(text) => onChange(filterNumeric(text, DECIMALS))}
              hint={t('switch_account.top_up.limit', { limit: most })}
              end={<span className={styles.unit}>{account.currency}</span>}
              {...field}
            />
          )}
        </FormField>
        {switches && <Note>{t('switch_account.top_up.switches')}</Note>}
        {failure !== null && <Note tone="error">{failureText(toFailure(failure))}</Note>}
      </form>
    </Sheet>
  )
}
