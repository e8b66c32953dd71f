import { shrinkImage } from '@/ui/shrink-image'

/** What the server takes at most. */
export const PROOF_MAX_BYTES = 10 * 1024 * 1024
/** What it reads. Phones then hand over a photograph in one of these as well. */
export const PROOF_ACCEPT = 'image/jpeg,image/png'

export type ProofProblem = 'heic' | 'format' | 'unreadable' | 'too_large'
export type PreparedProof = { picture: File } | { problem: ProofProblem }

/** Makes a chosen file ready for upload, or says why it can't be: the specification's rule, then the server's. */
export async function prepareProof(file: File, shrink = shrinkImage): Promise<PreparedProof> {
  const refused = refusedType(file)
  if (refused) return { problem: refused }
  const picture = await shrink(file)
  if (!picture) return { problem: 'unreadable' }
  return picture.size > PROOF_MAX_BYTES ? { problem: 'too_large' } : { picture }
}

function refusedType({ type, name }: File): ProofProblem | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (/hei[cf]/.test(type) || /^hei[cf]$/.test(extension)) return 'heic'
  if (PROOF_ACCEPT.split(',').includes(type)) return null
  return type === '' && ['jpg', 'jpeg', 'png'].includes(extension) ? null : 'format'
}
