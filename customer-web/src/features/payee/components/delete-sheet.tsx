import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/deposit/components/failure-note'
import { isolate } from '@/features/deposit/model/isolate'
import { Button } from '@/ui/button'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import type { SavedAddress } from '../api/payees'
import { useDeleteAddress } from '../api/writes'
import { useProof } from '../model/use-proof'
import { AddressText } from './address-text'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'

export type DeleteSheetProps = {
  saved: SavedAddress
  paymentPath?: string | undefined
  onClose: () => void
}

/** Asks before an address is deleted for good, with the proof that this needs. */
export function DeleteSheet({ saved, paymentPath, onClose }: DeleteSheetProps) {
  const { t } = useTranslation()
  const proof = useProof()
  const [failure, setFailure] = useState<unknown>(null)
  const write = useDeleteAddress()

  const remove = () => {
    setFailure(null)
    if (!proof.check()) return
    const { payPassword, validCode } = proof
    write.mutate(
      { addressId: saved.addressId, payPassword, validCode },
      {
        onSuccess: () => {
          toast.success(t('payee.delete.done'))
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
      title={t('payee.delete.title', { label: isolate(saved.label) })}
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
        <AddressText address={saved.address} />
        <p>{t('payee.delete.text')}</p>
        <ProofFields proof={proof} paymentPath={paymentPath} />
        {failure !== null && <FailureNote error={failure} />}
      </div>
    </Sheet>
  )
}
