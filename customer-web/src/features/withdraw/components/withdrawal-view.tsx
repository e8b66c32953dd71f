import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useWithdrawal } from '../api/withdrawals'
import { AnswerForm } from './answer-form'
import { CancelWithdrawal } from './cancel-withdrawal'
import { WithdrawalFacts } from './withdrawal-facts'
import { WithdrawalStatus, type WithdrawalStatusProps } from './withdrawal-status'

export type WithdrawalViewProps = {
  id: number
  paths: WithdrawalStatusProps['paths'] & { all: string }
}

/** One withdrawal: its status, the trader's actions, and its facts. */
export function WithdrawalView({ id, paths }: WithdrawalViewProps) {
  const { t } = useTranslation()
  const query = useWithdrawal(id)
  const withdrawal = query.data

  if (!withdrawal) {
    return (
      <section className={styles.block}>
        {query.isPending ? (
          <SkeletonRows rows={6} />
        ) : query.isError ? (
          <ErrorBlock
            {...reasonOf(query.error)}
            reassurance={t('deposit.load_reassurance')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : (
          <EmptyState
            text={t('withdraw.missing')}
            action={<Button to={paths.all}>{t('withdraw.all')}</Button>}
          />
        )}
      </section>
    )
  }
  return (
    <>
      <WithdrawalStatus withdrawal={withdrawal} paths={paths} />
      {withdrawal.state === 'more_info' && <AnswerForm withdrawal={withdrawal} />}
      <WithdrawalFacts withdrawal={withdrawal} />
      <CancelWithdrawal withdrawal={withdrawal} />
    </>
  )
}
