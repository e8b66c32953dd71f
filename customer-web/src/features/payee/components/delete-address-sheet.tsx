import { useTranslation } from 'react-i18next'
import type { SavedAddress } from '../api/payees'
import { useDeleteAddress } from '../api/writes'
import { AddressText } from './address-text'
import { PayeeSheet } from './payee-sheet'

export type DeleteAddressSheetProps = {
  saved: SavedAddress
  paymentPath?: string | undefined
  onClose: () => void
}

/** Confirms the deletion of an address. */
export function DeleteAddressSheet({ saved, paymentPath, onClose }: DeleteAddressSheetProps) {
  const { t } = useTranslation()
  const write = useDeleteAddress()
  return (
    <PayeeSheet
      act="delete"
      id={saved.addressId}
      label={saved.label}
      done={t('payee.delete.done')}
      busy={write.isPending}
      run={(proof, settled) => write.mutate({ addressId: saved.addressId, ...proof }, settled)}
      paymentPath={paymentPath}
      onClose={onClose}
    >
      <AddressText address={saved.address} />
    </PayeeSheet>
  )
}
