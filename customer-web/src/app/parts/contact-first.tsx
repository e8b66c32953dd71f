import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useContactless } from '@/features/security/api/security'
import styles from '@/features/security/components/security.module.css'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Page } from './page'

const BIND_PATH = '/bindContact'

export type ContactFirstProps = {
  /** The title of the page, where the content brings its own. */
  title?: string
  children: ReactNode
}

/** Content that needs a contact: an account that a wallet opened is led to bind one first. */
export function ContactFirst({ title, children }: ContactFirstProps) {
  const { t } = useTranslation()
  if (!useContactless()) return children
  const lead = (
    <div className={styles.flow}>
      <section className={styles.block}>
        <EmptyState
          icon="shield"
          text={t('contact.first.why')}
          action={
            <Button variant="primary" to={BIND_PATH}>
              {t('contact.first.go')}
            </Button>
          }
        />
      </section>
    </div>
  )
  return title === undefined ? lead : <Page title={title}>{lead}</Page>
}
