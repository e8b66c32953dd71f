import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Deposit } from '@/features/deposit/api/deposits'
import { useCreditNotifications } from '@/features/deposit/model/use-credit-notifications'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { toast } from '@/ui/toast/toast-store'
import { depositPaths } from '../nav/deposite-paths'

const none: readonly Deposit[] = []

/** Shows a toast with a link to the wallet when one of these deposits is credited. */
export function useCreditToast(deposits: readonly Deposit[] = none): void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  useCreditNotifications(deposits, ({ credited, amount }) => {
    const { wallet } = depositPaths()
    toast.success(
      t('deposit.credited_toast', { amount: bidiIsolate(formatAmount(credited ?? amount)) }),
      wallet
        ? { action: { label: t('deposit.to_wallet'), onPress: () => void navigate(wallet) } }
        : {},
    )
  })
}
