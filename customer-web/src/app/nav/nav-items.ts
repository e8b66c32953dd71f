import type { TextKey } from '@/i18n/i18n'
import type { IconName } from '@/ui/icons/icon-shapes'
import { hasRoute, routeAt } from '../routes'

export type NavItem = { path: string; text: TextKey; icon: IconName }

export const MY_CENTER_PATH = '/myCenter'
export const TRADE_PATH = '/trade'

/** The screens that both a main navigation and the user centre lead to. */
export const walletItem: NavItem = { path: '/mywallet', text: 'shell.nav.wallet', icon: 'wallet' }
export const newsItem: NavItem = { path: '/news', text: 'shell.nav.news', icon: 'news' }

const quotesItem: NavItem = { path: '/quotes', text: 'shell.nav.quotes', icon: 'quotes' }
const ordersItem: NavItem = { path: '/order', text: 'shell.nav.orders', icon: 'orders' }

const phoneItems: readonly NavItem[] = [
  { path: '/home/index', text: 'shell.nav.home', icon: 'home' },
  quotesItem,
  { path: TRADE_PATH, text: 'shell.nav.trade', icon: 'trade' },
  ordersItem,
  { path: MY_CENTER_PATH, text: 'shell.nav.me', icon: 'user' },
]

const desktopItems: readonly NavItem[] = [
  { path: '/pc/trade', text: 'shell.nav.trade', icon: 'trade' },
  quotesItem,
  ordersItem,
  { path: '/follow', text: 'shell.nav.copy', icon: 'follow' },
  { path: '/ai', text: 'shell.nav.ai', icon: 'ai' },
  walletItem,
  newsItem,
]

/** The phone's bottom bar. Screens that don't exist are left out. */
export function phoneNav(): readonly NavItem[] {
  return phoneItems.filter(({ path }) => hasRoute(path))
}

/** The screens of a main screen that are not in the user centre. */
const sections: Readonly<Record<string, string>> = {
  '/search': quotesItem.path,
  '/editFav': quotesItem.path,
  '/product': quotesItem.path,
  '/pc/trade': TRADE_PATH,
  '/historyOrders': ordersItem.path,
  '/deposite': MY_CENTER_PATH,
  '/withdraw': MY_CENTER_PATH,
}

/** The item of the phone's navigation that leads to a screen; the path itself if none does. */
export function sectionOf(pathname: string): string {
  return sections[pathname] ?? (routeAt(pathname)?.layout === 'account' ? MY_CENTER_PATH : pathname)
}

/** The desktop header. */
export function desktopNav(): readonly NavItem[] {
  return desktopItems.filter(({ path }) => hasRoute(path))
}
