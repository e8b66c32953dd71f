import type { ReactNode } from 'react'
import { useContactless } from '@/features/security/api/security'
import { ContactFirstNote } from '@/features/security/components/contact-first-note'
import styles from '@/features/security/components/security.module.css'
import { Page } from './page'

export type ContactFirstProps = {
  /** The title of the page, where the content brings its own. */
  title?: string
  children: ReactNode
}

/** Content that needs a contact: an account that a wallet opened is led to bind one first. */
export function ContactFirst({ title, children }: ContactFirstProps) {
  if (!useContactless()) return children
  const lead = (
    <div className={styles.flow}>
      <section className={styles.block}>
        <ContactFirstNote />
      </section>
    </div>
  )
  return title === undefined ? lead : <Page title={title}>{lead}</Page>
}
