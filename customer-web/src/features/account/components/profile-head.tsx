import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Wire } from '@/api/client'
import { GUEST_ACCOUNT_TYPE } from '@/constants'
import { accountName, useAccountName } from '@/session/account-name'
import { authState } from '@/session/auth-status'
import type { StoredUser } from '@/storage/entries'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { isMock } from '../api/accounts'
import { CopyButton } from './copy-button'
import styles from './profile-head.module.css'

export type ProfileHeadProps = {
  user: StoredUser
  /** What the facts make of the trader; undefined until it is read. */
  tag?: Wire['UserInfo']['userTag'] | undefined
  /** Reports whether a screen exists, so that the tags only link to existing ones. */
  hasPath: (path: string) => boolean
}

/** The logged-in user: initial, masked name, account number, account and verification. A guest has no verification. */
export function ProfileHead({ user, tag, hasPath }: ProfileHeadProps) {
  const { t } = useTranslation()
  const demo = isMock(user.type)
  const own = useAccountName()
  const auth = authState(user.authStatus)
  const authTag = <Tag tone={auth.tone}>{t(auth.text)}</Tag>
  const pathname = auth.path.split('?')[0] ?? ''

  return (
    <header className={styles.head}>
      <span className={styles.letter} aria-hidden>
        {letterOf(user.userName)}
      </span>
      <div className={styles.who}>
        <h1 className={styles.name}>
          <Num>{user.userName}</Num>
        </h1>
        <p className={styles.uid}>
          {t('me.uid')} <Num>{user.userId}</Num>
          <CopyButton text={user.userId} label={t('me.uid.copy')} />
        </p>
      </div>
      <div className={styles.tags}>
        <Tag tone={demo ? 'demo' : 'neutral'}>
          <bdi>{accountName(t, own ?? { name: '', number: 1 }, demo)}</bdi>
        </Tag>
        {(tag === 'new' || tag === 'partner') && <Tag>{t(`me.tag.${tag}`)}</Tag>}
        {user.type === GUEST_ACCOUNT_TYPE ? (
          <Tag>{t('session.type.guest')}</Tag>
        ) : hasPath(pathname) ? (
          <Link to={auth.path} className={styles.tagLink}>
            {authTag}
            <Icon name="forward" size={14} />
          </Link>
        ) : (
          authTag
        )}
      </div>
    </header>
  )
}

/** The first letter or digit of a name. */
function letterOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? '·'
}
