import { GUEST_ACCOUNT_TYPE } from '@/constants'
import { useSwitch } from '@/features/switches/api/front-config'
import { authState } from '@/session/auth-status'
import type { StoredUser } from '@/storage/entries'
import { routeAt } from '../routes'
import { MY_CENTER_PATH, type NavItem, newsItem, walletItem } from './nav-items'

const IDENTITY_PATH = '/authenticate'

type Switches = { 'address.enabled': boolean; 'bonus.enabled': boolean }

export type MenuItem = NavItem & {
  /** Who sees the item; everyone if absent. Visitors see what a guest sees and may open without a log-in. */
  who?: 'registered' | 'guest'
  /** The switch that must be on. */
  needs?: keyof Switches
  /** Further screens that belong to the item. */
  pages?: readonly string[]
  /** The item is in the header's short menu too. */
  short?: true
}

export type MenuLink = MenuItem & {
  /** Where the item leads; for the verification it depends on its state. */
  to: string
}

const groups: readonly (readonly MenuItem[])[] = [
  [
    { path: MY_CENTER_PATH, text: 'me.overview', icon: 'home', short: true },
    { ...walletItem, pages: ['/ledger'] },
    { path: '/historyOrders', text: 'me.menu.history', icon: 'orders' },
    {
      path: '/addressManage',
      text: 'me.menu.addresses',
      icon: 'send',
      who: 'registered',
      needs: 'address.enabled',
      pages: ['/addAddress'],
    },
    {
      path: '/switchAccount',
      text: 'me.menu.switch_account',
      icon: 'swap',
      who: 'registered',
      short: true,
    },
    { path: '/invite', text: 'me.menu.invite', icon: 'share', who: 'registered' },
    {
      path: '/bonus',
      text: 'me.menu.bonus',
      icon: 'star',
      who: 'registered',
      needs: 'bonus.enabled',
    },
    { path: '/register', text: 'shell.sign_up', icon: 'user', who: 'guest', short: true },
  ],
  [
    {
      path: IDENTITY_PATH,
      text: 'me.menu.identity',
      icon: 'user',
      who: 'registered',
      pages: ['/process', '/failed', '/successful'],
      short: true,
    },
    {
      path: '/securitySet',
      text: 'me.menu.security',
      icon: 'lock',
      who: 'registered',
      pages: [
        '/modifyPayPassword',
        '/secondFactor',
        '/modifyPassword',
        '/bindContact',
        '/securityEvents',
      ],
      short: true,
    },
    { path: '/personalInfo', text: 'me.menu.personal', icon: 'user', who: 'registered' },
    { path: '/creditScore', text: 'me.menu.credit_score', icon: 'quotes', who: 'registered' },
    { path: '/deviceManagement', text: 'me.menu.devices', icon: 'device', who: 'registered' },
    { path: '/preferenceSet', text: 'me.menu.preferences', icon: 'sliders', short: true },
    { path: '/lang', text: 'me.menu.language', icon: 'globe' },
  ],
  [
    { path: '/notice', text: 'me.menu.notices', icon: 'horn' },
    newsItem,
    { path: '/proof', text: 'me.menu.proof', icon: 'check' },
    { path: '/kefu', text: 'me.menu.support', icon: 'chat' },
    { path: '/problem', text: 'me.menu.help', icon: 'info' },
    { path: '/relevant', text: 'me.menu.legal', icon: 'shield' },
    { path: '/aboutUs', text: 'about.title', icon: 'globe' },
  ],
]

/** The links of the user centre, grouped. Screens that don't exist, are switched off or need a log-in are left out. */
export function menuGroups(user: StoredUser | null, on: Switches): MenuLink[][] {
  const other = user && user.type !== GUEST_ACCOUNT_TYPE ? 'guest' : 'registered'
  const opens = (path: string) => {
    const route = routeAt(path)
    return route !== undefined && (user !== null || route.guest)
  }
  return groups
    .map((group) =>
      group
        .filter(({ path, who, needs }) => who !== other && (!needs || on[needs]) && opens(path))
        .map((item) => ({
          ...item,
          to: user && item.path === IDENTITY_PATH ? authState(user.authStatus).path : item.path,
        })),
    )
    .filter((group) => group.length > 0)
}

/** The links of the user centre for a user, or for a visitor. */
export function useMenuGroups(user: StoredUser | null): MenuLink[][] {
  return menuGroups(user, {
    'address.enabled': useSwitch('address.enabled'),
    'bonus.enabled': useSwitch('bonus.enabled'),
  })
}

/** Reports whether a screen is the item's, or belongs to it. */
export function isCurrent({ path, pages = [] }: MenuItem, pathname: string): boolean {
  return pathname === path || pages.includes(pathname)
}
