import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useWithdrawal } from '@/features/withdraw/api/withdrawals'
import { WithdrawalView } from '@/features/withdraw/components/withdrawal-view'
import { useWithdrawalUpdates } from '@/features/withdraw/model/use-withdrawal-updates'
import { bidiIsolate } from '@/format/bidi-isolate'
import { useDesktop } from '@/theme/use-media'
import styles from '@/ui/block.module.css'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import { newWithdrawalPath, withdrawalHistoryPath, withdrawalPaths } from '../nav/withdraw-paths'
import { Page } from './page'

export type WithdrawOneProps = { id: number }

/** One withdrawal, by the id in the address. */
export function WithdrawOne({ id }: WithdrawOneProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const withdrawal = useWithdrawal(id).data
  useWithdrawalUpdates()
  const title = withdrawal
    ? t('withdraw.title_of', { number: bidiIsolate(withdrawal.withdrawNo) })
    : t('withdraw.title')

  return (
    <Page title={title} aside={<Tag>{t('deposit.real')}</Tag>}>
      <div className={styles.flow}>
        {desktop && (
          <Link to={withdrawalHistoryPath} className={styles.link}>
            <Icon name="back" />
            {t('withdraw.all')}
          </Link>
        )}
        <WithdrawalView
          id={id}
          paths={{ ...withdrawalPaths(), fresh: newWithdrawalPath, all: withdrawalHistoryPath }}
        />
      </div>
    </Page>
  )
}
