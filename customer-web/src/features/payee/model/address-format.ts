import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32, bech32m, createBase58check } from '@scure/base'

/** The problem with an address: it belongs to another chain, has no valid format, or has an invalid character. */
export type AddressProblem =
  | { kind: 'chain'; chain: string }
  | { kind: 'form' }
  | { kind: 'checksum' }

type Rules = {
  looks: (address: string) => boolean
  fits: (address: string) => 'ok' | 'form' | 'checksum'
}

const base58check = createBase58check(sha256)
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/
/** Longer than any address we accept; longer input is not decoded. */
const LONGEST = 90

const rules: Record<string, Rules> = {
  ethereum: { looks: (address) => /^0x[0-9a-f]{40}$/i.test(address), fits: fitsEthereum },
  tron: {
    looks: (address) => address.length === 34 && address.startsWith('T') && BASE58.test(address),
    fits: (address) => fitsBase58(address, [0x41]),
  },
  bitcoin: {
    looks: (address) =>
      /^bc1/i.test(address) || (/^[13].{25,34}$/.test(address) && BASE58.test(address)),
    fits: (address) =>
      /^bc1/i.test(address) ? fitsSegwit(address) : fitsBase58(address, [0x00, 0x05]),
  },
}

/** Validates an address by the server's rules; null if it can be saved, or if its chain is unknown here. */
export function addressProblem(chain: string, typed: string): AddressProblem | null {
  const address = typed.trim()
  const own = rules[chain]
  if (!own) return null
  if (address.length > LONGEST) return { kind: 'form' }
  if (!own.looks(address)) {
    const other = Object.keys(rules).find((name) => rules[name]?.looks(address))
    return other ? { kind: 'chain', chain: other } : { kind: 'form' }
  }
  const fit = own.fits(address)
  return fit === 'ok' ? null : { kind: fit }
}

/** Hex digits in one case carry no checksum; mixed case must match the EIP-55 checksum. */
function fitsEthereum(address: string) {
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return 'ok'
  const hash = keccak_256(new TextEncoder().encode(lower))
  const summed = Array.from(lower, (digit, at) => {
    const byte = hash[at >> 1] ?? 0
    return (at % 2 ? byte & 15 : byte >> 4) >= 8 ? digit.toUpperCase() : digit
  })
  return digits === summed.join('') ? 'ok' : 'checksum'
}

function fitsBase58(address: string, versions: readonly number[]) {
  try {
    const decoded = base58check.decode(address)
    return decoded.length === 21 && versions.includes(decoded[0] ?? -1) ? 'ok' : 'checksum'
  } catch {
    return 'checksum'
  }
}

/** Version 0 uses bech32, taproot bech32m; later versions are not in use. */
function fitsSegwit(address: string) {
  const old = decode(bech32, address)
  const newer = decode(bech32m, address)
  const [version, length] = old ?? newer ?? []
  if (old) return version === 0 && (length === 20 || length === 32) ? 'ok' : 'checksum'
  if (version !== undefined && version > 1) return 'form'
  return version === 1 && length === 32 ? 'ok' : 'checksum'
}

/** The witness version and the length of its program in bytes. */
function decode(coder: typeof bech32, address: string): [number, number] | undefined {
  try {
    const { prefix, words } = coder.decode(address as `${string}1${string}`)
    const [version, ...program] = words
    if (prefix !== 'bc' || version === undefined) return undefined
    return [version, coder.fromWords(program).length]
  } catch {
    return undefined
  }
}
