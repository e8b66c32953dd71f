import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import CameraDialog from './camera-dialog'

vi.mock('../model/camera', async (original) => ({
  ...(await original<typeof import('../model/camera')>()),
  takeFrame: async () => new File(['x'], 'camera.jpg', { type: 'image/jpeg' }),
}))

afterEach(() => vi.unstubAllGlobals())

/** A camera whose answers are the given ones, one for each request. */
function camera(...answers: (Error | { stop: () => void })[]) {
  const getUserMedia = vi.fn(async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return { getTracks: () => [answer] }
  })
  vi.stubGlobal('navigator', Object.assign(navigator, { mediaDevices: { getUserMedia } }))
  URL.createObjectURL = () => 'blob:1'
  URL.revokeObjectURL = () => {}
}

const refusal = (name: string) => Object.assign(new Error(name), { name })
const button = (name: string) => screen.findByRole('button', { name })

test('a picture is taken, taken again, used, and the camera is switched off', async () => {
  const first = { stop: vi.fn() }
  const second = { stop: vi.fn() }
  camera(first, second)
  const onTaken = vi.fn()
  await renderPart(<CameraDialog mirrored onTaken={onTaken} onClose={() => {}} />)
  expect(((await button('Take photo')) as HTMLButtonElement).disabled).toBe(true)
  fireEvent.playing(await screen.findByLabelText('Live picture of the camera'))
  await userEvent.click(await button('Take photo'))
  await userEvent.click(await button('Take again'))
  expect(first.stop).toHaveBeenCalled()
  fireEvent.playing(await screen.findByLabelText('Live picture of the camera'))
  await userEvent.click(await button('Take photo'))
  await userEvent.click(await button('Use photo'))
  expect(onTaken).toHaveBeenCalledOnce()
  await waitFor(() => expect(second.stop).toHaveBeenCalled())
})

test.each([
  ['NotAllowedError', /may not use your camera/],
  ['NotFoundError', /No camera was found/],
  ['NotReadableError', /can’t be used right now/],
])('%s is explained, and may be tried again', async (name, text) => {
  camera(refusal(name), { stop: () => {} })
  await renderPart(<CameraDialog mirrored={false} onTaken={() => {}} onClose={() => {}} />)
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Take photo' })).toBeNull()
  await userEvent.click(await button('Try again'))
  expect(await button('Take photo')).toBeTruthy()
  expect(screen.queryByText(text)).toBeNull()
})
