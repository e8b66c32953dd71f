import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { usePicture } from '../model/use-picture'
import { PictureField } from './picture-field'

vi.mock('@/theme/use-media', () => ({ useDesktop: () => true, useReducedMotion: () => true }))

const scan = () => new File(['%PDF-'], 'scan.pdf', { type: 'application/pdf' })
const transfer = (file: File) => ({ files: [file], types: ['Files'] })

function Field({ pdf = true, busy = false }: { pdf?: boolean; busy?: boolean }) {
  const chosen = usePicture({ pdf })
  return (
    <>
      <PictureField chosen={chosen} facing="user" busy={busy} />
      <textarea aria-label="Words" />
    </>
  )
}

const status = () => screen.getByRole('status').textContent

beforeEach(() => {
  URL.createObjectURL = () => 'blob:1'
  URL.revokeObjectURL = () => {}
})

test('a dropped file is taken, named and announced', async () => {
  await renderPart(<Field />)
  const target = screen.getByText('Drop a file here, paste it, or choose one.')
  fireEvent.dragOver(target, { dataTransfer: transfer(scan()) })
  fireEvent.drop(target, { dataTransfer: transfer(scan()) })
  expect(await screen.findByText('scan.pdf')).toBeTruthy()
  expect(status()).toBe('scan.pdf is ready to send.')
  expect(screen.queryByRole('img', { name: /will be sent/ })).toBeNull()
})

test('a pasted file is taken, unless it is pasted into a text', async () => {
  await renderPart(<Field />)
  fireEvent.paste(screen.getByLabelText('Words'), { clipboardData: transfer(scan()) })
  expect(status()).toBe('')
  fireEvent.paste(document.body, { clipboardData: transfer(scan()) })
  expect(await screen.findByText('scan.pdf')).toBeTruthy()
})

test('a PDF is refused where only pictures are taken', async () => {
  await renderPart(<Field pdf={false} />)
  fireEvent.paste(document.body, { clipboardData: transfer(scan()) })
  expect(await screen.findByText(/A PDF can’t be used here/)).toBeTruthy()
  expect(screen.queryByText('scan.pdf')).toBeNull()
})

test('nothing is taken while the field is busy', async () => {
  await renderPart(<Field busy />)
  fireEvent.paste(document.body, { clipboardData: transfer(scan()) })
  fireEvent.drop(screen.getByText(/Drop a file here/), { dataTransfer: transfer(scan()) })
  expect(status()).toBe('')
  expect(screen.queryByText('scan.pdf')).toBeNull()
})
