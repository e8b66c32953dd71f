import { describe, expect, test, vi } from 'vitest'
import { fileKind, PICTURE_MAX_BYTES, pictureAccept, preparePicture } from './prepare-picture'

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
    expect(await preparePicture(large, {}, shrink)).toEqual({ picture: small })
    expect(shrink).toHaveBeenCalledWith(large)
  })

  test.each([
    ['statement.pdf', 'application/pdf', 'pdf'],
    ['statement.PDF', '', 'pdf'],
    ['photo.webp', 'image/webp', 'format'],
    ['photo', '', 'format'],
  ])('%s of type "%s" is refused as %s', async (name, type, problem) => {
    const shrink = vi.fn(same)
    expect(await preparePicture(file(name, type), {}, shrink)).toEqual({ problem })
    expect(shrink).not.toHaveBeenCalled()
  })

  test.each([
    ['photo.heic', 'image/heic', {}],
    ['PHOTO.HEIC', '', {}],
    ['photo.heif', 'image/heif', {}],
    ['statement.pdf', 'application/pdf', { pdf: true }],
  ])('%s of type "%s" is sent as it is', async (name, type, use) => {
    const shrink = vi.fn(same)
    const picture = file(name, type, PICTURE_MAX_BYTES)
    expect(await preparePicture(picture, use, shrink)).toEqual({ picture })
    const large = file(name, type, PICTURE_MAX_BYTES + 1)
    expect(await preparePicture(large, use, shrink)).toEqual({ problem: 'large_file' })
    expect(shrink).not.toHaveBeenCalled()
  })

  test('is what its type says, not its name', () => {
    expect(fileKind(file('a.jpg', 'application/pdf'))).toBe('pdf')
    expect(fileKind(file('a.pdf', 'image/jpeg'))).toBe('shown')
  })

  test('in HEIC is converted by an iPhone, and chosen elsewhere', () => {
    expect(pictureAccept({}, 'iPhone')).toBe('image/jpeg,image/png')
    expect(pictureAccept({}, 'Macintosh')).toContain('image/heic')
    expect(pictureAccept({}, 'Macintosh')).not.toContain('pdf')
    expect(pictureAccept({ pdf: true }, 'iPhone')).toContain('application/pdf')
  })

  test('without a type goes by its name', async () => {
    expect(await preparePicture(file('a.PNG', ''), {}, same)).toHaveProperty('picture')
  })

  test('that the browser cannot read is refused', async () => {
    expect(await preparePicture(file('a.jpg', 'image/jpeg'), {}, async () => null)).toEqual({
      problem: 'unreadable',
    })
  })

  test('that stays too large is refused', async () => {
    const huge = file('a.jpg', 'image/jpeg', PICTURE_MAX_BYTES + 1)
    expect(await preparePicture(huge, {}, same)).toEqual({ problem: 'too_large' })
    expect(
      await preparePicture(file('a.jpg', 'image/jpeg', PICTURE_MAX_BYTES), {}, same),
    ).toHaveProperty('picture')
  })
})
