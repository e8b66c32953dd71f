import { expect, test, vi } from 'vitest'
import { onSessionEnded, reportSessionEnded, whileLeaving } from './session-ended'

test('a session that ends is reported, but not while its trader logs out', async () => {
  const heard = vi.fn()
  const stop = onSessionEnded(heard)
  let answer = () => {}
  const left = whileLeaving(
    new Promise<void>((done) => {
      answer = done
    }),
  )
  reportSessionEnded()
  expect(heard).not.toHaveBeenCalled()
  answer()
  await left
  reportSessionEnded()
  expect(heard).toHaveBeenCalledOnce()
  stop()
})

test('a log-out that fails leaves the session as it was', async () => {
  const heard = vi.fn()
  const stop = onSessionEnded(heard)
  await expect(whileLeaving(Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  reportSessionEnded()
  expect(heard).toHaveBeenCalledOnce()
  stop()
})
