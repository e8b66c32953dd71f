import { sha256 } from '@noble/hashes/sha2.js'
import type { Challenge } from '../api/challenge'

/** Finds "challenge.n" whose SHA-256 begins with as many zero bits as the difficulty, at most 32. It takes about a second: call it in a worker. */
export function findSolution({
  challenge,
  difficulty,
}: Pick<Challenge, 'challenge' | 'difficulty'>): string {
  const text = new TextEncoder()
  // All attempts share the beginning; hashing it once makes each twice as fast.
  const beginning = sha256.create().update(text.encode(`${challenge}.`))
  for (let n = 0; ; n++) {
    const hash = beginning
      .clone()
      .update(text.encode(String(n)))
      .digest()
    if (zeroBits(hash) >= difficulty) return `${challenge}.${n}`
  }
}

/** The leading zero bits of a hash, counted up to 32. */
export function zeroBits(hash: Uint8Array): number {
  return Math.clz32(new DataView(hash.buffer, hash.byteOffset).getUint32(0))
}
