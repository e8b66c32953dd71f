import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { TimeText } from '@/ui/time-text'
import type { ContentPage } from '../api/pages'
import { reportSeen } from '../api/reach'
import { languageAttributes } from '../model/language-attributes'
import { Html } from './html'
import styles from './notice.module.css'

export type PageViewProps = {
  page: ContentPage
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
}

/** A product or legal page with its revision and effective date. */
export function PageView({ page, hasPath }: PageViewProps) {
  const { id, title, body, locale } = page
  const language = languageAttributes(locale)

  useEffect(() => reportSeen(id), [id])

  return (
    <article className={styles.article}>
      <h2 {...language}>{title}</h2>
      <RevisionText page={page} />
      <div className={styles.body} {...language}>
        <Html text={body} hasPath={hasPath} />
      </div>
    </article>
  )
}

/** The revision of a page with its date, and the revision the trader has accepted. */
export function RevisionText({ page }: { page: ContentPage }) {
  const { t } = useTranslation()
  const { revision, publishedAt, acceptedRevision, acceptedAt } = page
  return (
    <>
      <span className={cx(styles.facts, styles.dotted)}>
        <span>{t('legal.revision', { number: revision })}</span>
        <TimeText at={publishedAt} shape="date" />
      </span>
      {acceptedRevision !== undefined && acceptedAt !== undefined && (
        <span className={cx(styles.facts, styles.dotted)}>
          <span>{t('legal.accepted', { number: acceptedRevision })}</span>
          <TimeText at={acceptedAt} shape="date" />
        </span>
      )}
    </>
  )
}
