import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findSolution, zeroBits } from './find-solution'

test.each([1, 8, 12])(
  'a solution of %d bits is the challenge and a number whose hash begins so',
  (difficulty) => {
    const solution = findSolution({ challenge: 'c'.repeat(76), difficulty })
    expect(solution).toMatch(/^c{76}\.\d+$/)
    const hash = createHash('sha256').update(solution).digest()
    expect(hash.readUInt32BE(0) >>> (32 - difficulty)).toBe(0)
  },
)

test.each([
  [[0x80, 0, 0, 0], 0],
  [[0, 0, 0x7f, 0xff], 17],
  [[0, 0, 0x80, 0], 16],
  [[0, 0, 0, 0], 32],
])('%j begins with %d zero bits', (bytes, bits) => {
  expect(zeroBits(Uint8Array.from(bytes))).toBe(bits)
})
