import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { reasonOf } from '@/api/reason'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useLedger } from '../api/ledger'
import { Movements, type MovementsProps } from './movements'
import wallet from './wallet.module.css'

export type RecentMovementsProps = Pick<MovementsProps, 'pathOf'> & {
  /** The path of the whole ledger. */
  allPath: string
  /** The button shown for an account without entries. */
  firstStep?: ReactNode
}

const SHOWN = 5

/** The newest entries of the trading account, and the way to all of them. */
export function RecentMovements({ allPath, pathOf, firstStep }: RecentMovementsProps) {
  const { t } = useTranslation()
  const { data, error, isPending, isFetching, refetch } = useLedger({})
  const lines = data?.pages[0]?.list.slice(0, SHOWN) ?? []
  return (
    <section className={wallet.block}>
      <div className={wallet.title}>
        <h2>{t('ledger.title')}</h2>
        <Link to={allPath} className={wallet.all}>
          {t('ledger.all')}
        </Link>
      </div>
      {isPending && <SkeletonRows rows={3} rowHeight={60} />}
      {error && (
        <ErrorBlock
          {...reasonOf(error)}
          reassurance={t('wallet.reassurance')}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data && lines.length === 0 && <EmptyState text={t('ledger.empty')} action={firstStep} />}
      {lines.length > 0 && <Movements lines={lines} pathOf={pathOf} />}
    </section>
  )
}
