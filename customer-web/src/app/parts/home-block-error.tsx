import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import styles from './home-news.module.css'

export type HomeBlockErrorProps = {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
}

/** Replaces a block of the home page that failed to load; the other blocks stay. */
export function HomeBlockError({ query: { error, isFetching, refetch } }: HomeBlockErrorProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.failed} role="alert">
      <p>{reasonOf(error).reason}</p>
      <Button size="small" busy={isFetching} onClick={() => void refetch()}>
        {t('ui.retry')}
      </Button>
    </div>
  )
}
