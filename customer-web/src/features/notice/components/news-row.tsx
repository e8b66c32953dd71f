import { Link } from 'react-router'
import { cx } from '@/ui/cx'
import { LazyImage } from '@/ui/lazy-image'
import { TimeText } from '@/ui/time-text'
import type { NewsItem } from '../api/news'
import { reportClick } from '../api/reach'
import { languageAttributes } from '../model/language-attributes'
import styles from './news-row.module.css'

export type NewsRowProps = {
  item: NewsItem
  to: string
  /** Hides the summary, for the home page. */
  small?: boolean
}

/** A news card: topic, title, source and time. */
export function NewsRow({ item, to, small = false }: NewsRowProps) {
  const { id, title, summary, source, time, image, alt = '', locale } = item
  const language = languageAttributes(locale)
  return (
    <li>
      <Link
        to={to}
        className={cx(styles.row, small && styles.small)}
        onClick={() => reportClick(id)}
      >
        <span className={styles.text}>
          <b>
            <bdi {...language}>{title}</bdi>
          </b>
          {!small && summary !== '' && (
            <span className={styles.summary}>
              <bdi {...language}>{summary}</bdi>
            </span>
          )}
          <span className={styles.from}>
            {source !== '' && <span>{source}</span>}
            <TimeText at={time} />
          </span>
        </span>
        {image && <LazyImage src={image} alt={alt} width={112} height={63} />}
      </Link>
    </li>
  )
}
