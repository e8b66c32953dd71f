import type { TextKey } from '@/i18n/i18n'
import type { IconName } from '@/ui/icons/icon-shapes'
import { hasRoute } from '../routes'

export type NavItem = { path: string; text: TextKey; icon: IconName }

const phoneItems: readonly NavItem[] = [
  { path: '/home/index', text: 'shell.nav.home', icon: 'home' },
  { path: '/quotes', text: 'shell.nav.quotes', icon: 'quotes' },
  { path: '/trade', text: 'shell.nav.trade', icon: 'trade' },
  { path: '/order', text: 'shell.nav.orders', icon: 'orders' },
  { path: '/myCenter', text: 'shell.nav.me', icon: 'user' },
]

const desktopItems: readonly NavItem[] = [
  { path: '/pc/trade', text: 'shell.nav.trade', icon: 'trade' },
  { path: '/quotes', text: 'shell.nav.quotes', icon: 'quotes' },
  { path: '/order', text: 'shell.nav.orders', icon: 'orders' },
  { path: '/follow', text: 'shell.nav.copy', icon: 'follow' },
  { path: '/ai', text: 'shell.nav.ai', icon: 'ai' },
  { path: '/mywallet', text: 'shell.nav.wallet', icon: 'wallet' },
  { path: '/news', text: 'shell.nav.news', icon: 'news' },
]

/** The phone's bottom bar. Screens that don't exist are left out. */
export function phoneNav(): readonly NavItem[] {
  return phoneItems.filter(({ path }) => hasRoute(path))
}

/** The desktop header. */
export function desktopNav(): readonly NavItem[] {
  return desktopItems.filter(({ path }) => hasRoute(path))
}
