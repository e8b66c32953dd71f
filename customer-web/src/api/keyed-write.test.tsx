import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { useKeyedWrite } from './keyed-write'

function wrapper({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
}

test('what follows an answer happens although what asked is gone', async () => {
  let answer = (_: string) => {}
  const send = () =>
    new Promise<string>((resolve) => {
      answer = resolve
    })
  const onSuccess = vi.fn()
  const onSettled = vi.fn()
  const { result, unmount } = renderHook(() => useKeyedWrite({ send }), { wrapper })
  await act(async () => result.current.mutate({ productId: 1 }, { onSuccess, onSettled }))
  unmount()
  answer('closed')
  await vi.waitFor(() => expect(onSettled).toHaveBeenCalled())
  expect(onSuccess).toHaveBeenCalledWith('closed')
})

test('a refusal is told to whoever asked', async () => {
  const onSuccess = vi.fn()
  const onError = vi.fn()
  const refusal = new Error('no')
  const send = () => Promise.reject(refusal)
  const { result } = renderHook(() => useKeyedWrite({ send }), { wrapper })
  await act(async () => result.current.mutate({}, { onSuccess, onError }))
  await vi.waitFor(() => expect(onError).toHaveBeenCalledWith(refusal))
  expect(onSuccess).not.toHaveBeenCalled()
})
