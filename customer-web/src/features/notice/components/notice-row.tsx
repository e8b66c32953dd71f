import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { Notice } from '../api/notices'
import { reportClick } from '../api/reach'
import { languageAttributes } from '../model/language-attributes'
import { SEVERITY_TONES } from '../model/severity'
import styles from './notice.module.css'
import { UnreadDot } from './unread-dot'

export type NoticeRowProps = { notice: Notice; to: string }

/** A notice row. Visitors have no mailbox and see no unread dot. */
export function NoticeRow({ notice, to }: NoticeRowProps) {
  const { t } = useTranslation()
  const { id, title, summary, category, severity, sticky, time, read, locale } = notice
  const language = languageAttributes(locale)
  return (
    <li>
      <Link
        to={to}
        className={cx(styles.row, read === false && styles.unread)}
        onClick={() => reportClick(id)}
      >
        {read !== undefined && <UnreadDot read={read} />}
        <span className={styles.words}>
          <b>
            <bdi {...language}>{title}</bdi>
          </b>
          {summary !== '' && (
            <span className={styles.summary}>
              <bdi {...language}>{summary}</bdi>
            </span>
          )}
          <span className={styles.facts}>
            <Tag tone={SEVERITY_TONES[severity]}>{t(`notice.category.${category}`)}</Tag>
            {sticky && <Tag>{t('notice.sticky')}</Tag>}
            <TimeText at={time} />
          </span>
        </span>
        <Icon name="forward" />
      </Link>
    </li>
  )
}
