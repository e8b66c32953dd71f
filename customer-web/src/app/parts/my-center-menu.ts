import type { TextKey } from '@/i18n/i18n'
import type { IconName } from '@/ui/icons/icon-shapes'
import { hasRoute } from '../routes'

type Switches = { 'address.enabled': boolean }

export type MenuItem = {
  path: string
  text: TextKey
  icon: IconName
  /** Who sees the item; everyone if absent. */
  who?: 'registered' | 'guest'
  /** The switch that must be on. */
  needs?: keyof Switches
}

const groups: readonly (readonly MenuItem[])[] = [
  [
    { path: '/mywallet', text: 'me.menu.wallet', icon: 'wallet' },
    { path: '/historyOrders', text: 'me.menu.history', icon: 'orders' },
    {
      path: '/addressManage',
      text: 'me.menu.addresses',
      icon: 'send',
      who: 'registered',
      needs: 'address.enabled',
    },
    { path: '/switchAccount', text: 'me.menu.switch_account', icon: 'swap', who: 'registered' },
    { path: '/register', text: 'shell.sign_up', icon: 'user', who: 'guest' },
  ],
  [
    { path: '/authenticate', text: 'me.menu.identity', icon: 'user', who: 'registered' },
    { path: '/securitySet', text: 'me.menu.security', icon: 'lock', who: 'registered' },
    { path: '/deviceManagement', text: 'me.menu.devices', icon: 'device', who: 'registered' },
    { path: '/preferenceSet', text: 'me.menu.preferences', icon: 'sliders' },
    { path: '/lang', text: 'me.menu.language', icon: 'globe' },
  ],
  [
    { path: '/notice', text: 'me.menu.notices', icon: 'horn' },
    { path: '/news', text: 'shell.nav.news', icon: 'news' },
    { path: '/proof', text: 'me.menu.proof', icon: 'check' },
    { path: '/kefu', text: 'me.menu.support', icon: 'chat' },
    { path: '/problem', text: 'me.menu.help', icon: 'info' },
    { path: '/relevant', text: 'me.menu.legal', icon: 'shield' },
    { path: '/aboutUs', text: 'about.title', icon: 'globe' },
  ],
]

/** The links of the user centre, grouped. Screens that don't exist or are switched off are left out. */
export function menuGroups(guest: boolean, on: Switches): MenuItem[][] {
  const other = guest ? 'registered' : 'guest'
  return groups
    .map((group) =>
      group.filter(
        ({ path, who, needs }) => who !== other && (!needs || on[needs]) && hasRoute(path),
      ),
    )
    .filter((group) => group.length > 0)
}
