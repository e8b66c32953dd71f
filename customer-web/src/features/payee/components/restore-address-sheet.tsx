import { useTranslation } from 'react-i18next'
import type { SavedAddress } from '../api/payees'
import { useRestoreAddress } from '../api/writes'
import { AddressText } from './address-text'
import { PayeeSheet } from './payee-sheet'

export type RestoreAddressSheetProps = {
  saved: SavedAddress
  paymentPath?: string | undefined
  onClose: () => void
}

/** Confirms the restoration of an address. */
export function RestoreAddressSheet({ saved, paymentPath, onClose }: RestoreAddressSheetProps) {
  const { t } = useTranslation()
  const write = useRestoreAddress()
  return (
    <PayeeSheet
      act="restore"
      id={saved.addressId}
      label={saved.label}
      done={t('payee.restore.done')}
      busy={write.isPending}
      run={(proof, settled) => write.mutate({ addressId: saved.addressId, ...proof }, settled)}
      paymentPath={paymentPath}
      onClose={onClose}
    >
      <AddressText address={saved.address} />
    </PayeeSheet>
  )
}
