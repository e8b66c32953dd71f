import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { reasonOf } from '@/api/reason'
import { GUEST_ACCOUNT_TYPE } from '@/constants'
import { isMock } from '@/features/account/api/accounts'
import { useUserInfo } from '@/features/account/api/user-info'
import { AssetsCard } from '@/features/account/components/assets-card'
import { LogOutButton } from '@/features/account/components/log-out-button'
import { OpenElsewhereSheet } from '@/features/account/components/open-elsewhere-sheet'
import { ProfileHead } from '@/features/account/components/profile-head'
import { useUnread } from '@/features/notice/api/unread'
import { Restrictions } from '@/features/restriction/components/restrictions'
import { useSwitch } from '@/features/switches/api/front-config'
import { useLanguage } from '@/i18n/use-language'
import { authState } from '@/session/auth-status'
import { LOGIN_PATH } from '@/session/login-path'
import { useSession } from '@/session/session-store'
import { ErrorBlock } from '@/ui/error-block'
import { Icon } from '@/ui/icons/icon'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { MoneyActions } from '../parts/money-actions'
import { menuGroups } from '../parts/my-center-menu'
import { NOTICE_PATH } from '../parts/notice-paths'
import { hasRoute } from '../routes'
import { badgeText, useNavBadges } from '../shell/nav-badges'
import { useTitle } from '../use-title'
import { useUnreadChat } from '../use-unread-chat'
import styles from './my-center.module.css'

/** The user centre: profile, account value, and links to everything about the account. */
export default function MyCenter() {
  const { t } = useTranslation()
  useUnreadChat()
  const language = useLanguage()
  const navigate = useNavigate()
  const present = useSession((session) => session.user)
  // Under the log-in dialog the page keeps its user.
  const [user, setUser] = useState(present)
  if (present && present !== user) setUser(present)
  const badges = useNavBadges()
  const [openElsewhere, setOpenElsewhere] = useState(false)
  const { error, isFetching, refetch } = useUserInfo()
  const unread = useUnread()
  const on = { 'address.enabled': useSwitch('address.enabled') }
  useTitle(t('me.title'))

  if (!user) {
    return error ? (
      <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
    ) : (
      <SkeletonRows rows={6} />
    )
  }

  const guest = user.type === GUEST_ACCOUNT_TYPE
  const auth = authState(user.authStatus)
  return (
    <div className={styles.page}>
      <ProfileHead user={user} hasPath={hasRoute} />
      <Restrictions />
      <AssetsCard actions={<MoneyActions demo={isMock(user.type)} guest={guest} />} />
      {menuGroups(guest, on).map((group) => (
        <ul key={group[0]?.path} className={styles.menu}>
          {group.map(({ path, text, icon }) => (
            <li key={path}>
              <Link to={path === '/authenticate' ? auth.path : path} className={styles.row}>
                <Icon name={icon} size={20} />
                <span className={styles.text}>{t(text)}</span>
                {badges[path] ? <b className={styles.badge}>{badgeText(badges[path])}</b> : null}
                {path === '/lang' && <span className={styles.value}>{language.name}</span>}
                {path === NOTICE_PATH && unread.total > 0 && (
                  <span className={styles.value}>{t('me.unread', { count: unread.total })}</span>
                )}
                <Icon name="forward" />
              </Link>
            </li>
          ))}
        </ul>
      ))}
      {!guest && (
        <ul className={styles.menu}>
          <li>
            <button type="button" className={styles.row} onClick={() => setOpenElsewhere(true)}>
              <Icon name="share" size={20} />
              <span className={styles.text}>{t('me.elsewhere')}</span>
              <Icon name="forward" />
            </button>
          </li>
        </ul>
      )}
      <div className={styles.end}>
        <LogOutButton onDone={() => void navigate(LOGIN_PATH)} />
      </div>
      {openElsewhere && <OpenElsewhereSheet onClose={() => setOpenElsewhere(false)} />}
    </div>
  )
}
