import { QueryClient } from '@tanstack/react-query'

/** The query client of the app. A failed query is retried once; live prices don't use it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: 1, staleTime: 10_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}
