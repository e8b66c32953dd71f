import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useChannels } from '../api/channels'
import { useRecentDeposits } from '../api/deposits'
import { isUnderWay } from '../model/states'
import { AmountForm, type AmountFormProps } from './amount-form'
import styles from './deposit.module.css'
import { DepositRow } from './deposit-row'
import { ProgressSteps } from './progress-steps'

export type NewDepositProps = Pick<AmountFormProps, 'pathOf' | 'verifyPath'>

/** The start of a deposit; those that are under way stand above it. */
export function NewDeposit({ pathOf, verifyPath }: NewDepositProps) {
  const { t } = useTranslation()
  const channels = useChannels()
  const underWay = useRecentDeposits().data?.list.filter(({ state }) => isUnderWay(state)) ?? []
  const [first, ...others] = channels.data ?? []
  return (
    <>
      {underWay.length > 0 && (
        <section className={styles.block}>
          <h2>{t('deposit.open.title')}</h2>
          <ul className={styles.rows}>
            {underWay.map((deposit) => (
              <DepositRow
                key={deposit.rechargeId}
                deposit={deposit}
                to={pathOf(deposit.rechargeId)}
              />
            ))}
          </ul>
        </section>
      )}
      <section className={styles.block}>
        <ProgressSteps now="amount" />
      </section>
      {first ? (
        <AmountForm channels={[first, ...others]} pathOf={pathOf} verifyPath={verifyPath} />
      ) : (
        <section className={styles.block}>
          {channels.isPending && <SkeletonRows rows={3} rowHeight={80} />}
          {channels.isError && (
            <ErrorBlock
              {...reasonOf(channels.error)}
              reassurance={t('deposit.load_reassurance')}
              onRetry={() => void channels.refetch()}
              retrying={channels.isFetching}
            />
          )}
          {channels.data && <EmptyState text={t('deposit.channel.none')} />}
        </section>
      )}
    </>
  )
}
