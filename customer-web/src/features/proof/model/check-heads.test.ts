import { beforeAll, describe, expect, test } from 'vitest'
import { fromHex, headDigest, type SealedHead, toHex } from '@/features/receipt/model/tape'
import { problemIn } from './check-heads'

let keys: CryptoKeyPair
let publicKey: string
/** A chain of five heads, newest first. */
let heads: SealedHead[]

async function sealed(fields: Omit<SealedHead, 'hash' | 'signature'>): Promise<SealedHead> {
  const hash = (await headDigest({ ...fields, hash: '', signature: '' })) ?? ''
  const signature = await crypto.subtle.sign(
    'Ed25519',
    keys.privateKey,
    fromHex(hash) as BufferSource,
  )
  return { ...fields, hash, signature: toHex(new Uint8Array(signature)) }
}

beforeAll(async () => {
  keys = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  publicKey = toHex(new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey)))
  heads = []
  let previous = '00'.repeat(32)
  for (const batch of [1, 2, 4, 5, 6]) {
    const root = batch.toString(16).padStart(64, '0')
    const head = await sealed({ batch, previous, root, count: batch, sealedAt: 1000 * batch })
    heads.unshift(head)
    previous = head.hash
  }
})

const check = (list: readonly SealedHead[], first = true, newer?: SealedHead) =>
  problemIn(list, { publicKey, newer, first })

test('a chain that is whole has no problem, though a number is left out', async () => {
  expect(await check(heads)).toEqual({ problem: null, unsigned: false })
})

test('a page goes on where the one before ended', async () => {
  expect(await check(heads.slice(2), true, heads[1])).toEqual({ problem: null, unsigned: false })
  expect((await check(heads.slice(3), true, heads[1])).problem).toEqual({ batch: 5, what: 'link' })
})

describe('names the head that does not fit', () => {
  const changes: [string, (list: SealedHead[]) => SealedHead[], object][] = [
    ['a count', (list) => replaced(list, 2, { count: 9 }), { batch: 4, what: 'hash' }],
    ['a root', (list) => replaced(list, 2, { root: '11'.repeat(32) }), { batch: 4, what: 'hash' }],
    ['a mark', (list) => replaced(list, 2, { hash: '22'.repeat(32) }), { batch: 4, what: 'hash' }],
    [
      'a signature',
      (list) => replaced(list, 2, { signature: list[1]?.signature ?? '' }),
      { batch: 4, what: 'signature' },
    ],
    ['one left out', (list) => list.toSpliced(2, 1), { batch: 5, what: 'link' }],
    ['the first one left out', (list) => list.slice(0, -1), { batch: 2, what: 'link' }],
    ['two in the wrong order', (list) => list.toReversed(), { batch: 1, what: 'link' }],
  ]
  test.each(changes)('%s', async (_, change, problem) => {
    expect((await check(change(heads))).problem).toEqual(problem)
  })

  test('signed with another key', async () => {
    const answer = await problemIn(heads, {
      publicKey: '00'.repeat(32),
      newer: undefined,
      first: true,
    })
    expect(answer.problem).toEqual({ batch: 6, what: 'signature' })
  })
})

function replaced(list: readonly SealedHead[], at: number, change: Partial<SealedHead>) {
  return list.map((head, index) => (index === at ? { ...head, ...change } : head))
}
