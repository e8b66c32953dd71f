import { api, call, type Wire } from '@/api/client'
import { solutionParams } from '@/features/account/api/challenge'
import type { SecurityProof } from '@/features/security/api/factors'
import type { Security } from '@/features/security/api/security'
import { guestId } from '@/storage/guest-id'

export type WalletText = Wire['WalletText']

/** The wallet that signs: its address, and the network that it is on. */
export type WalletAccount = Pick<Wire['CreateWalletLogin'], 'address' | 'chainId'>

/** A text with the wallet's signature. */
export type SignedText = { id: string; signature: string }

/** The text for a log-in, or to open an account. */
export function createWalletLogin(account: WalletAccount, solution: string): Promise<WalletText> {
  return call(
    api.POST('/client/user/createWalletLogin', {
      body: { ...account, deviceId: guestId() },
      ...solutionParams(solution),
    }),
  )
}

/** Logs in with a signed text, and the second factor where the account has one. */
export function walletLogin(signed: SignedText, factorCode?: string): Promise<Wire['Session']> {
  const body = { ...signed, deviceId: guestId(), ...(factorCode ? { factorCode } : {}) }
  return call(api.POST('/client/user/walletLogin', { body }))
}

export type WalletRegistration = SignedText & Omit<Wire['RegisterByWallet'], 'deviceId'>

/** Opens an account whose only way in is the wallet. */
export function registerByWallet(registration: WalletRegistration): Promise<Wire['Session']> {
  return call(
    api.POST('/client/user/registerByWallet', { body: { ...registration, deviceId: guestId() } }),
  )
}

/** The text that links a wallet to the account. */
export function createWalletLink(
  account: WalletAccount,
  { password, validCode }: SecurityProof,
): Promise<WalletText> {
  const body = { ...account, password, validCode }
  return call(api.POST('/client/user/createWalletLink', { body }))
}

/** Links the wallet that signed. */
export function linkWallet({ id, signature }: SignedText): Promise<Security> {
  return call(api.POST('/client/user/linkWallet', { body: { id, signature } }))
}

/** The text by which the linked wallet confirms a first contact or, without one, its own removal. */
export function createWalletConfirmation(chainId: number, account?: string): Promise<WalletText> {
  const body = { chainId, ...(account ? { account } : {}) }
  return call(api.POST('/client/user/createWalletConfirmation', { body }))
}

/** Removes the link to the wallet, which confirms it where the server asks for that. */
export function unlinkWallet(
  { password, validCode }: SecurityProof,
  wallet?: SignedText,
): Promise<Security> {
  const body = { password, validCode, ...(wallet ? { wallet } : {}) }
  return call(api.POST('/client/user/unlinkWallet', { body }))
}
