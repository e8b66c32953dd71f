import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BankAccount, refreshBankAccounts } from '@/features/payee/api/banks'
import { groupByFour } from '@/format/iban'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { BankPicker } from './bank-picker'
import { WithdrawalForm, type WithdrawalFormProps } from './withdrawal-form'

export type ToBankProps = Pick<WithdrawalFormProps, 'terms' | 'way' | 'pathOf' | 'paymentPath'> & {
  banks: readonly BankAccount[]
  addPath: string
}

/** A withdrawal to a saved bank account. */
export function ToBank({ banks, addPath, ...form }: ToBankProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const ready = banks.filter(({ state }) => state === 'active')
  const bank =
    ready.find(({ walletId }) => walletId === chosen) ??
    ready.find(({ selected }) => selected) ??
    ready[0]
  return (
    <WithdrawalForm
      {...form}
      place={bank && { payeeId: bank.walletId, to: <InFull bank={bank} /> }}
      onRefused={() => void refreshBankAccounts(client)}
      picker={
        <>
          <BankPicker
            banks={banks}
            value={bank?.walletId}
            onChange={setChosen}
            paymentPath={form.paymentPath}
          />
          {!bank && <Note tone="warning">{t('payee.bank.none_ready')}</Note>}
          <Button variant="text" to={addPath} className={styles.lone}>
            {t('payee.bank.add.open')}
          </Button>
        </>
      }
    />
  )
}

function InFull({ bank }: { bank: BankAccount }) {
  return (
    <>
      <bdi>{bank.holder}</bdi>
      <br />
      <bdi>{bank.bank}</bdi>
      <br />
      <Num>{groupByFour(bank.iban)}</Num>
    </>
  )
}
