import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Note } from '@/ui/note'
import type { Contact, ContactState } from '../model/contact'
import styles from './known-account.module.css'

export type KnownAccountProps = {
  /** The contact has an account. */
  known: boolean
  contact: Contact
  loginPath: string
  forgotPath: string
}

/** Says that a contact already has an account, and where to go; it blocks nothing. */
export function KnownAccount({ known, contact, loginPath, forgotPath }: KnownAccountProps) {
  const { t } = useTranslation()
  const state = { contact } satisfies ContactState
  return (
    <div role="status" className={styles.known}>
      {known && (
        <Note>
          {t(`register.known.${contact.kind}`)}
          <span className={styles.ways}>
            <Link to={loginPath} state={state}>
              {t('register.log_in')}
            </Link>
            <Link to={forgotPath} state={state}>
              {t('login.forgot')}
            </Link>
          </span>
        </Note>
      )}
    </div>
  )
}
