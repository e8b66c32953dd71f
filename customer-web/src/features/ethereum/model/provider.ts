import type { WalletAccount } from '../api/wallet-login'

/** The part of a wallet's interface (EIP-1193) that a log-in needs. */
export type Provider = {
  request: (asked: { method: string; params?: unknown[] }) => Promise<unknown>
}

/** Why a wallet did not do what it was asked. */
export type WalletProblem = 'rejected' | 'busy' | 'other' | 'failed'

export class WalletFailure extends Error {
  readonly problem: WalletProblem
  constructor(problem: WalletProblem) {
    super(problem)
    this.problem = problem
  }
}

/** The codes of EIP-1193 and of JSON-RPC that say something of use. */
const problems: Record<number, WalletProblem> = { 4001: 'rejected', [-32002]: 'busy' }

async function ask(provider: Provider, method: string, params: unknown[] = []): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code
    throw new WalletFailure((typeof code === 'number' && problems[code]) || 'failed')
  }
}

/** Asks for the wallet's account, which its owner chooses, and the network that it is on. Throws WalletFailure. */
export async function connect(provider: Provider): Promise<WalletAccount> {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  const chainId = Number(await ask(provider, 'eth_chainId'))
  if (typeof address !== 'string' || !Number.isSafeInteger(chainId))
    throw new WalletFailure('failed')
  return { address, chainId }
}

/** Has the account sign a text. Throws WalletFailure. */
export async function sign(provider: Provider, address: string, text: string): Promise<string> {
  const hex = Array.from(new TextEncoder().encode(text), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const signature = await ask(provider, 'personal_sign', [`0x${hex}`, address])
  if (typeof signature !== 'string') throw new WalletFailure('failed')
  return signature
}
