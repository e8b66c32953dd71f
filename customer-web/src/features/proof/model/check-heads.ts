import type { Wire } from '@/api/client'
import { checkSignature, headDigest } from '@/features/receipt/model/tape'

type SealedHead = Wire['SealedHead']

/** What does not fit about a head. */
export type HeadProblem = { batch: number; what: 'hash' | 'signature' | 'link' }

export type HeadContext = {
  publicKey: string
  /** The head after the first of the list, which carries that one's mark. */
  newer: SealedHead | undefined
  /** The list ends with the very first head of the chain, which follows nothing. */
  first: boolean
}

const NOTHING = '00'.repeat(32)

/** The first head, from the newest back, that is not what it says, is not signed, or does not follow the one before it. */
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
