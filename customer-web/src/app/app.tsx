import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { createHashRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'

export type AppProps = { router: ReturnType<typeof createHashRouter>; queryClient: QueryClient }

export function App({ router, queryClient }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}
