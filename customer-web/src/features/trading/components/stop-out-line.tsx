import { useTranslation } from 'react-i18next'
import { useClosesFirst } from '../model/use-closes-first'
import { ClosesFirst } from './closes-first'
import styles from './deals-panel.module.css'
import { MarginCallsButton } from './margin-calls-button'

/** In one line: what a stop-out would close first and from which price on, and the way to past warnings. */
export function StopOutLine() {
  const { t } = useTranslation()
  const first = useClosesFirst()
  return (
    <>
      {first && (
        <span className={styles.first}>
          {t('order.closes_first')} <ClosesFirst {...first} />
        </span>
      )}
      <MarginCallsButton />
    </>
  )
}
