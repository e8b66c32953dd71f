import { QueryClient } from '@tanstack/react-query'

/** Server data for the whole app. A call is repeated once; prices do not come through here. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: 1, staleTime: 10_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}
