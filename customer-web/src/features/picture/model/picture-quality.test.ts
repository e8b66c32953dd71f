import { describe, expect, test, vi } from 'vitest'
import {
  checkPicture,
  type PictureSample,
  pictureWarnings,
  sharpness,
  toGreyscale,
} from './picture-quality'

const SIDE = 60

/** A sample whose greyscale copy has the given brightness at each pixel. */
function picture(at: (x: number, y: number) => number, side = 2000): PictureSample {
  const grey = Uint8Array.from({ length: SIDE * SIDE }, (_, i) =>
    at(i % SIDE, Math.floor(i / SIDE)),
  )
  return { width: side, height: side, copy: { grey, width: SIDE, height: SIDE } }
}

/** Letters: dark strokes on a light background. */
const letters = (x: number, y: number) => (x % 6 < 2 && y % 9 < 6 ? 60 : 200)

describe('a picture', () => {
  test('that is large, lit and in focus has nothing against it', () => {
    expect(pictureWarnings(picture(letters))).toEqual([])
  })

  test('may not be too small', () => {
    expect(pictureWarnings(picture(letters, 639))).toEqual(['small'])
    expect(pictureWarnings(picture(letters, 640))).toEqual([])
  })

  test('may not be too dark', () => {
    expect(pictureWarnings(picture((x, y) => letters(x, y) / 5))).toEqual(['dark'])
    expect(pictureWarnings(picture((x, y) => letters(x, y) / 3))).toEqual([])
  })

  test('may not be mostly white', () => {
    expect(pictureWarnings(picture((x, y) => (y < 40 ? 255 : letters(x, y))))).toEqual(['bright'])
    expect(pictureWarnings(picture((x, y) => (y < 20 ? 255 : letters(x, y))))).toEqual([])
  })

  test('may not be blurred', () => {
    const soft = (x: number) => 130 + 70 * Math.sin(x / 8)
    expect(pictureWarnings(picture(soft))).toEqual(['blurred'])
    expect(sharpness(picture(letters).copy)).toBeGreaterThan(1000)
  })

  test('that is a single ground is blurred too', () => {
    expect(pictureWarnings(picture(() => 128))).toEqual(['blurred'])
  })

  test('that cannot be looked at has nothing against it', async () => {
    const file = new File(['x'], 'a.jpg', { type: 'image/jpeg' })
    expect(await checkPicture(file, () => Promise.reject(new Error('HEIC')))).toEqual([])
    const open = vi.fn(async () => picture(() => 0))
    expect(await checkPicture(file, open)).toEqual(['dark', 'blurred'])
    expect(open).toHaveBeenCalledWith(file)
  })
})

test('green weighs more than blue', () => {
  expect([...toGreyscale(new Uint8ClampedArray([0, 255, 0, 255, 0, 0, 255, 255]))]).toEqual([
    150, 29,
  ])
})
