import {
  IMAGE_MAX_SIDE,
  IMAGE_QUALITY,
  IMAGE_SHRINK_SCALE,
  IMAGE_SHRINK_THRESHOLD_BYTES,
} from '@/constants'

export type DecodedImage = { width: number; height: number; source: CanvasImageSource }

/** The browser's image functions; tests replace them. */
export type ImageTools = {
  decode: (file: Blob) => Promise<DecodedImage>
  /** Draws at a size and encodes; null if the browser can't. */
  encode: (
    image: DecodedImage,
    width: number,
    height: number,
    type: string,
    quality: number,
  ) => Promise<Blob | null>
  now: () => number
}

/**
 * Prepares a picture for upload (specification, point 5). A picture of at most 5,000,000 bytes is unchanged. A
 * larger one is scaled to 40 % of its sides until both are at most 4069, and encoded at quality 0.5 with the time
 * as its name. Null if the browser can't read or encode it, for example HEIC.
 */
export async function shrinkImage(
  file: File,
  tools: ImageTools = browserTools,
): Promise<File | null> {
  if (file.size <= IMAGE_SHRINK_THRESHOLD_BYTES) return file
  try {
    const image = await tools.decode(file)
    const { width, height } = shrunkSize(image.width, image.height)
    const type = file.type === 'image/webp' ? 'image/webp' : 'image/jpeg'
    const blob = await tools.encode(image, width, height, type, IMAGE_QUALITY)
    if (!blob || blob.size === 0) return null
    const made = blob.type || type
    return new File([blob], `${tools.now()}${extensionOf(made)}`, { type: made })
  } catch {
    return null
  }
}

/** The size after scaling, at least once and until both sides fit. */
export function shrunkSize(width: number, height: number): { width: number; height: number } {
  let scaled = { width, height }
  do {
    scaled = {
      width: Math.max(1, Math.round(scaled.width * IMAGE_SHRINK_SCALE)),
      height: Math.max(1, Math.round(scaled.height * IMAGE_SHRINK_SCALE)),
    }
  } while (scaled.width > IMAGE_MAX_SIDE || scaled.height > IMAGE_MAX_SIDE)
  return scaled
}

function extensionOf(type: string): string {
  switch (type) {
    case 'image/webp':
      return '.webp'
    case 'image/png':
      return '.png'
    default:
      return '.jpg'
  }
}

const browserTools: ImageTools = {
  async decode(file) {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    return { width: bitmap.width, height: bitmap.height, source: bitmap }
  },
  encode({ source }, width, height, type, quality) {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (!context) return Promise.resolve(null)
    context.drawImage(source, 0, 0, width, height)
    return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
  },
  now: Date.now,
}
