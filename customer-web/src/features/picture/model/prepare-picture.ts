import { shrinkImage } from '@/ui/shrink-image'

/** The server's size limit. */
export const PICTURE_MAX_BYTES = 10 * 1024 * 1024
/** The formats the server reads. With this list phones convert photographs to one of them. */
export const PICTURE_ACCEPT = 'image/jpeg,image/png'

export type PictureProblem = 'heic' | 'format' | 'unreadable' | 'too_large' | 'damaged'
export type PreparedPicture = { picture: File } | { problem: PictureProblem }

/** Prepares a chosen file for upload, or returns the problem: by the specification's rule, then the server's. */
export async function preparePicture(file: File, shrink = shrinkImage): Promise<PreparedPicture> {
  const refused = refusedType(file)
  if (refused) return { problem: refused }
  const picture = await shrink(file)
  if (!picture) return { problem: 'unreadable' }
  return picture.size > PICTURE_MAX_BYTES ? { problem: 'too_large' } : { picture }
}

function refusedType({ type, name }: File): PictureProblem | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (/hei[cf]/.test(type) || /^hei[cf]$/.test(extension)) return 'heic'
  if (PICTURE_ACCEPT.split(',').includes(type)) return null
  return type === '' && ['jpg', 'jpeg', 'png'].includes(extension) ? null : 'format'
}
