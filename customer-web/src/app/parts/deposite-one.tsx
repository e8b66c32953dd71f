import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useDeposit } from '@/features/deposit/api/deposits'
import { DepositView } from '@/features/deposit/components/deposit-view'
import { bidiIsolate } from '@/format/bidi-isolate'
import { useDesktop } from '@/theme/use-media'
import styles from '@/ui/block.module.css'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import {
  depositHistoryPath,
  depositPath,
  depositPaths,
  depositProofPath,
  newDepositPath,
} from '../nav/deposite-paths'
import { Page } from './page'
import { useCreditToast } from './use-credit-toast'

export type DepositeOneProps = { id: number }

/** One deposit, by the id in the address. */
export function DepositeOne({ id }: DepositeOneProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const desktop = useDesktop()
  const [search] = useSearchParams()
  const deposit = useDeposit(id).data
  useCreditToast(deposit ? [deposit] : undefined)
  const title = deposit
    ? t('deposit.title_of', { number: bidiIsolate(deposit.rechargeNo) })
    : t('deposit.title')

  return (
    <Page title={title} aside={<Tag>{t('deposit.real')}</Tag>}>
      <div className={styles.flow}>
        {desktop && (
          <Link to={depositHistoryPath} className={styles.link}>
            <Icon name="back" />
            {t('deposit.all')}
          </Link>
        )}
        <DepositView
          id={id}
          proving={search.get('step') === 'proof'}
          paths={{
            ...depositPaths(),
            fresh: newDepositPath,
            detail: depositPath(id),
            proof: depositProofPath(id),
            all: depositHistoryPath,
          }}
          onProved={() => void navigate(depositPath(id), { replace: true })}
        />
      </div>
    </Page>
  )
}
