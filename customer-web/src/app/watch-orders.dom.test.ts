import { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AccountEvent } from '@/live/live'
import { watchOrders } from './watch-orders'

const heard = vi.hoisted(() => ({ tell: (_: AccountEvent): void => {} }))

vi.mock('@/live/live', () => ({
  onAccountEvent: (listener: (event: AccountEvent) => void) => {
    heard.tell = listener
    return () => {}
  },
}))

const fetched = vi.fn(async () => ({ list: [], next: 0 }))
let client: QueryClient

beforeEach(async () => {
  fetched.mockClear()
  client = new QueryClient()
  // Fetched on a screen that is not shown any more.
  await client.prefetchQuery({ queryKey: ['history', 'fills', {}], queryFn: fetched })
  watchOrders(client)
})

test.each(['fill', 'order'] as const)(
  'after a %s the fills of a closed screen are fetched again',
  async (event) => {
    heard.tell({ event })
    await waitFor(() => expect(fetched).toHaveBeenCalledTimes(2))
  },
)

test('another event leaves them', async () => {
  heard.tell({ event: 'balance' })
  expect(client.getQueryState(['history', 'fills', {}])?.isInvalidated).toBe(false)
  expect(fetched).toHaveBeenCalledTimes(1)
})
