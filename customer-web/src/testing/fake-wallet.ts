import type { Provider } from '@/features/ethereum/model/provider'

export const WALLET_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

let stop = () => {}

/** Announces a wallet; `answers` replaces what it answers by method. Returns what it was asked. */
export function announceWallet(answers: Record<string, () => unknown> = {}, icon = '') {
  const asked: { method: string; params?: unknown[] }[] = []
  const provider: Provider = {
    request: async (question) => {
      asked.push(question)
      const defaults: Record<string, () => unknown> = {
        eth_requestAccounts: () => [WALLET_ADDRESS],
        eth_chainId: () => '0x1',
        personal_sign: () => '0xsigned',
      }
      return (answers[question.method] ?? defaults[question.method])?.()
    },
  }
  const detail = { info: { uuid: 'w1', name: 'Test wallet', icon }, provider }
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  stop = () => window.removeEventListener('eip6963:requestProvider', tell)
  return asked
}

export function forgetWallets() {
  stop()
}
