import { useMutation } from '@tanstack/react-query'
import { createWalletConfirmation, type SignedText } from '../api/wallet-login'
import { connect, type Provider, sign, WalletFailure } from './provider'

/** The wallet that is linked to the account, which confirms an act by its signature: it is connected first and signs at the end. */
export function useConfirmingWallet(linked: string) {
  const choose = useMutation({
    mutationFn: async (provider: Provider) => {
      const account = await connect(provider)
      if (account.address.toLowerCase() !== linked.toLowerCase()) throw new WalletFailure('other')
      return { provider, account }
    },
  })
  const signing = useMutation({
    mutationFn: async (contact?: string): Promise<SignedText> => {
      if (!choose.data) throw new WalletFailure('failed')
      const { provider, account } = choose.data
      const { id, text } = await createWalletConfirmation(account.chainId, contact)
      return { id, signature: await sign(provider, account.address, text) }
    },
  })
  return {
    connected: choose.data !== undefined,
    connecting: choose.isPending,
    choose: choose.mutate,
    /** Signs the first contact or, without one, the removal of the wallet. */
    sign: (contact?: string) => signing.mutateAsync(contact),
    signing: signing.isPending,
    /** What the wallet did not do. */
    problem: choose.error ?? (signing.error instanceof WalletFailure ? signing.error : null),
  }
}

export type ConfirmingWallet = ReturnType<typeof useConfirmingWallet>
