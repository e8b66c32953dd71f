import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { CopyButton } from '@/features/account/components/copy-button'
import { LogOutButton } from '@/features/account/components/log-out-button'
import { authState } from '@/session/auth-status'
import { LOGIN_PATH } from '@/session/login-path'
import { useSession } from '@/session/session-store'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { useMenuGroups } from '../nav/my-center-menu'
import styles from './account-menu.module.css'
import { HeaderPopover, type HeaderPopoverProps } from './header-popover'

export type AccountMenuProps = Pick<HeaderPopoverProps, 'anchor' | 'open'> & {
  /** Called when the menu should close. */
  onLeave: () => void
}

/** The account menu: the user with the account number, links to common pages, and log-out. */
export default function AccountMenu({ anchor, open, onLeave }: AccountMenuProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const groups = useMenuGroups(user)
  if (!user) return null
  const auth = authState(user.authStatus)
  return (
    <HeaderPopover {...{ anchor, open }} label={t('shell.nav.me')} width={288} onClose={onLeave}>
      <div className={styles.head}>
        <b>
          <Num>{user.userName}</Num>
        </b>
        <p>
          {t('me.uid')} <Num>{user.userId}</Num>
          <CopyButton text={user.userId} label={t('me.uid.copy')} />
        </p>
      </div>
      <ul className={styles.lines}>
        {groups
          .flat()
          .filter(({ short }) => short)
          .map(({ path, to, text, icon }) => (
            <li key={path}>
              <Link to={to} className={styles.line} onClick={onLeave}>
                <Icon name={icon} />
                {t(text)} {to === auth.path && <Tag tone={auth.tone}>{t(auth.text)}</Tag>}
              </Link>
            </li>
          ))}
      </ul>
      <div className={styles.end}>
        <LogOutButton onAsk={onLeave} onDone={() => void navigate(LOGIN_PATH)} />
      </div>
    </HeaderPopover>
  )
}
