import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Security } from '@/features/security/api/security'
import { SecuritySheet } from '@/features/security/components/security-sheet'
import { bidiIsolate } from '@/format/bidi-isolate'
import { shortAddress } from '@/format/short-address'
import { unlinkWallet } from '../api/wallet-login'

const WalletLinkSheet = lazy(() => import('./wallet-link-sheet'))

export type WalletSheetsProps = {
  /** The linked wallet; empty without one. */
  wallet: string
  onDone: (security: Security) => void
  onClose: () => void
}

/** Links a wallet, or removes the link to the one that is linked. */
export function WalletSheets({ wallet, onDone, onClose }: WalletSheetsProps) {
  const { t } = useTranslation()
  if (wallet === '')
    return (
      <Suspense>
        <WalletLinkSheet onDone={onDone} onClose={onClose} />
      </Suspense>
    )
  return (
    <SecuritySheet
      act="unlink_wallet"
      title={t('ethereum.unlink.title')}
      text={t('ethereum.unlink.text', { wallet: bidiIsolate(shortAddress(wallet)) })}
      warning={t('ethereum.link.lock')}
      confirmLabel={t('ethereum.unlink')}
      danger
      run={async (proof) => onDone(await unlinkWallet(proof))}
      onClose={onClose}
    />
  )
}
