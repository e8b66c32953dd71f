import type { Wire } from '@/api/client'
import type { Charge, Fill } from './evidence'
import { exactScaled } from './exact'
import { chargeText, fillText } from './sealed-text'

type Bytes = Uint8Array<ArrayBuffer>
type ProvedQuote = Wire['ProvedQuote']
export type SealedHead = Wire['SealedHead']

/** The browser's hashing; missing on pages not served over https. */
function subtle(): SubtleCrypto | undefined {
  return globalThis.crypto?.subtle
}

/** Reports whether this browser can compute hashes on this page. */
export function canHash(): boolean {
  return subtle() !== undefined
}

async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const hashing = subtle()
  if (!hashing) throw new Error('this page cannot hash')
  return new Uint8Array(await hashing.digest('SHA-256', join(parts)))
}

function join(parts: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** An integer as eight bytes, big-endian. */
function int64(value: bigint | number): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
  return bytes
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Decodes hex; null for anything else. */
export function fromHex(text: string): Bytes | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/**
 * The leaf hash of a quote: product, sequence, bid, ask, market time and source time, eight bytes each, then the
 * name of its source; null if one of them is no such number.
 */
export async function leafHash(quote: ProvedQuote): Promise<string | null> {
  const bid = exactScaled(quote.bid, quote.point)
  const ask = exactScaled(quote.ask, quote.point)
  if (bid === null || ask === null) return null
  const numbers = [quote.productId, quote.seq, bid, ask, quote.time, quote.sourceTime].map(int64)
  const source = new TextEncoder().encode(quote.source)
  return toHex(await sha256(new Uint8Array([0]), ...numbers, source))
}

/** The leaf hash of a quote, or of a fill or charge by its sealed text; null if one of its numbers is invalid. */
export async function leafOf(one: Charge | Fill | ProvedQuote): Promise<string | null> {
  if ('seq' in one) return leafHash(one)
  const text = 'fillId' in one ? fillText(one) : chargeText(one)
  if (text === null) return null
  return toHex(await sha256(new Uint8Array([0]), new TextEncoder().encode(text)))
}

/** The Merkle root computed from a leaf and its path; null if a step is not a hash. */
export async function rootFromPath(
  leaf: string,
  path: readonly Wire['PathStep'][],
): Promise<string | null> {
  let at = fromHex(leaf)
  for (const step of path) {
    const sibling = fromHex(step.hash)
    if (at?.length !== 32 || sibling?.length !== 32) return null
    const pair = step.left ? [sibling, at] : [at, sibling]
    at = await sha256(new Uint8Array([1]), ...pair)
  }
  return at && toHex(at)
}

/** A head's hash: previous head, batch, root, number of leaves, time of sealing. */
export async function headDigest(head: SealedHead): Promise<string | null> {
  const previous = fromHex(head.previous)
  const root = fromHex(head.root)
  if (previous?.length !== 32 || root?.length !== 32) return null
  return toHex(
    await sha256(previous, int64(head.batch), root, int64(head.count), int64(head.sealedAt)),
  )
}

/** Reports whether the key signed the head's hash; null if this browser does not support Ed25519. */
export async function checkSignature(head: SealedHead, publicKey: string): Promise<boolean | null> {
  const [key, signature, hash] = [fromHex(publicKey), fromHex(head.signature), fromHex(head.hash)]
  if (key?.length !== 32 || signature?.length !== 64 || !hash) return false
  const hashing = subtle()
  if (!hashing) return null
  let imported: CryptoKey
  try {
    imported = await hashing.importKey('raw', key, 'Ed25519', false, ['verify'])
  } catch {
    return null
  }
  return hashing.verify('Ed25519', imported, signature, hash)
}
