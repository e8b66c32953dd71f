import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import styles from '@/features/security/components/security.module.css'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'

export type GuardedPageProps<Data> = {
  query: {
    data: Data | undefined
    error: Error | null
    isFetching: boolean
    refetch: () => Promise<unknown>
  }
  children: (data: Data) => ReactNode
}

/** Content about what guards the account, or why it is not there yet. */
export function GuardedPage<Data>({ query, children }: GuardedPageProps<Data>) {
  const { t } = useTranslation()
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  return (
    <div className={styles.flow}>
      <section className={styles.block}>
        {error ? (
          <ErrorBlock
            {...reasonOf(error)}
            reassurance={t('security.reassurance')}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <SkeletonRows rows={3} rowHeight={60} />
        )}
      </section>
    </div>
  )
}
