import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type DataRouter, RouterProvider } from 'react-router'

import { MuiRoot } from '@/theme/mui-root'

export type AppProps = { router: DataRouter; queryClient: QueryClient }

export function App({ router, queryClient }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <MuiRoot>
        <RouterProvider router={router} />
      </MuiRoot>
    </QueryClientProvider>
  )
}
