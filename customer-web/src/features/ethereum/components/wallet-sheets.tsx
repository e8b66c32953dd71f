import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import type { SecurityProof } from '@/features/security/api/factors'
import type { Security } from '@/features/security/api/security'
import { SecuritySheet } from '@/features/security/components/security-sheet'
import { bidiIsolate } from '@/format/bidi-isolate'
import { shortAddress } from '@/format/short-address'
import { unlinkWallet } from '../api/wallet-login'
import { WalletFailure } from '../model/provider'
import { useConfirmingWallet } from '../model/use-confirming-wallet'
import { WalletConfirmation } from './wallet-confirmation'

const WalletLinkSheet = lazy(() => import('./wallet-link-sheet'))

export type WalletSheetsProps = {
  /** The linked wallet; empty without one. */
  wallet: string
  onDone: (security: Security) => void
  onClose: () => void
}

/** Links a wallet, or removes the link to the one that is linked. */
export function WalletSheets({ wallet, onDone, onClose }: WalletSheetsProps) {
  if (wallet === '')
    return (
      <Suspense>
        <WalletLinkSheet onDone={onDone} onClose={onClose} />
      </Suspense>
    )
  return <UnlinkSheet wallet={wallet} onDone={onDone} onClose={onClose} />
}

/** Unlinks the wallet; soon after a change of contact the wallet has to confirm it. */
function UnlinkSheet({ wallet, onDone, onClose }: WalletSheetsProps) {
  const { t } = useTranslation()
  const confirming = useConfirmingWallet(wallet)
  const [needed, setNeeded] = useState(false)

  const run = async (proof: SecurityProof) => {
    try {
      const signed = confirming.connected ? await confirming.sign() : undefined
      onDone(await unlinkWallet(proof, signed))
    } catch (error) {
      const asked = error instanceof CallFailure && error.code === 'wallet.confirm'
      if (asked) setNeeded(true)
      else if (!(error instanceof WalletFailure)) throw error
    }
  }
  return (
    <SecuritySheet
      act="unlink_wallet"
      title={t('ethereum.unlink.title')}
      text={t('ethereum.unlink.text', { wallet: bidiIsolate(shortAddress(wallet)) })}
      warning={t('ethereum.link.lock')}
      confirmLabel={t('ethereum.unlink')}
      danger
      run={run}
      onClose={onClose}
    >
      {needed && (
        <WalletConfirmation
          wallet={wallet}
          confirming={confirming}
          text={t('ethereum.confirm.unlink')}
        />
      )}
    </SecuritySheet>
  )
}
