import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import styles from '@/features/notice/components/notice.module.css'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'

export type ContentBlockProps<T> = {
  query: UseQueryResult<T>
  /** Link back to the list. */
  back?: { to: string; text: string }
  children: (data: T) => ReactNode
}

/** A page block with one published item, its skeleton, or the error. Callers render what follows only after the query. */
export function ContentBlock<T>({ query, back, children }: ContentBlockProps<T>) {
  const { t } = useTranslation()
  const { data, error, isPending, isFetching, refetch } = query
  // Nothing stands below the skeleton that the content would move.
  if (isPending) {
    return (
      <section key="loading" className={styles.block}>
        <SkeletonRows rows={4} />
      </section>
    )
  }
  return (
    <>
      <section key="content" className={styles.block}>
        {data !== undefined && children(data)}
        {data === undefined && (
          <ErrorBlock
            {...reasonOf(error)}
            reassurance={t('notice.reassurance')}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )}
      </section>
      {back && (
        <div className={styles.back}>
          <Button to={back.to} variant="text">
            {back.text}
          </Button>
        </div>
      )}
    </>
  )
}
