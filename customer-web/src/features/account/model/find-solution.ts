import { sha256 } from '@noble/hashes/sha2.js'
import type { Challenge } from '../api/challenge'

/**
 * Finds "challenge.n" whose SHA-256 starts with as many zero bits as the difficulty, at most 32. It takes about a
 * second, so run it in a worker.
 */
export function findSolution({
  challenge,
  difficulty,
}: Pick<Challenge, 'challenge' | 'difficulty'>): string {
  const text = new TextEncoder()
  // All attempts share the prefix; hashing it once makes each twice as fast.
  const beginning = sha256.create().update(text.encode(`${challenge}.`))
  for (let n = 0; ; n++) {
    const hash = beginning
      .clone()
      .update(text.encode(String(n)))
      .digest()
    if (zeroBits(hash) >= difficulty) return `${challenge}.${n}`
  }
}

/** The number of leading zero bits of a hash, up to 32. */
export function zeroBits(hash: Uint8Array): number {
  return Math.clz32(new DataView(hash.buffer, hash.byteOffset).getUint32(0))
}
