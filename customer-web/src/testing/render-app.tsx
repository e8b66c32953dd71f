import { QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { createMemoryRouter, type DataRouter, RouterProvider, type To } from 'react-router'

import { App } from '@/app/app'
import { createQueryClient } from '@/app/query-client'
import { routeObjects } from '@/app/router'
import { loadTexts, startI18n } from '@/i18n/i18n'
import { MuiRoot } from '@/theme/mui-root'

/** What a test reads of the router, and does with it. */
function driverOf(router: DataRouter) {
  // A navigation may wait for a screen, which the test waits for itself.
  const start = (navigate: () => Promise<void>) => act(async () => void navigate())
  return {
    /** The current address. */
    get location() {
      return router.state.location
    },
    push: (to: To) => start(() => router.navigate(to)),
    go: (delta: number) => start(() => router.navigate(delta)),
    replace: (to: To) => start(() => router.navigate(to, { replace: true })),
  }
}

/** Starts the whole app at a path. */
export async function renderApp(path: string) {
  await startI18n(() => {})
  const router = createMemoryRouter(routeObjects(), { initialEntries: [path] })
  const view = render(<App router={router} queryClient={createQueryClient()} />)
  return { ...view, history: driverOf(router) }
}

/** Renders an element with texts, theme, query client and router. */
export async function renderPart(part: ReactElement, path = '/') {
  await startI18n(() => {})
  await loadTexts()
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [path] })
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <MuiRoot>
        <RouterProvider router={router} />
      </MuiRoot>
    </QueryClientProvider>,
  )
  return { ...view, history: driverOf(router) }
}

const WIDTHS = { phone: 0, tablet: 820, landscape: 844, desktop: Number.POSITIVE_INFINITY }

const UPRIGHT: readonly string[] = ['phone', 'tablet']

function matches(query: string, kind: keyof typeof WIDTHS): boolean {
  const least = Number(/min-width: ([\d.]+)px/.exec(query)?.[1] ?? Number.NaN)
  return least <= WIDTHS[kind] && !(query.includes('landscape') && UPRIGHT.includes(kind))
}

/** Sets the window to that of a phone, an upright tablet, one on its side, or a desktop, including media queries. */
export function setScreen(kind: keyof typeof WIDTHS): void {
  window.matchMedia = (query) =>
    ({
      matches: query.split(',').some((one) => matches(one, kind)),
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }) as unknown as MediaQueryList
}
