/** What is wrong with how a picture was taken; it may be used all the same. */
export type PictureWarning = 'small' | 'dark' | 'bright' | 'blurred'

/** A small grey copy of a picture, a byte for each pixel. */
export type GreyscaleCopy = { grey: Uint8Array; width: number; height: number }

/** What looking needs of the browser: the size of the whole picture, and its small grey copy. */
export type PictureSample = { width: number; height: number; copy: GreyscaleCopy }

/** Below this the longer side shows too little of a document. */
const SMALLEST_SIDE = 640
/** The longer side of the copy that is judged. */
const COPY_SIDE = 480
/** Mean brightness, of 255, from which a picture is dark. */
const DARK = 45
/** A pixel that has lost its colour to light, and the share of them that is too much. */
const WHITE = 250
const TOO_MUCH_WHITE = 0.5
/** The least variance of the differences between neighbours; letters and faces in focus have far more. */
const SHARP = 25

/** Says what a person would say of the picture at a glance. */
export function pictureWarnings({ width, height, copy }: PictureSample): PictureWarning[] {
  const warnings: PictureWarning[] = []
  if (Math.max(width, height) < SMALLEST_SIDE) warnings.push('small')
  const { grey } = copy
  let sum = 0
  let white = 0
  for (const one of grey) {
    sum += one
    if (one >= WHITE) white += 1
  }
  if (sum < DARK * grey.length) warnings.push('dark')
  else if (white > TOO_MUCH_WHITE * grey.length) warnings.push('bright')
  if (sharpness(copy) < SHARP) warnings.push('blurred')
  return warnings
}

/** The variance of the Laplacian: how much a pixel differs from its four neighbours. */
export function sharpness({ grey, width, height }: GreyscaleCopy): number {
  let count = 0
  let sum = 0
  let squares = 0
  const at = (index: number) => grey[index] ?? 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      const difference = 4 * at(i) - at(i - 1) - at(i + 1) - at(i - width) - at(i + width)
      count += 1
      sum += difference
      squares += difference * difference
    }
  }
  if (count === 0) return 0
  const mean = sum / count
  return squares / count - mean * mean
}

/** Looks at a picture before it is sent. A browser that can't look has nothing to say. */
export async function checkPicture(
  picture: File,
  open: (picture: File) => Promise<PictureSample> = openPicture,
): Promise<PictureWarning[]> {
  try {
    return pictureWarnings(await open(picture))
  } catch {
    return []
  }
}

async function openPicture(picture: File): Promise<PictureSample> {
  const bitmap = await createImageBitmap(picture, { imageOrientation: 'from-image' })
  const scale = Math.min(1, COPY_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const size = { width: bitmap.width, height: bitmap.height }
  bitmap.close()
  return { ...size, copy: { grey: toGreyscale(data), width: canvas.width, height: canvas.height } }
}

/** The brightness of each pixel, as the eye weighs the colours. */
export function toGreyscale(rgba: Uint8ClampedArray): Uint8Array {
  const grey = new Uint8Array(rgba.length / 4)
  for (let i = 0; i < grey.length; i++) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(4 * i, 4 * i + 3)
    grey[i] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
  }
  return grey
}
