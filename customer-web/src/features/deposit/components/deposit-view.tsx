import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { reasonOf } from '@/api/reason'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { Icon } from '@/ui/icons/icon'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useDeposit } from '../api/deposits'
import { Countdown } from './countdown'
import { DepositFacts } from './deposit-facts'
import { DepositStatus, type DepositStatusProps } from './deposit-status'
import { ProgressSteps } from './progress-steps'
import { ProofForm } from './proof-form'
import { ProviderDepositView } from './provider-deposit-view'
import { TransferDetails } from './transfer-details'

export type DepositViewProps = {
  id: number
  /** The trader reports the transfer as sent. */
  proving: boolean
  paths: DepositStatusProps['paths'] & { detail: string; proof: string; all: string }
  onProved: () => void
}

/** One deposit: what the trader has to do, and its status afterwards. */
export function DepositView({ id, proving, paths, onProved }: DepositViewProps) {
  const { t } = useTranslation()
  const query = useDeposit(id)
  const deposit = query.data

  if (query.isPending) {
    return (
      <section className={styles.block}>
        <SkeletonRows rows={6} />
      </section>
    )
  }
  if (query.isError && !deposit) {
    return (
      <section className={styles.block}>
        <ErrorBlock
          {...reasonOf(query.error)}
          reassurance={t('deposit.load_reassurance')}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </section>
    )
  }
  if (!deposit) {
    return (
      <section className={styles.block}>
        <EmptyState
          text={t('deposit.missing')}
          action={<Button to={paths.all}>{t('deposit.all')}</Button>}
        />
      </section>
    )
  }
  if (deposit.kind === 'third_party' || deposit.kind === 'otc') {
    return <ProviderDepositView deposit={deposit} paths={paths} />
  }
  if (deposit.state === 'awaiting_transfer') {
    return (
      <>
        <section className={styles.block}>
          <ProgressSteps now={proving ? 'proof' : 'transfer'} />
          {proving && (
            <Link to={paths.detail} replace className={styles.link}>
              <Icon name="back" />
              {t('deposit.transfer.back')}
            </Link>
          )}
        </section>
        {proving ? (
          <ProofForm deposit={deposit} onSent={onProved} />
        ) : (
          <TransferDetails deposit={deposit} proofPath={paths.proof} />
        )}
      </>
    )
  }
  return (
    <>
      <DepositStatus deposit={deposit} paths={paths} />
      {deposit.state === 'more_info' && (
        <>
          <section className={styles.block}>
            <Countdown until={deposit.expiresAt} />
          </section>
          <ProofForm deposit={deposit} onSent={onProved} />
        </>
      )}
      {deposit.state !== 'more_info' && <DepositFacts deposit={deposit} />}
    </>
  )
}
