import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSwitch } from '@/features/switches/api/front-config'
import type { TextKey } from '@/i18n/i18n'
import { useIsDemo, useSession } from '@/session/session-store'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import type { IconName } from '@/ui/icons/icon-shapes'
import { badgeText, useNavBadges } from '../nav/nav-badges'
import { useTradePath } from '../nav/trade-link'
import { hasRoute } from '../routes'
import styles from './quick-actions.module.css'

type Action = { path: string | undefined; text: TextKey; icon: IconName; on?: boolean }

const MOST_SHOWN = 5

/** Support is always offered, whatever is switched on. */
const support: Action = { path: '/kefu', text: 'home.quick.support', icon: 'chat' }

/** The most common actions; only existing screens that are switched on. */
export function QuickActions() {
  const { t } = useTranslation()
  const tradePath = useTradePath()
  // A guest sees another first step.
  const first = useSession(({ token }) => token !== null)
  const demo = useIsDemo()
  const copy = useSwitch('follow.enabled')
  const ai = useSwitch('ai.enabled')
  const badges = useNavBadges()
  const actions: readonly Action[] = [
    // Demo money is topped up; real money is deposited and withdrawn.
    { path: '/switchAccount', text: 'home.quick.top_up', icon: 'plus', on: demo },
    { path: '/deposite', text: 'home.quick.deposit', icon: 'deposit', on: !demo },
    { path: '/withdraw', text: 'home.quick.withdraw', icon: 'withdraw', on: !demo },
    { path: tradePath, text: 'shell.nav.trade', icon: 'trade' },
    { path: '/mywallet', text: 'shell.nav.wallet', icon: 'wallet' },
    { path: '/follow', text: 'shell.nav.copy', icon: 'follow', on: copy },
    { path: '/ai', text: 'shell.nav.ai', icon: 'ai', on: ai },
  ]
  const shown = [...there(actions).slice(0, MOST_SHOWN - 1), ...there([support])]
  if (shown.length === 0) return null
  return (
    <nav className={cx(styles.quick, first && styles.accent)} aria-label={t('home.quick.label')}>
      {shown.map(({ path, text, icon }) => (
        <Link key={path} to={path}>
          <i>
            <Icon name={icon} size={20} />
          </i>
          <span>{t(text)}</span>
          {badges[path] ? <b>{badgeText(badges[path])}</b> : null}
        </Link>
      ))}
    </nav>
  )
}

/** The actions whose screen exists and is switched on. */
function there(actions: readonly Action[]) {
  return actions.flatMap(({ path, on = true, ...action }) =>
    path && on && hasRoute(path) ? [{ ...action, path }] : [],
  )
}
