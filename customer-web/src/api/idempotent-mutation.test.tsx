import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { api, CallFailure, call, idempotent, type Write } from './client'
import { useIdempotentMutation } from './idempotent-mutation'
import { setShownAccount } from './request-headers'

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
  const { result, unmount } = renderHook(() => useIdempotentMutation({ send }), { wrapper })
  await act(async () => result.current.mutate({ productId: 1 }, { onSuccess, onSettled }))
  unmount()
  answer('closed')
  await waitFor(() => expect(onSettled).toHaveBeenCalled())
  expect(onSuccess).toHaveBeenCalledWith('closed')
})

test('two presses in one tick are one write, and the next press is another', async () => {
  const send = vi.fn((_: unknown, { key }: Write) => Promise.resolve(key))
  const onSuccess = vi.fn()
  const { result } = renderHook(() => useIdempotentMutation({ send }), { wrapper })
  const press = () => result.current.mutate({ productId: 1 }, { onSuccess })
  await act(async () => {
    press()
    press()
  })
  await waitFor(() => expect(onSuccess).toHaveBeenCalled())
  expect(send).toHaveBeenCalledTimes(1)
  expect(onSuccess).toHaveBeenCalledTimes(1)
  await act(async () => press())
  await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(2))
  expect(send).toHaveBeenCalledTimes(2)
})

test('a refusal is told to whoever asked', async () => {
  const onSuccess = vi.fn()
  const onError = vi.fn()
  const refusal = new Error('no')
  const send = () => Promise.reject(refusal)
  const { result } = renderHook(() => useIdempotentMutation({ send }), { wrapper })
  await act(async () => result.current.mutate({}, { onSuccess, onError }))
  await waitFor(() => expect(onError).toHaveBeenCalledWith(refusal))
  expect(onSuccess).not.toHaveBeenCalled()
})

test('a proof that is given anew makes no other write; another amount does', async () => {
  const keys: string[] = []
  const send = (_: unknown, { key }: Write) => {
    keys.push(key)
    return Promise.reject(new CallFailure(503))
  }
  const write = renderHook(
    () =>
      useIdempotentMutation({
        send,
        sameBy: ({ amount }: { amount: string; code: string }) => amount,
      }),
    { wrapper },
  )
  vi.useFakeTimers()
  const press = async (amount: string, code: string) => {
    await act(async () => write.result.current.mutate({ amount, code }))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
  }
  await press('100', '123456')
  await press('100', '654321')
  expect(keys.length).toBe(8)
  expect(new Set(keys).size).toBe(1)
  await press('200', '654321')
  expect(new Set(keys).size).toBe(2)
  vi.useRealTimers()
})

test('a write that is sent again names the account that it was made on', async () => {
  setShownAccount(11)
  const named: (string | null)[] = []
  vi.stubGlobal('fetch', async ({ headers }: Request) => {
    named.push(headers.get('accountId'))
    setShownAccount(12) // another tab switches before the answer
    throw new TypeError('no network')
  })
  const send = (body: { ids: number[] }, write: Write) =>
    call(api.POST('/client/trade/closeAllPositions', { body, ...idempotent(write) } as never))
  const { result } = renderHook(() => useIdempotentMutation({ send }), { wrapper })
  vi.useFakeTimers()
  await act(async () => result.current.mutate({ ids: [1] }))
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(named).toEqual(['11', '11', '11', '11'])
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setShownAccount(undefined)
})
