import type { ComponentType } from 'react'
import type { Namespace } from '@/i18n/namespaces'
import { LOGIN_PATH } from '@/session/login-path'

export type AppRoute = {
  /** Hash path, matched exactly, including case and slashes. */
  path: `/${string}`
  /** Unique name of the screen. */
  name: string
  /** Whether visitors may open it; otherwise they are sent to the log-in and back. */
  guest: boolean
  /**
   * The frame: `tab` adds the phone's bottom bar and the desktop header, `page` only the desktop header (on a
   * phone the screen has its own top bar), `account` also the desktop's menu of the user centre, `bare` nothing.
   */
  layout: 'tab' | 'page' | 'account' | 'bare'
  /** The screen stays visible without a network and shows itself what does not work. */
  offline?: boolean
  /** The screen stays visible during maintenance, because the server still answers its calls. */
  maintained?: boolean
  /** The namespaces of texts that the screen waits for, besides `common`. */
  texts?: readonly Namespace[]
  load: () => Promise<{ default: ComponentType }>
  /** The same screen as a panel in a dialog; only the log-in page has one. */
  loadPanel?: () => Promise<{ default: ComponentType<RoutePanelProps> }>
}

export type RoutePanelProps = {
  /** Closes the dialog: the trader finished or cancelled. */
  onClose: () => void
}

export const HOME_PATH = '/home/index'

/** Every screen of the app. A new one needs a line here and a file in ./routes. */
export const routes: readonly AppRoute[] = [
  {
    path: '/home/index',
    name: 'HomeIndex',
    guest: true,
    layout: 'tab',
    load: () => import('./routes/home-index'),
  },
  {
    path: '/quotes',
    name: 'Quotes',
    guest: true,
    layout: 'tab',
    load: () => import('./routes/quotes'),
  },
  {
    path: '/search',
    name: 'Search',
    guest: true,
    layout: 'page',
    load: () => import('./routes/search'),
  },
  {
    path: '/editFav',
    name: 'EditFav',
    guest: true,
    layout: 'page',
    load: () => import('./routes/edit-fav'),
  },
  {
    path: '/trade',
    name: 'Trade',
    guest: true,
    layout: 'tab',
    texts: ['trading'],
    load: () => import('./routes/trade'),
  },
  {
    path: '/pc/trade',
    name: 'PcTrade',
    guest: true,
    layout: 'page',
    texts: ['trading'],
    load: () => import('./routes/pc-trade'),
  },
  {
    path: '/product',
    name: 'Product',
    guest: true,
    layout: 'page',
    texts: ['trading'],
    load: () => import('./routes/product'),
  },
  {
    path: '/order',
    name: 'Order',
    guest: false,
    layout: 'tab',
    texts: ['trading'],
    load: () => import('./routes/order'),
  },
  {
    path: '/historyOrders',
    name: 'HistoryOrders',
    guest: false,
    layout: 'page',
    texts: ['trading', 'money'],
    load: () => import('./routes/history-orders'),
  },
  {
    path: '/statement',
    name: 'Statement',
    guest: false,
    layout: 'bare',
    texts: ['trading', 'money'],
    load: () => import('./routes/statement'),
  },
  {
    path: '/webview/chart',
    name: 'WebviewChart',
    guest: true,
    layout: 'bare',
    texts: ['trading'],
    load: () => import('./routes/webview-chart'),
  },
  {
    path: '/proof',
    name: 'Proof',
    guest: true,
    layout: 'account',
    texts: ['trading', 'money', 'support'],
    load: () => import('./routes/proof'),
  },
  {
    path: '/notice',
    name: 'Notice',
    guest: true,
    layout: 'account',
    texts: ['trading', 'account', 'support'],
    load: () => import('./routes/notice'),
  },
  {
    path: '/news',
    name: 'News',
    guest: true,
    layout: 'account',
    texts: ['trading', 'support'],
    load: () => import('./routes/news'),
  },
  {
    path: '/problem',
    name: 'Problem',
    guest: true,
    layout: 'account',
    texts: ['account', 'support'],
    load: () => import('./routes/problem'),
  },
  {
    path: '/aboutUs',
    name: 'AboutUs',
    guest: true,
    layout: 'account',
    texts: ['support'],
    load: () => import('./routes/about-us'),
  },
  {
    path: '/relevant',
    name: 'Relevant',
    guest: true,
    layout: 'account',
    texts: ['account', 'support'],
    load: () => import('./routes/relevant'),
  },
  {
    path: '/lang',
    name: 'Lang',
    guest: true,
    layout: 'account',
    load: () => import('./routes/lang'),
  },
  {
    path: '/preferenceSet',
    name: 'PreferenceSet',
    guest: true,
    layout: 'account',
    texts: ['trading', 'account'],
    load: () => import('./routes/preference-set'),
  },
  {
    path: '/login',
    name: 'Login',
    guest: true,
    layout: 'page',
    texts: ['account'],
    load: () => import('./routes/login'),
    loadPanel: () => import('./routes/login-panel'),
  },
  {
    path: '/register',
    name: 'Register',
    guest: true,
    layout: 'page',
    texts: ['account'],
    load: () => import('./routes/register'),
  },
  {
    path: '/forgetPwd',
    name: 'ForgetPwd',
    guest: true,
    layout: 'page',
    texts: ['account'],
    load: () => import('./routes/forget-pwd'),
  },
  {
    path: '/myCenter',
    name: 'MyCenter',
    guest: false,
    layout: 'account',
    texts: ['money', 'account', 'support'],
    load: () => import('./routes/my-center'),
  },
  {
    path: '/switchAccount',
    name: 'SwitchAccount',
    guest: false,
    layout: 'account',
    texts: ['trading', 'account'],
    load: () => import('./routes/switch-account'),
  },
  {
    path: '/securitySet',
    name: 'SecuritySet',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/security-set'),
  },
  {
    path: '/secondFactor',
    name: 'SecondFactor',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/second-factor'),
  },
  {
    path: '/personalInfo',
    name: 'PersonalInfo',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/personal-info'),
  },
  {
    path: '/invite',
    name: 'Invite',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/invite'),
  },
  {
    path: '/bonus',
    name: 'Bonus',
    guest: false,
    layout: 'account',
    texts: ['account'],
    load: () => import('./routes/bonus'),
  },
  {
    path: '/creditScore',
    name: 'CreditScore',
    guest: false,
    layout: 'account',
    texts: ['account'],
    load: () => import('./routes/credit-score'),
  },
  {
    path: '/modifyPassword',
    name: 'ModifyPassword',
    guest: false,
    layout: 'account',
    texts: ['account'],
    load: () => import('./routes/modify-password'),
  },
  {
    path: '/bindContact',
    name: 'BindContact',
    guest: false,
    layout: 'account',
    texts: ['account'],
    load: () => import('./routes/bind-contact'),
  },
  {
    path: '/deviceManagement',
    name: 'DeviceManagement',
    guest: false,
    layout: 'account',
    texts: ['account'],
    load: () => import('./routes/device-management'),
  },
  {
    path: '/securityEvents',
    name: 'SecurityEvents',
    guest: false,
    layout: 'account',
    texts: ['account'],
    load: () => import('./routes/security-events'),
  },
  {
    path: '/modifyPayPassword',
    name: 'ModifyPayPassword',
    guest: false,
    layout: 'account',
    texts: ['account'],
    load: () => import('./routes/modify-pay-password'),
  },
  {
    path: '/deposite',
    name: 'Deposite',
    guest: false,
    layout: 'page',
    texts: ['money', 'account'],
    load: () => import('./routes/deposite'),
  },
  {
    path: '/addressManage',
    name: 'AddressManage',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/address-manage'),
  },
  {
    path: '/addAddress',
    name: 'AddAddress',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/add-address'),
  },
  {
    path: '/withdraw',
    name: 'Withdraw',
    guest: false,
    layout: 'page',
    texts: ['money', 'account'],
    load: () => import('./routes/withdraw'),
  },
  {
    path: '/mywallet',
    name: 'MyWallet',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/mywallet'),
  },
  {
    path: '/ledger',
    name: 'Ledger',
    guest: false,
    layout: 'account',
    texts: ['trading', 'money'],
    load: () => import('./routes/ledger'),
  },
  {
    path: '/kefu',
    name: 'Kefu',
    guest: true,
    layout: 'page',
    offline: true,
    maintained: true,
    texts: ['trading', 'money', 'account', 'support'],
    load: () => import('./routes/kefu'),
  },
  {
    path: '/authenticate',
    name: 'Authenticate',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/authenticate'),
  },
  {
    path: '/process',
    name: 'Process',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/process'),
  },
  {
    path: '/failed',
    name: 'Failed',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/failed'),
  },
  {
    path: '/successful',
    name: 'Successful',
    guest: false,
    layout: 'account',
    texts: ['money', 'account'],
    load: () => import('./routes/successful'),
  },
]

/** The route of a path; undefined if there is none. */
export function routeAt(pathname: string): AppRoute | undefined {
  return routes.find(({ path }) => path === pathname)
}

/** Reports whether a path has a screen. Navigation only links to existing screens. */
export function hasRoute(pathname: string): boolean {
  return routeAt(pathname) !== undefined
}

/** Where to go after the log-in: back to the page the trader came from, if it is one of our screens. */
export function returnPath(search: string, fallback: string = HOME_PATH): string {
  const from = new URLSearchParams(search).get('from')
  if (!from?.startsWith('/')) return fallback
  const pathname = from.split('?')[0] ?? ''
  return hasRoute(pathname) && pathname !== LOGIN_PATH ? from : fallback
}
