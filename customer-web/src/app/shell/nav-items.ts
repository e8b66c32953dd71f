import type { TextKey } from '@/i18n/i18n'
import type { IconName } from '@/ui/icons/icon-shapes'
import { hasRoute } from '../routes'

export type NavItem = { path: string; text: TextKey; icon: IconName }

export const MY_CENTER_PATH = '/myCenter'

/** The screens that both a main navigation and the user centre lead to. */
export const walletItem: NavItem = { path: '/mywallet', text: 'shell.nav.wallet', icon: 'wallet' }
export const newsItem: NavItem = { path: '/news', text: 'shell.nav.news', icon: 'news' }

const quotesItem: NavItem = { path: '/quotes', text: 'shell.nav.quotes', icon: 'quotes' }
const ordersItem: NavItem = { path: '/order', text: 'shell.nav.orders', icon: 'orders' }

const phoneItems: readonly NavItem[] = [
  { path: '/home/index', text: 'shell.nav.home', icon: 'home' },
  quotesItem,
  { path: '/trade', text: 'shell.nav.trade', icon: 'trade' },
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

/** The desktop header. */
export function desktopNav(): readonly NavItem[] {
  return desktopItems.filter(({ path }) => hasRoute(path))
}
