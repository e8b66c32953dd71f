import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { BankForm } from '@/features/payee/components/bank-form'
import { WhitelistGate } from '@/features/payee/components/whitelist-gate'
import { toast } from '@/ui/toast/toast-store'
import { newWithdrawalPath, withdrawalPaths } from '../nav/withdraw-paths'
import accessStyles from './access-page.module.css'
import { Page } from './page'

/** Adds a bank account, then returns to the withdrawal. */
export function WithdrawAccount() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <div className={accessStyles.column}>
      <Page title={t('payee.bank.add.title')}>
        <div className={accessStyles.card}>
          <WhitelistGate bookPath="/addressManage">
            <BankForm
              paymentPath={withdrawalPaths().payment}
              listPath={newWithdrawalPath}
              onDone={() => {
                toast.success(t('payee.bank.add.done'))
                void navigate(newWithdrawalPath, { replace: true })
              }}
            />
          </WhitelistGate>
        </div>
      </Page>
    </div>
  )
}
