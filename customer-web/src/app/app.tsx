import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type History, Screens } from './screens'

export type AppProps = { history: History; queryClient: QueryClient }

export function App({ history, queryClient }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Screens history={history} />
    </QueryClientProvider>
  )
}
