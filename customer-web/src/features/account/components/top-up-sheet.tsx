import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { completeNumeric, filterNumeric } from '@/format/numeric-input'
import { Button } from '@/ui/button'
import { failureText, problemText, toFailure } from '@/ui/form/problems'
import { TextField } from '@/ui/form/text-field'
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
  /** The demo account is not in use, so topping up switches to it. */
  switches: boolean
  onClose: () => void
}

/** Tops up a demo account to a balance. */
export function TopUpSheet({ account, limit, switches, onClose }: TopUpSheetProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const { mutate, isPending, error } = useSwitchAccount()
  const failure = error ? toFailure(error) : null
  const value = completeNumeric(typed, DECIMALS)

  const check = (): string | undefined => {
    const wanted = toScaled(value, SCALE)
    if (value === '' || wanted === null) return t('field.required')
    if (wanted > (toScaled(limit, SCALE) ?? 0n)) {
      return t('error.demo.top_up', { limit: formatAmount(limit) })
    }
    if (wanted <= (toScaled(account.balance, SCALE) ?? 0n)) return t('switch_account.top_up.higher')
    return undefined
  }

  const submit = () => {
    const found = check()
    setProblem(found)
    if (!found && !isPending) mutate({ mock: true, initAmount: value })
  }

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
          <Button size="large" variant="primary" busy={isPending} onClick={submit}>
            {t('switch_account.top_up.confirm')}
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className={styles.now}>
          <span>{t('switch_account.top_up.now')}</span>
          <Num>
            {formatFixed(account.balance, 2)} {account.currency}
          </Num>
        </p>
        <TextField
          label={t('switch_account.top_up.new')}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          ltr
          autoFocus
          value={typed}
          onChange={(text) => {
            setTyped(filterNumeric(text, DECIMALS))
            setProblem(undefined)
          }}
          error={problem ?? problemText(failure?.fields.initAmount)}
          hint={t('switch_account.top_up.limit', { limit: formatAmount(limit) })}
          end={<span className={styles.unit}>{account.currency}</span>}
        />
        {switches && <Note>{t('switch_account.top_up.switches')}</Note>}
        {failure && !failure.fields.initAmount && <Note tone="error">{failureText(failure)}</Note>}
      </form>
    </Sheet>
  )
}
