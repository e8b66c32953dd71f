import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CallFailure } from '@/api/client'
import { renderPart } from '@/testing/render-app'
import { UploadingPicture } from './uploading-picture'

const show = (failure: unknown) =>
  renderPart(
    <UploadingPicture
      uploading={{ id: '1', at: 0, file: new File([], 'photo.jpg'), text: '', share: 0, failure }}
    />,
  )

test('what did not arrive can be sent again', async () => {
  await show(new CallFailure(429, { code: 'busy' }))
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Discard' })).toBeTruthy()
})

test.each([
  'upload.infected',
  'upload.format',
  'upload.too_large',
  'upload.too_detailed',
  'upload.pdf_locked',
])('a file that is refused for good (%s) can only be discarded', async (code) => {
  await show(new CallFailure(200, { code }))
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Discard' })).toBeTruthy()
})
