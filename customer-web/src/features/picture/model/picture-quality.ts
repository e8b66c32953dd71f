/** A quality problem of a picture that does not block it. */
export type PictureWarning = 'small' | 'dark' | 'bright' | 'blurred'

/** A small greyscale copy of a picture, one byte per pixel. */
export type GreyscaleCopy = { grey: Uint8Array; width: number; height: number }

/** The browser's input for the check: the picture's size and its small greyscale copy. */
export type PictureSample = { width: number; height: number; copy: GreyscaleCopy }

/** Below this length the longer side shows too little of a document. */
const SMALLEST_SIDE = 640
/** Length of the longer side of the analysed copy. */
const COPY_SIDE = 480
/** Mean brightness, of 255, below which a picture is dark. */
const DARK = 45
/** Brightness from which a pixel is overexposed, and the share of such pixels that is too much. */
const WHITE = 250
const TOO_MUCH_WHITE = 0.5
/** Minimum variance of the Laplacian; sharp text and faces have far more. */
const SHARP = 25

/** The quality problems of a picture. */
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

/** The variance of the Laplacian: how much pixels differ from their four neighbours. */
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

/** Checks a picture before upload; returns no warnings if the browser can't decode it. */
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

/** The luminance of each pixel. */
export function toGreyscale(rgba: Uint8ClampedArray): Uint8Array {
  const grey = new Uint8Array(rgba.length / 4)
  for (let i = 0; i < grey.length; i++) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(4 * i, 4 * i + 3)
    grey[i] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
  }
  return grey
}
