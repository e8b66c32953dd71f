import { shrinkImage } from '@/ui/shrink-image'

/** The server's size limit. */
export const PICTURE_MAX_BYTES = 10 * 1024 * 1024

const SHOWN = ['image/jpeg', 'image/png']

export type PictureProblem =
  | 'format'
  | 'pdf'
  | 'unreadable'
  | 'too_large'
  | 'large_file'
  | 'damaged'
export type PreparedPicture = { picture: File } | { problem: PictureProblem }

/** What a picture field takes besides pictures. */
export type PictureUse = { pdf?: boolean | undefined }

/** The formats for the file chooser. Without HEIC in the list iPhones convert their photos, which the app can then show and check. */
export function pictureAccept({ pdf }: PictureUse, agent = navigator.userAgent): string {
  const heic = /iPhone|iPad|iPod/.test(agent) ? [] : ['image/heic', 'image/heif', '.heic', '.heif']
  return [...SHOWN, ...heic, ...(pdf ? ['application/pdf'] : [])].join(',')
}

/** The kind of a file by its type, or by its name where the browser knows none. */
export function fileKind({ type, name }: File): 'shown' | 'heic' | 'pdf' | 'other' {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (/hei[cf]/.test(type) || (type === '' && /^hei[cf]$/.test(extension))) return 'heic'
  if (type === 'application/pdf' || (type === '' && extension === 'pdf')) return 'pdf'
  const shown = SHOWN.includes(type) || (type === '' && ['jpg', 'jpeg', 'png'].includes(extension))
  return shown ? 'shown' : 'other'
}

/**
 * Prepares a chosen file for upload, or returns the problem: by the specification's rule, then the server's. HEIC
 * and PDF are sent as they are, because the browser can't read them.
 */
export async function preparePicture(
  file: File,
  use: PictureUse = {},
  shrink = shrinkImage,
): Promise<PreparedPicture> {
  switch (fileKind(file)) {
    case 'other':
      return { problem: 'format' }
    case 'pdf':
      return use.pdf ? asItIs(file) : { problem: 'pdf' }
    case 'heic':
      return asItIs(file)
    case 'shown': {
      const picture = await shrink(file)
      if (!picture) return { problem: 'unreadable' }
      return picture.size > PICTURE_MAX_BYTES ? { problem: 'too_large' } : { picture }
    }
  }
}

function asItIs(file: File): PreparedPicture {
  return file.size > PICTURE_MAX_BYTES ? { problem: 'large_file' } : { picture: file }
}
