import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useStripNotices } from '@/features/notice/api/notices'
import { reportClick, reportSeen } from '@/features/notice/api/reach'
import { languageAttributes } from '@/features/notice/model/language-attributes'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { NOTICE_PATH } from '../nav/notice-paths'
import styles from './ticker.module.css'

/** The newest unread notice in the header; sticky notices stay. On a phone the home page's strip shows it. */
export function Ticker() {
  const { t } = useTranslation()
  const { data = [] } = useStripNotices()
  const first = data.find(
    ({ placement, read, sticky }) => placement === 'ticker' && (sticky || !read),
  )
  const shownId = first?.id

  useEffect(() => {
    if (shownId !== undefined) reportSeen(shownId)
  }, [shownId])

  if (!first) return null
  return (
    <Link
      to={`${NOTICE_PATH}?id=${first.id}`}
      className={cx(styles.ticker, first.severity !== 'info' && styles[first.severity])}
      onClick={() => reportClick(first.id)}
    >
      <Icon name={first.severity === 'info' ? 'horn' : 'warn'} />
      <span className="visually-hidden">{t('home.notices')}</span>
      <bdi {...languageAttributes(first.locale)}>{first.title}</bdi>
    </Link>
  )
}
