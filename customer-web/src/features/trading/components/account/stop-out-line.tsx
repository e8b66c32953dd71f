import { useTranslation } from 'react-i18next'
import { useFirstStopOut } from '../../model/use-first-stop-out'
import styles from '../positions/positions-panel.module.css'
import { FirstStopOut } from '../ticket/first-stop-out'
import { MarginCallsButton } from './margin-calls-button'

/** The first stop-out candidate and its stop-out price in one line, with a link to past margin calls. */
export function StopOutLine() {
  const { t } = useTranslation()
  const first = useFirstStopOut()
  return (
    <>
      {first && (
        <span className={styles.first}>
          {t('order.closes_first')} <FirstStopOut {...first} />
        </span>
      )}
      <MarginCallsButton />
    </>
  )
}
