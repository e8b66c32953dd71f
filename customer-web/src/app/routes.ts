import type { ComponentType } from 'react'
import { matchPath } from 'react-router'
import type { TextPart } from '@/i18n/text-parts'

export type AppRoute = {
  /** Hash path, matched strictly: case and slashes count. */
  path: `/${string}`
  /** Name of the screen, unique. */
  name: string
  /** May a guest open it? Everyone else is sent to log in and back. */
  guest: boolean
  /**
   * Around the screen: `tab` has the phone's bottom bar and the desktop's header, `page` has the
   * desktop's header alone (on a phone the screen brings its own top bar), `bare` has nothing.
   */
  layout: 'tab' | 'page' | 'bare'
  /**
   * The screen draws its first view without MUI, from src/ui alone, and must stay so: home, quotes and
   * trade have to open fast. All other screens get MUI's theme around them.
   */
  light?: boolean
  /** The screen stays in sight without a network, and says itself what it can't do then. */
  offline?: boolean
  /** The screen stays in sight during maintenance: the server answers its calls all the while. */
  maintained?: boolean
  /** The texts the screen waits for; without it, all of them. */
  texts?: TextPart
  load: () => Promise<{ default: ComponentType }>
  /** The same screen as a panel for a dialog; the log-in page has one. */
  loadPanel?: () => Promise<{ default: ComponentType<RoutePanelProps> }>
}

export type RoutePanelProps = {
  /** The panel has done its work, or the trader gave up: the dialog closes. */
  onClose: () => void
}

export const HOME_PATH = '/home/index'
export const LOGIN_PATH = '/login'

/** Every screen of the app. A new one is a line here and a file in ./routes. */
export const routes: readonly AppRoute[] = [
  {
    path: '/home/index',
    name: 'HomeIndex',
    guest: true,
    layout: 'tab',
    light: true,
    texts: 'first',
    load: () => import('./routes/home-index'),
  },
  {
    path: '/quotes',
    name: 'Quotes',
    guest: true,
    layout: 'tab',
    light: true,
    load: () => import('./routes/quotes'),
  },
  {
    path: '/search',
    name: 'Search',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/search'),
  },
  {
    path: '/editFav',
    name: 'EditFav',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/edit-fav'),
  },
  {
    path: '/trade',
    name: 'Trade',
    guest: false,
    layout: 'tab',
    light: true,
    texts: 'trade',
    load: () => import('./routes/trade'),
  },
  {
    path: '/pc/trade',
    name: 'PcTrade',
    guest: false,
    layout: 'page',
    light: true,
    texts: 'trade',
    load: () => import('./routes/pc-trade'),
  },
  {
    path: '/order',
    name: 'Order',
    guest: false,
    layout: 'tab',
    light: true,
    load: () => import('./routes/order'),
  },
  {
    path: '/historyOrders',
    name: 'HistoryOrders',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/history-orders'),
  },
  {
    path: '/webview/chart',
    name: 'WebviewChart',
    guest: true,
    layout: 'bare',
    light: true,
    load: () => import('./routes/webview-chart'),
  },
  {
    path: '/proof',
    name: 'Proof',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/proof'),
  },
  {
    path: '/notice',
    name: 'Notice',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/notice'),
  },
  {
    path: '/news',
    name: 'News',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/news'),
  },
  {
    path: '/problem',
    name: 'Problem',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/problem'),
  },
  {
    path: '/aboutUs',
    name: 'AboutUs',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/about-us'),
  },
  {
    path: '/relevant',
    name: 'Relevant',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/relevant'),
  },
  { path: '/lang', name: 'Lang', guest: true, layout: 'page', load: () => import('./routes/lang') },
  {
    path: '/preferenceSet',
    name: 'PreferenceSet',
    guest: true,
    layout: 'page',
    load: () => import('./routes/preference-set'),
  },
  {
    path: '/login',
    name: 'Login',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/login'),
    loadPanel: () => import('./routes/login-panel'),
  },
  {
    path: '/register',
    name: 'Register',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/register'),
  },
  {
    path: '/forgetPwd',
    name: 'ForgetPwd',
    guest: true,
    layout: 'page',
    light: true,
    load: () => import('./routes/forget-pwd'),
  },
  {
    path: '/myCenter',
    name: 'MyCenter',
    guest: false,
    layout: 'tab',
    light: true,
    load: () => import('./routes/my-center'),
  },
  {
    path: '/switchAccount',
    name: 'SwitchAccount',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/switch-account'),
  },
  {
    path: '/securitySet',
    name: 'SecuritySet',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/security-set'),
  },
  {
    path: '/modifyPayPassword',
    name: 'ModifyPayPassword',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/modify-pay-password'),
  },
  {
    path: '/deposite',
    name: 'Deposite',
    guest: false,
    layout: 'page',
    load: () => import('./routes/deposite'),
  },
  {
    path: '/addressManage',
    name: 'AddressManage',
    guest: false,
    layout: 'page',
    load: () => import('./routes/address-manage'),
  },
  {
    path: '/addAddress',
    name: 'AddAddress',
    guest: false,
    layout: 'page',
    load: () => import('./routes/add-address'),
  },
  {
    path: '/withdraw',
    name: 'Withdraw',
    guest: false,
    layout: 'page',
    load: () => import('./routes/withdraw'),
  },
  {
    path: '/mywallet',
    name: 'MyWallet',
    guest: false,
    layout: 'page',
    load: () => import('./routes/mywallet'),
  },
  {
    path: '/kefu',
    name: 'Kefu',
    guest: true,
    layout: 'page',
    light: true,
    offline: true,
    maintained: true,
    load: () => import('./routes/kefu'),
  },
  {
    path: '/authenticate',
    name: 'Authenticate',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/authenticate'),
  },
  {
    path: '/process',
    name: 'Process',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/process'),
  },
  {
    path: '/failed',
    name: 'Failed',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/failed'),
  },
  {
    path: '/successful',
    name: 'Successful',
    guest: false,
    layout: 'page',
    light: true,
    load: () => import('./routes/successful'),
  },
]

/** The screen at a path; undefined when there is none. */
export function routeAt(pathname: string): AppRoute | undefined {
  return routes.find((route) => {
    const matched = matchPath({ path: route.path, caseSensitive: true, end: true }, pathname)
    return matched !== null && matched.pathname === pathname && !/.\/$/.test(pathname)
  })
}

/** Whether a link to this path leads anywhere: navigation shows only what exists. */
export function hasRoute(pathname: string): boolean {
  return routeAt(pathname) !== undefined
}

/** Where a guest is sent to from a screen that needs a session. */
export function loginPathFrom(pathAndSearch: string): string {
  if (!hasRoute(LOGIN_PATH)) return HOME_PATH
  return `${LOGIN_PATH}?from=${encodeURIComponent(pathAndSearch)}`
}

/** Where to go after logging in: back to where the trader came from, if that is a screen of ours. */
export function returnPath(search: string, fallback: string = HOME_PATH): string {
  const from = new URLSearchParams(search).get('from')
  if (!from?.startsWith('/')) return fallback
  const pathname = from.split('?')[0] ?? ''
  return hasRoute(pathname) && pathname !== LOGIN_PATH ? from : fallback
}
