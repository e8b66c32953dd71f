/**
 * SHA-256 in hex, computed synchronously. The browser's crypto.subtle is missing on pages served over plain http,
 * where developers open the app on a phone.
 */
export function sha256Hex(text: string): string {
  const hash = new Uint32Array(initial)
  const words = new Uint32Array(64)
  const blocks = pad(new TextEncoder().encode(text))
  for (let start = 0; start < blocks.byteLength; start += 64) {
    compress(hash, words, blocks, start)
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('')
}

const initial = fractions(8, 1 / 2)
const rounds = fractions(64, 1 / 3)

function pad(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64
  const padded = new Uint8Array(length)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(length - 4, bytes.length << 3)
  return view
}

function compress(hash: Uint32Array, words: Uint32Array, blocks: DataView, start: number): void {
  for (let i = 0; i < 64; i++)
    words[i] = i < 16 ? blocks.getUint32(start + i * 4) : expand(words, i)
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(rounds, i) + at(words, i)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) hash[i] = at(hash, i) + value
}

function expand(words: Uint32Array, i: number): number {
  const w15 = at(words, i - 15)
  const w2 = at(words, i - 2)
  const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
  const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
  return at(words, i - 16) + s0 + at(words, i - 7) + s1
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function at(list: Uint32Array, index: number): number {
  return list[index] ?? 0
}

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function fractions(count: number, power: number): Uint32Array {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    if (isPrime(n)) found.push((n ** power % 1) * 2 ** 32)
  }
  return new Uint32Array(found)
}

function isPrime(n: number): boolean {
  for (let factor = 2; factor * factor <= n; factor++) if (n % factor === 0) return false
  return true
}
