import { describe, expect, test, vi } from 'vitest'
import { PICTURE_MAX_BYTES, preparePicture } from './prepare-picture'

function file(name: string, type: string, size = 1000): File {
  const made = new File(['x'], name, { type })
  Object.defineProperty(made, 'size', { value: size })
  return made
}

const same = async (picture: File) => picture

describe('a picture', () => {
  test('is shrunk before it is sent', async () => {
    const small = file('1.jpg', 'image/jpeg')
    const shrink = vi.fn(async () => small)
    const large = file('photo.jpg', 'image/jpeg', 8_000_000)
    expect(await preparePicture(large, shrink)).toEqual({ picture: small })
    expect(shrink).toHaveBeenCalledWith(large)
  })

  test.each([
    ['photo.heic', 'image/heic', 'heic'],
    ['PHOTO.HEIC', '', 'heic'],
    ['photo.heif', 'image/heif', 'heic'],
    ['statement.pdf', 'application/pdf', 'format'],
    ['photo.webp', 'image/webp', 'format'],
    ['photo', '', 'format'],
  ])('%s of type "%s" is refused as %s', async (name, type, problem) => {
    const shrink = vi.fn(same)
    expect(await preparePicture(file(name, type), shrink)).toEqual({ problem })
    expect(shrink).not.toHaveBeenCalled()
  })

  test('without a type goes by its name', async () => {
    expect(await preparePicture(file('a.PNG', ''), same)).toHaveProperty('picture')
  })

  test('that the browser cannot read is refused', async () => {
    expect(await preparePicture(file('a.jpg', 'image/jpeg'), async () => null)).toEqual({
      problem: 'unreadable',
    })
  })

  test('that stays too large is refused', async () => {
    const huge = file('a.jpg', 'image/jpeg', PICTURE_MAX_BYTES + 1)
    expect(await preparePicture(huge, same)).toEqual({ problem: 'too_large' })
    expect(
      await preparePicture(file('a.jpg', 'image/jpeg', PICTURE_MAX_BYTES), same),
    ).toHaveProperty('picture')
  })
})
