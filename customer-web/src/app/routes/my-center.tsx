import ButtonBase from '@mui/material/ButtonBase'
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
import { useLanguage } from '@/i18n/use-language'
import { LOGIN_PATH } from '@/session/login-path'
import { useSession } from '@/session/session-store'
import { useDesktop } from '@/theme/use-media'
import { ErrorBlock } from '@/ui/error-block'
import { Icon } from '@/ui/icons/icon'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useMenuGroups } from '../nav/my-center-menu'
import { badgeText, useNavBadges } from '../nav/nav-badges'
import { MY_CENTER_PATH } from '../nav/nav-items'
import { NOTICE_PATH } from '../nav/notice-paths'
import { AccountOverview } from '../parts/account-overview'
import { MoneyActions } from '../parts/money-actions'
import { hasRoute } from '../routes'
import { useTitle } from '../use-title'
import { useUnreadChat } from '../use-unread-chat'
import styles from './my-center.module.css'

/** The user centre: profile and account value, with links to everything about the account that a desktop has in its menu. */
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
  const { data: info, error, isFetching, refetch } = useUserInfo()
  const unread = useUnread()
  const desktop = useDesktop()
  const groups = useMenuGroups(user)
  useTitle(t('me.title'))

  if (!user) {
    return error ? (
      <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
    ) : (
      <SkeletonRows rows={6} />
    )
  }

  const guest = user.type === GUEST_ACCOUNT_TYPE
  const assets = <AssetsCard actions={<MoneyActions demo={isMock(user.type)} guest={guest} />} />
  const logOut = <LogOutButton onDone={() => void navigate(LOGIN_PATH)} />
  return (
    <div className={styles.page}>
      <ProfileHead user={user} tag={info?.userTag} hasPath={hasRoute} />
      <Restrictions />
      {desktop ? (
        <AccountOverview
          assets={assets}
          guest={guest}
          onOpenElsewhere={() => setOpenElsewhere(true)}
          logOut={logOut}
        />
      ) : (
        <>
          {assets}
          {groups.map((group) => (
            <ul key={group[0]?.path} className={styles.menu}>
              {group
                .filter(({ path }) => path !== MY_CENTER_PATH)
                .map(({ path, to, text, icon }) => (
                  <li key={path}>
                    <Link to={to} className={styles.row}>
                      <Icon name={icon} size={20} />
                      <span className={styles.text}>{t(text)}</span>
                      {badges[path] ? (
                        <b className={styles.badge}>{badgeText(badges[path])}</b>
                      ) : null}
                      {path === '/lang' && <span className={styles.value}>{language.name}</span>}
                      {path === NOTICE_PATH && unread.total > 0 && (
                        <span className={styles.value}>
                          {t('me.unread', { count: unread.total })}
                        </span>
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
                <ButtonBase className={styles.row} onClick={() => setOpenElsewhere(true)}>
                  <Icon name="share" size={20} />
                  <span className={styles.text}>{t('me.elsewhere')}</span>
                  <Icon name="forward" />
                </ButtonBase>
              </li>
            </ul>
          )}
          <div className={styles.end}>{logOut}</div>
        </>
      )}
      {openElsewhere && <OpenElsewhereSheet onClose={() => setOpenElsewhere(false)} />}
    </div>
  )
}
