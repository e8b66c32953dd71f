import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import styles from '@/features/deposit/components/deposit.module.css'
import { useBankAccounts } from '@/features/payee/api/banks'
import { useRestrictions } from '@/features/restriction/api/restrictions'
import { Restrictions } from '@/features/restriction/components/restrictions'
import { useSecurity } from '@/features/security/api/security'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useRecentWithdrawals, useWithdrawalTerms, type WithdrawalTerms } from '../api/withdrawals'
import { isUnderWay } from '../model/states'
import { obstaclesOf } from '../model/sums'
import { BankPicker } from './bank-picker'
import { ObstacleBlock, type ObstaclePaths } from './obstacle-block'
import { TermsBlocks } from './terms-blocks'
import { WithdrawalForm } from './withdrawal-form'
import { WithdrawalRow } from './withdrawal-row'

export type NewWithdrawalProps = {
  pathOf: (withdrawalId: number) => string
  addPath: string
  paths: ObstaclePaths
}

/** The start of a withdrawal, or why there can be none now; those that are under way stand above it. */
export function NewWithdrawal({ pathOf, addPath, paths }: NewWithdrawalProps) {
  const { t } = useTranslation()
  const terms = useWithdrawalTerms()
  const security = useSecurity()
  const restricted = useRestrictions('withdraw').length > 0
  const underWay = useRecentWithdrawals().data?.list.filter(({ state }) => isUnderWay(state)) ?? []
  const failed =
    !terms.data && terms.isError ? terms : !security.data && security.isError ? security : null
  return (
    <>
      {underWay.length > 0 && (
        <section className={styles.block}>
          <h2>{t('deposit.open.title')}</h2>
          <ul className={styles.rows}>
            {underWay.map((one) => (
              <WithdrawalRow key={one.withdrawId} withdrawal={one} to={pathOf(one.withdrawId)} />
            ))}
          </ul>
        </section>
      )}
      <Restrictions kind="withdraw" />
      {terms.data && restricted ? (
        <TermsBlocks terms={terms.data} />
      ) : terms.data && security.data ? (
        <Possible
          terms={terms.data}
          passwordSet={security.data.payPasswordSet}
          pathOf={pathOf}
          addPath={addPath}
          paths={paths}
        />
      ) : (
        <section className={styles.block}>
          {failed ? (
            <ErrorBlock
              {...reasonOf(failed.error)}
              reassurance={t('deposit.load_reassurance')}
              onRetry={() => void failed.refetch()}
              retrying={failed.isFetching}
            />
          ) : (
            <SkeletonRows rows={3} rowHeight={80} />
          )}
        </section>
      )}
    </>
  )
}

type PossibleProps = NewWithdrawalProps & { terms: WithdrawalTerms; passwordSet: boolean }

function Possible({ terms, passwordSet, pathOf, addPath, paths }: PossibleProps) {
  const { t } = useTranslation()
  const banks = useBankAccounts()
  const obstacles = obstaclesOf(terms, passwordSet)
  if (obstacles.length > 0) {
    return (
      <>
        {obstacles.map((obstacle) => (
          <ObstacleBlock key={obstacle} obstacle={obstacle} terms={terms} paths={paths} />
        ))}
        <TermsBlocks terms={terms} />
        {banks.data && banks.data.length > 0 && (
          <section className={styles.block}>
            <BankPicker banks={banks.data} paymentPath={paths.payment} />
          </section>
        )}
      </>
    )
  }
  if (banks.data && banks.data.length > 0) {
    return (
      <WithdrawalForm
        terms={terms}
        banks={banks.data}
        pathOf={pathOf}
        addPath={addPath}
        paymentPath={paths.payment}
      />
    )
  }
  return (
    <>
      <section className={styles.block}>
        {banks.isPending && <SkeletonRows rows={2} rowHeight={80} />}
        {banks.isError && !banks.data && (
          <ErrorBlock
            {...reasonOf(banks.error)}
            reassurance={t('payee.bank.reassurance')}
            onRetry={() => void banks.refetch()}
            retrying={banks.isFetching}
          />
        )}
        {banks.data && (
          <EmptyState
            icon="wallet"
            text={t('payee.bank.empty')}
            action={
              <Button variant="primary" to={addPath}>
                {t('payee.bank.add.open')}
              </Button>
            }
          />
        )}
      </section>
      <TermsBlocks terms={terms} />
    </>
  )
}
