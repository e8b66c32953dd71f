import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useStripNotices } from '@/features/notice/api/notices'
import { reportClick, reportSeen } from '@/features/notice/api/reach'
import { languageAttributes } from '@/features/notice/model/language-attributes'
import { useDesktop } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Mark } from '@/ui/icons/mark'
import { NOTICE_PATH } from '../nav/notice-paths'
import { HomeBlockError } from './home-block-error'
import styles from './home-news.module.css'

/**
 * One row: the first notice of the home page, on a phone also of the app bar, and a link to all notices; without a
 * notice, the way to the proof. It never changes its height.
 */
export function HomeStrip() {
  const { t } = useTranslation()
  const query = useStripNotices()
  const desktop = useDesktop()
  const [first, ...others] = (query.data ?? []).filter(
    ({ placement }) => !desktop || placement === 'strip',
  )
  const shownId = first?.id

  useEffect(() => {
    if (shownId !== undefined) reportSeen(shownId)
  }, [shownId])

  if (query.isError && !query.data) return <HomeBlockError query={query} />
  if (query.isPending) return <div className={styles.strip} aria-busy />
  if (!first) {
    return (
      <div className={styles.strip}>
        <Link to="/proof" className={styles.notice}>
          <Mark size={16} />
          <span>{t('home.proof')}</span>
          <Icon name="forward" size={14} />
        </Link>
      </div>
    )
  }
  return (
    <nav className={styles.strip} aria-label={t('home.notices')}>
      <Link
        to={`${NOTICE_PATH}?id=${first.id}`}
        className={cx(styles.notice, first.severity !== 'info' && styles[first.severity])}
        onClick={() => reportClick(first.id)}
      >
        <Icon name={first.severity === 'info' ? 'horn' : 'warn'} />
        <span>
          <bdi {...languageAttributes(first.locale)}>{first.title}</bdi>
        </span>
        {others.length === 0 && <Icon name="forward" size={14} />}
      </Link>
      {others.length > 0 && (
        <Link to={NOTICE_PATH} className={styles.more}>
          <span className="visually-hidden">{t('home.notices')}</span>+{others.length}
        </Link>
      )}
    </nav>
  )
}
