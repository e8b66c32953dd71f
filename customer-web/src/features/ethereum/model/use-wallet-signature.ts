import { useState } from 'react'
import type { SignedText, WalletAccount, WalletText } from '../api/wallet-login'
import { connect, type Provider, sign } from './provider'

/** What a wallet is being asked for. */
export type WalletStep = 'connecting' | 'signing'

/** Connects a wallet, asks the server for a text, and has the wallet sign it. */
export function useWalletSignature() {
  const [step, setStep] = useState<WalletStep | null>(null)

  const signWith = async (
    provider: Provider,
    askText: (account: WalletAccount) => Promise<WalletText>,
  ): Promise<SignedText> => {
    try {
      setStep('connecting')
      const account = await connect(provider)
      const { id, text } = await askText(account)
      setStep('signing')
      return { id, signature: await sign(provider, account.address, text) }
    } finally {
      setStep(null)
    }
  }
  return { step, signWith }
}
