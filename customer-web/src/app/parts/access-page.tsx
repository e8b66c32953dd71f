import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useLanguage } from '@/i18n/use-language'
import { useDesktop } from '@/theme/use-media'
import { Icon } from '@/ui/icons/icon'
import { Logo } from '@/ui/icons/logo'
import styles from './access-page.module.css'
import { Page } from './page'

export type AccessPageProps = {
  title: string
  /** Why the page was opened, above the form. */
  reason?: string | undefined
  children: ReactNode
  /** Link to another access page. */
  below: ReactNode
}

/**
 * The frame of log-in, registration and forgotten password: one narrow column. On a phone it includes the language
 * picker, which a desktop has in its header.
 */
export function AccessPage({ title, reason, children, below }: AccessPageProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const desktop = useDesktop()
  return (
    <div className={styles.column}>
      <Page
        title={title}
        aside={
          !desktop && (
            <Link
              to="/lang"
              className={styles.language}
              aria-label={t('shell.language', { name: language.name })}
            >
              <Icon name="globe" size={20} />
              <span aria-hidden>{language.name}</span>
            </Link>
          )
        }
      >
        <div className={styles.card}>
          {!desktop && <Logo height={28} className={styles.logo} />}
          {reason !== undefined && <p className={styles.reason}>{reason}</p>}
          {children}
        </div>
        {below}
      </Page>
    </div>
  )
}
