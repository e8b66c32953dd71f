import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { shortAddress } from '@/format/short-address'
import type { ConfirmingWallet } from '../model/use-confirming-wallet'
import styles from './wallet.module.css'
import { WalletList } from './wallet-list'
import { WalletProblemNote } from './wallet-problem'

export type WalletConfirmationProps = {
  /** The linked wallet. */
  wallet: string
  confirming: ConfirmingWallet
  /** What the wallet is chosen for. */
  text: string
}

/** Connects the linked wallet, and says what it is waiting for. */
export function WalletConfirmation({ wallet, confirming, text }: WalletConfirmationProps) {
  const { t } = useTranslation()
  const { connected, connecting, signing, problem } = confirming
  return (
    <div className={styles.flow}>
      {connected ? (
        <p>{t('ethereum.confirm.chosen', { wallet: bidiIsolate(shortAddress(wallet)) })}</p>
      ) : (
        <>
          <p>{text}</p>
          <WalletList
            disabled={connecting}
            onChoose={({ provider }) => confirming.choose(provider)}
          />
        </>
      )}
      <p role="status">
        {connecting ? t('ethereum.step.connecting') : signing ? t('ethereum.step.signing') : ''}
      </p>
      {problem && <WalletProblemNote error={problem} />}
    </div>
  )
}
