import { describe, expect, test, vi } from 'vitest'
import { type ImageTools, shrinkImage, shrunkSize } from './shrink-image'

function picture(bytes: number, type = 'image/jpeg'): File {
  const file = new File(['x'], 'passport.jpg', { type })
  Object.defineProperty(file, 'size', { value: bytes })
  return file
}

function toolsFor(width: number, height: number) {
  return {
    decode: vi.fn<ImageTools['decode']>().mockResolvedValue({
      width,
      height,
      source: document.createElement('canvas'),
    }),
    encode: vi
      .fn<ImageTools['encode']>()
      .mockImplementation(async (_image, _width, _height, type) => new Blob(['small'], { type })),
    now: () => 1763653328000,
  }
}

describe('shrinkImage', () => {
  test('leaves a picture of exactly 5,000,000 bytes as it is', async () => {
    const tools = toolsFor(9000, 9000)
    const file = picture(5_000_000)
    expect(await shrinkImage(file, tools)).toBe(file)
    expect(tools.decode).not.toHaveBeenCalled()
  })

  test('scales a larger one to 40 % at quality 0.5, named by the time', async () => {
    const tools = toolsFor(8000, 6000)
    const made = await shrinkImage(picture(5_000_001), tools)
    expect(tools.encode).toHaveBeenCalledWith(expect.anything(), 3200, 2400, 'image/jpeg', 0.5)
    expect(made?.name).toBe('1763653328000.jpg')
    expect(made?.type).toBe('image/jpeg')
  })

  test('keeps WebP', async () => {
    const made = await shrinkImage(picture(6_000_000, 'image/webp'), toolsFor(100, 100))
    expect(made?.name).toBe('1763653328000.webp')
  })

  test('is null when the browser cannot read or encode it', async () => {
    const unreadable = toolsFor(1, 1)
    unreadable.decode.mockRejectedValue(new DOMException('heic'))
    expect(await shrinkImage(picture(6_000_000), unreadable)).toBeNull()

    const unwritable = toolsFor(1, 1)
    unwritable.encode.mockResolvedValue(null)
    expect(await shrinkImage(picture(6_000_000), unwritable)).toBeNull()
  })
})

test.each([
  [3000, 2000, 1200, 800],
  [10172, 100, 4069, 40],
  [10173, 100, 4069, 40],
  [10175, 100, 1628, 16],
  [100, 30000, 16, 1920 * 2.5],
  [1, 1, 1, 1],
])('%i × %i becomes smaller until both sides fit', (width, height) => {
  const size = shrunkSize(width, height)
  expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(4069)
  expect(size.width).toBeGreaterThanOrEqual(1)
})

test('sides are scaled at least once, and again while one is above 4069', () => {
  expect(shrunkSize(3000, 2000)).toEqual({ width: 1200, height: 800 })
  expect(shrunkSize(12000, 9000)).toEqual({ width: 1920, height: 1440 })
  expect(shrunkSize(10172, 100)).toEqual({ width: 4069, height: 40 })
})
