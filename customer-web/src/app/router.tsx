import { createHashRouter, type RouteObject, redirect } from 'react-router'
import { withTexts } from '@/i18n/i18n'
import { ErrorScreen } from './error-screen'
import { guard } from './guard'
import { LoadingOverlay } from './loading-overlay'
import { Root } from './root'
import { type AppRoute, HOME_PATH, routes } from './routes'
import { PageShell } from './shell/page-shell'
import { TabShell } from './shell/tab-shell'

function toRouteObject({ path, name, load, texts }: AppRoute): RouteObject {
  return {
    id: name,
    path,
    caseSensitive: true,
    loader: ({ request }) => guard(request),
    lazy: async () => ({ Component: (await withTexts(load, texts)).default }),
    errorElement: <ErrorScreen />,
  }
}

/** The screens of one layout; those that are not light have MUI around them. */
function routesIn(layout: AppRoute['layout']): RouteObject[] {
  const here = routes.filter((route) => route.layout === layout)
  return [
    ...here.filter(({ light }) => light).map(toRouteObject),
    {
      id: `${layout}-mui`,
      lazy: async () => ({ Component: (await import('./shell/mui-layout')).default }),
      children: here.filter(({ light }) => !light).map(toRouteObject),
    },
  ]
}

const goHome = () => redirect(HOME_PATH)

/** The route objects behind the router; tests put them on a router in memory. */
export function routeObjects(): RouteObject[] {
  return [
    {
      element: <Root />,
      errorElement: <ErrorScreen />,
      hydrateFallbackElement: <LoadingOverlay active />,
      children: [
        { element: <TabShell />, children: routesIn('tab') },
        { element: <PageShell />, children: routesIn('page') },
        ...routesIn('bare'),
        { path: '/', loader: goHome, element: null },
        { path: '/home', caseSensitive: true, loader: goHome, element: null },
        { path: '*', loader: goHome, element: null },
      ],
    },
  ]
}

export function createRouter() {
  return createHashRouter(routeObjects())
}
