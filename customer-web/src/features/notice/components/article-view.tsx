import type { ReactNode } from 'react'
import { cx } from '@/ui/cx'
import { Tag, type TagProps } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { Article } from '../api/notices'
import { languageAttributes } from '../model/language-attributes'
import { Html } from './html'
import styles from './notice.module.css'

export type ArticleViewProps = {
  article: Article
  /** The label of its category. */
  category: string
  tone?: TagProps['tone']
  hasPath: (path: string) => boolean
  /** Shown below the text. */
  children?: ReactNode
}

/** A full notice or article. */
export function ArticleView({ article, category, tone, hasPath, children }: ArticleViewProps) {
  const { title, source, time, body, summary, image, alt = '', locale } = article
  const language = languageAttributes(locale)
  return (
    <article className={styles.article}>
      <h2 {...language}>{title}</h2>
      <p className={cx(styles.facts, source && styles.dotted)}>
        <Tag {...(tone ? { tone } : {})}>{category}</Tag>
        {source && <span>{source}</span>}
        <TimeText at={time} />
      </p>
      {image && <img className={styles.picture} src={image} alt={alt} />}
      <div className={styles.body} {...language}>
        {body === '' ? <p>{summary}</p> : <Html text={body} hasPath={hasPath} />}
      </div>
      {children}
    </article>
  )
}
