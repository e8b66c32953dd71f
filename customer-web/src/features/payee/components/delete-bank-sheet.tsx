import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/deposit/components/failure-note'
import { isolate } from '@/features/deposit/model/isolate'
import { Button } from '@/ui/button'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { type BankAccount, useDeleteBankAccount } from '../api/banks'
import { inFours } from '../model/iban'
import { useProof } from '../model/use-proof'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'

export type DeleteBankSheetProps = {
  bank: BankAccount
  paymentPath?: string | undefined
  onClose: () => void
}

/** Asks before a bank account is deleted for good, with the proof that this needs. */
export function DeleteBankSheet({ bank, paymentPath, onClose }: DeleteBankSheetProps) {
  const { t } = useTranslation()
  const proof = useProof()
  const [failure, setFailure] = useState<unknown>(null)
  const write = useDeleteBankAccount()

  const remove = () => {
    setFailure(null)
    if (!proof.check()) return
    const { payPassword, validCode } = proof
    write.mutate(
      { walletId: bank.walletId, payPassword, validCode },
      {
        onSuccess: () => {
          toast.success(t('payee.bank.delete.done'))
          onClose()
        },
        onError: (error) => {
          if (!proof.refuse(error)) setFailure(error)
        },
      },
    )
  }

  return (
    <Sheet
      open
      title={t('payee.delete.title', { label: isolate(bank.label) })}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={write.isPending}>
            {t('payee.delete.keep')}
          </Button>
          <Button size="large" variant="danger" busy={write.isPending} onClick={remove}>
            {t('payee.delete.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        <p>
          <bdi>{bank.bank}</bdi>
          <br />
          <Num>{inFours(bank.iban)}</Num>
        </p>
        <p>{t('payee.delete.text')}</p>
        <ProofFields proof={proof} paymentPath={paymentPath} />
        {failure !== null && <FailureNote error={failure} />}
      </div>
    </Sheet>
  )
}
