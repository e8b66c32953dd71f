import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecurityProof } from '@/features/security/api/factors'
import type { Security } from '@/features/security/api/security'
import { SecuritySheet } from '@/features/security/components/security-sheet'
import { bidiIsolate } from '@/format/bidi-isolate'
import { shortAddress } from '@/format/short-address'
import { Sheet } from '@/ui/sheet/sheet'
import {
  createWalletLink,
  linkWallet,
  type WalletAccount,
  type WalletText,
} from '../api/wallet-login'
import { connect, type Provider, sign, WalletFailure } from '../model/provider'
import styles from './wallet.module.css'
import { WalletList } from './wallet-list'
import { WalletProblemNote } from './wallet-problem'

export type WalletLinkSheetProps = {
  onDone: (security: Security) => void
  onClose: () => void
}

type Connected = { provider: Provider; account: WalletAccount }

/** Links an Ethereum wallet to the account: the wallet first, then the proof and the signature. */
export default function WalletLinkSheet({ onDone, onClose }: WalletLinkSheetProps) {
  const { t } = useTranslation()
  const [connected, setConnected] = useState<Connected | null>(null)
  const choose = useMutation({
    mutationFn: async (provider: Provider) => ({ provider, account: await connect(provider) }),
    onSuccess: setConnected,
  })
  if (connected) return <LinkSheet {...connected} onDone={onDone} onClose={onClose} />
  return (
    <Sheet open title={t('ethereum.link.title')} onClose={onClose}>
      <div className={styles.flow}>
        <p>{t('ethereum.link.text')}</p>
        <WalletList
          disabled={choose.isPending}
          onChoose={({ provider }) => choose.mutate(provider)}
        />
        <p role="status">{choose.isPending ? t('ethereum.step.connecting') : ''}</p>
        {choose.error && <WalletProblemNote error={choose.error} />}
      </div>
    </Sheet>
  )
}

function LinkSheet({ provider, account, onDone, onClose }: Connected & WalletLinkSheetProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<WalletFailure | null>(null)
  /** The text that the proof gave: a wallet that refuses to sign may be asked again without another code. */
  const text = useRef<Pick<WalletText, 'id' | 'text'> | null>(null)

  const run = async (proof: SecurityProof) => {
    setProblem(null)
    const { id, text: words } = text.current ?? (await createWalletLink(account, proof))
    text.current = { id, text: words }
    try {
      const signature = await sign(provider, account.address, words)
      text.current = null
      onDone(await linkWallet({ id, signature }))
    } catch (error) {
      if (!(error instanceof WalletFailure)) throw error
      setProblem(error)
    }
  }
  return (
    <SecuritySheet
      act="link_wallet"
      title={t('ethereum.link.title')}
      text={t('ethereum.link.sign', { wallet: bidiIsolate(shortAddress(account.address)) })}
      warning={t('ethereum.link.lock')}
      confirmLabel={t('ethereum.link')}
      run={run}
      onClose={onClose}
    >
      {problem && <WalletProblemNote error={problem} />}
    </SecuritySheet>
  )
}
