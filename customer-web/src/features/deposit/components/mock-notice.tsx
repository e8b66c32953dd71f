import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import styles from './deposit.module.css'

export type MockNoticeProps = {
  /** Where accounts are changed, if there is such a screen. */
  switchPath?: string | undefined
}

/** Why nothing can be paid into a mock account, and the way to the real one. */
export function MockNotice({ switchPath }: MockNoticeProps) {
  const { t } = useTranslation()
  return (
    <section className={styles.block}>
      <EmptyState
        icon="info"
        text={t('deposit.mock.text')}
        action={
          switchPath && (
            <Button variant="primary" to={switchPath}>
              {t('deposit.mock.switch')}
            </Button>
          )
        }
      />
    </section>
  )
}
