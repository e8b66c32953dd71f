import type { Wire } from '@/api/client'
import { checkSignature, headDigest } from '@/features/receipt/model/tape'

type SealedHead = Wire['SealedHead']

/** The problem with a head. */
export type HeadProblem = { batch: number; what: 'hash' | 'signature' | 'link' }

export type HeadContext = {
  publicKey: string
  /** The head after the first one in the list, which contains that one's hash. */
  newer: SealedHead | undefined
  /** The list ends with the chain's first head, which has no predecessor. */
  first: boolean
}

const NOTHING = '00'.repeat(32)

/** Finds the first head, from the newest back, whose hash, signature or link to its predecessor is wrong. */
export async function problemIn(
  heads: readonly SealedHead[],
  { publicKey, newer, first }: HeadContext,
): Promise<{ problem: HeadProblem | null; unsigned: boolean }> {
  let after = newer
  let unsigned = false
  for (const head of heads) {
    const wrong = (what: HeadProblem['what']) => ({
      problem: { batch: head.batch, what },
      unsigned,
    })
    if ((await headDigest(head)) !== head.hash) return wrong('hash')
    const signed = await checkSignature(head, publicKey)
    if (signed === false) return wrong('signature')
    unsigned ||= signed === null
    if (after && (after.previous !== head.hash || after.batch <= head.batch)) {
      return { problem: { batch: after.batch, what: 'link' }, unsigned }
    }
    after = head
  }
  if (first && after && after.previous !== NOTHING) {
    return { problem: { batch: after.batch, what: 'link' }, unsigned }
  }
  return { problem: null, unsigned }
}
