import { useTranslation } from 'react-i18next'
import { groupByFour } from '@/format/iban'
import { Num } from '@/ui/num'
import { type BankAccount, useRestoreBankAccount } from '../api/banks'
import { PayeeSheet } from './payee-sheet'

export type RestoreBankSheetProps = {
  bank: BankAccount
  paymentPath?: string | undefined
  onClose: () => void
}

/** Confirms the restoration of a bank account. */
export function RestoreBankSheet({ bank, paymentPath, onClose }: RestoreBankSheetProps) {
  const { t } = useTranslation()
  const write = useRestoreBankAccount()
  return (
    <PayeeSheet
      act="restore"
      id={bank.walletId}
      label={bank.label}
      done={t('payee.bank.restore.done')}
      busy={write.isPending}
      run={(proof, settled) => write.mutate({ walletId: bank.walletId, ...proof }, settled)}
      paymentPath={paymentPath}
      onClose={onClose}
    >
      <p>
        <bdi>{bank.bank}</bdi>
        <br />
        <Num>{groupByFour(bank.iban)}</Num>
      </p>
    </PayeeSheet>
  )
}
