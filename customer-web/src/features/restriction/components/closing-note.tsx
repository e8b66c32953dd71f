import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from '@/ui/block.module.css'
import { Note } from '@/ui/note'
import { TimeText } from '@/ui/time-text'

/** When the account closes, and where it can be kept. */
export function ClosingNote({ at }: { at: number }) {
  const { t } = useTranslation()
  return (
    <Note tone="warning">
      <strong>{t('close_account.closing')}</strong>
      <p>
        {t('close_account.closes')} <TimeText at={at} />
      </p>
      <p>
        <Link to="/personalInfo" className={styles.inline ?? ''}>
          {t('close_account.keep')}
        </Link>
      </p>
    </Note>
  )
}
