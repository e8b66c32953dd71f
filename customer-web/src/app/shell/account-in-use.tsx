import { useTranslation } from 'react-i18next'
import { accountName, useAccountName } from '@/session/account-name'
import { useIsDemo } from '@/session/session-store'
import { cx } from '@/ui/cx'
import styles from './account-in-use.module.css'

/** The phone's bar, always visible: amber while the account trades with demo money; names every account but an unnamed main one. */
export function AccountInUse() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const own = useAccountName()
  const named = own !== undefined && (own.name !== '' || own.number > 1)
  if (!demo && !named) return null
  return (
    <div className={cx(styles.bar, demo && styles.demo)}>
      {demo && <b>{t('shell.demo.tag')}</b>}
      {named ? <bdi>{accountName(t, own, demo)}</bdi> : <span>{t('shell.demo.note')}</span>}
    </div>
  )
}
