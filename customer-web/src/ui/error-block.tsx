import { useTranslation } from 'react-i18next'
import { Button } from './button'
import styles from './empty-state.module.css'
import { Icon } from './icons/icon'
import { Num } from './num'

export type ErrorBlockProps = {
  /** What failed and why, already translated by errorText. */
  reason: string
  /** What is not affected, where a trader would worry. */
  reassurance?: string | undefined
  /** The trace id of the failed call, to quote to support. */
  traceId?: string | undefined
  onRetry?: () => void
  retrying?: boolean
}

/** Replaces the block that failed; others stay as they are. */
export function ErrorBlock({ reason, reassurance, traceId, onRetry, retrying }: ErrorBlockProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.empty} role="alert">
      <Icon name="warn" size={28} className={styles.icon} />
      <p>
        {reason}
        {reassurance && ` ${reassurance}`}
      </p>
      {traceId && (
        <p className={styles.reference}>
          {t('ui.reference')} <Num>{traceId}</Num>
        </p>
      )}
      {onRetry && (
        <Button onClick={onRetry} busy={retrying ?? false}>
          {t('ui.retry')}
        </Button>
      )}
    </div>
  )
}
