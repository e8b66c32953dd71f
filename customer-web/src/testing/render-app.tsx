import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import {
  UNSAFE_createMemoryHistory as createMemoryHistory,
  unstable_HistoryRouter as HistoryRouter,
} from 'react-router'
import { App } from '@/app/app'
import { createQueryClient } from '@/app/query-client'
import { loadTexts, startI18n } from '@/i18n/i18n'
import MuiRoot from '@/theme/mui-root'

const historyAt = (path: string) => createMemoryHistory({ initialEntries: [path], v5Compat: true })

/** Starts the whole app at a path. */
export async function renderApp(path: string) {
  await startI18n(() => {})
  const history = historyAt(path)
  const view = render(<App history={history} queryClient={createQueryClient()} />)
  return { ...view, history }
}

/** Renders an element with texts, theme, query client and router. */
export async function renderPart(part: ReactElement, path = '/') {
  await startI18n(() => {})
  await loadTexts()
  const history = historyAt(path)
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <HistoryRouter history={history}>
        <MuiRoot>{part}</MuiRoot>
      </HistoryRouter>
    </QueryClientProvider>,
  )
  return { ...view, history }
}

/** Sets the window width to a phone's or a desktop's, including media queries. */
export function setScreen(kind: 'phone' | 'desktop'): void {
  window.matchMedia = (query) =>
    ({
      matches: query.includes('min-width') ? kind === 'desktop' : false,
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }) as unknown as MediaQueryList
}
