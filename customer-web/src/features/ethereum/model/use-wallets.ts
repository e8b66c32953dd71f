import { useEffect, useState } from 'react'
import type { Provider } from './provider'

/** A wallet of this browser. */
export type EthereumWallet = {
  id: string
  name: string
  /** A picture as a data URI; empty without one. */
  icon: string
  provider: Provider
}

type Announcement = {
  info?: { uuid?: unknown; name?: unknown; icon?: unknown }
  provider?: Partial<Provider>
}

const ANNOUNCE = 'eip6963:announceProvider'
const REQUEST = 'eip6963:requestProvider'
const MOST_WALLETS = 20
const LONGEST_NAME = 40

/** The announced wallet; null for what is none. */
function walletIn(detail: Announcement | null): EthereumWallet | null {
  const { uuid, name, icon } = detail?.info ?? {}
  const provider = detail?.provider
  if (typeof uuid !== 'string' || typeof name !== 'string' || name.trim() === '') return null
  if (typeof provider?.request !== 'function') return null
  return {
    id: uuid,
    name: name.trim().slice(0, LONGEST_NAME),
    icon: typeof icon === 'string' && icon.startsWith('data:image/') ? icon : '',
    provider: provider as Provider,
  }
}

/** The wallets that this browser announces (EIP-6963). */
export function useWallets(): EthereumWallet[] {
  const [wallets, setWallets] = useState<EthereumWallet[]>([])
  useEffect(() => {
    const add = (event: Event) => {
      const wallet = walletIn((event as CustomEvent<Announcement | null>).detail)
      if (!wallet) return
      setWallets((known) =>
        known.length >= MOST_WALLETS || known.some(({ id }) => id === wallet.id)
          ? known
          : [...known, wallet],
      )
    }
    window.addEventListener(ANNOUNCE, add)
    window.dispatchEvent(new Event(REQUEST))
    return () => window.removeEventListener(ANNOUNCE, add)
  }, [])
  return wallets
}
