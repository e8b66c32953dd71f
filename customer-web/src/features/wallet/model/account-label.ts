import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { accountName } from '@/session/account-name'
import { useIsDemo } from '@/session/session-store'

type Account = Pick<Wire['WalletAccount'], 'kind' | 'number' | 'name'>

/** Names the accounts of the wallet. */
export function useAccountLabels(): (account: Account) => string {
  const { t } = useTranslation()
  const demo = useIsDemo()
  return (account) =>
    account.kind === 'funding' ? t('wallet.account.funding') : accountName(t, account, demo)
}
