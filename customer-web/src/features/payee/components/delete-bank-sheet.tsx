import { useTranslation } from 'react-i18next'
import { groupByFour } from '@/format/iban'
import { Num } from '@/ui/num'
import { type BankAccount, useDeleteBankAccount } from '../api/banks'
import { PayeeSheet } from './payee-sheet'

export type DeleteBankSheetProps = {
  bank: BankAccount
  paymentPath?: string | undefined
  onClose: () => void
}

/** Confirms the deletion of a bank account. */
export function DeleteBankSheet({ bank, paymentPath, onClose }: DeleteBankSheetProps) {
  const { t } = useTranslation()
  const write = useDeleteBankAccount()
  return (
    <PayeeSheet
      act="delete"
      id={bank.walletId}
      label={bank.label}
      done={t('payee.bank.delete.done')}
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
