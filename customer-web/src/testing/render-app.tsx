import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { createQueryClient } from '@/app/query-client'
import { routeObjects } from '@/app/router'
import { loadTexts, startI18n } from '@/i18n/i18n'
import MuiRoot from '@/theme/mui-root'

/** Starts the whole app at a path, as a trader would open it. */
export async function renderApp(path: string) {
  await startI18n(() => {})
  const router = createMemoryRouter(routeObjects(), { initialEntries: [path] })
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { ...view, router }
}

/** Renders one part with texts, theme, server data and a router around it. */
export async function renderPart(part: ReactElement, path = '/') {
  await startI18n(() => {})
  await loadTexts()
  const router = createMemoryRouter([{ path: '*', element: <MuiRoot>{part}</MuiRoot> }], {
    initialEntries: [path],
  })
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { ...view, router }
}

/** Makes the window as wide as a phone or a desktop for everything that asks. */
export function setScreen(kind: 'phone' | 'desktop'): void {
  window.matchMedia = (query) =>
    ({
      matches: query.includes('min-width') ? kind === 'desktop' : false,
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }) as unknown as MediaQueryList
}
