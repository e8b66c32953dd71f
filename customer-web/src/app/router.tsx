import type { ComponentType } from 'react'
import {
  type LoaderFunctionArgs,
  Outlet,
  type RouteObject,
  redirect,
  useLoaderData,
} from 'react-router'
import { withTexts } from '@/i18n/i18n'
import { guard } from './guard'
import { LoadingOverlay } from './loading-overlay'
import { Root } from './root'
import { RouteError } from './route-error'
import { type AppRoute, routes } from './routes'
import { AccountShell } from './shell/account-shell'
import { PageShell } from './shell/page-shell'
import { TabShell } from './shell/tab-shell'

const shells: Record<AppRoute['layout'], ComponentType> = {
  tab: TabShell,
  page: PageShell,
  account: AccountShell,
  bare: Outlet,
}

/** Redirects, or loads the screen. A failed load is tried again by the next navigation, which `lazy` would not do. */
async function loadScreen({ load, texts = [] }: AppRoute, { request }: LoaderFunctionArgs) {
  const elsewhere = guard(new URL(request.url))
  if (elsewhere !== null) throw redirect(elsewhere)
  return (await withTexts(load, texts)).default
}

function Screen() {
  const Loaded = useLoaderData() as ComponentType
  return <Loaded />
}

function objectOf(route: AppRoute): RouteObject {
  return {
    id: route.name,
    path: route.path,
    caseSensitive: true,
    loader: (about) => loadScreen(route, about),
    // Another tab, filter or page of the same screen loads nothing.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
    Component: Screen,
    ErrorBoundary: RouteError,
  }
}

/** The tree of screens in their frames. */
export function routeObjects(): RouteObject[] {
  const frames = Object.entries(shells).map(([layout, Shell]) => ({
    Component: Shell,
    children: routes.filter((route) => route.layout === layout).map(objectOf),
  }))
  const unknown = {
    path: '*',
    loader: ({ request }: LoaderFunctionArgs) => redirect(guard(new URL(request.url)) ?? '/'),
  }
  return [
    {
      Component: Root,
      ErrorBoundary: RouteError,
      HydrateFallback: Starting,
      children: [...frames, unknown],
    },
  ]
}

function Starting() {
  return <LoadingOverlay active />
}
