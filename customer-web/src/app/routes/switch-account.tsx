import { useTranslation } from 'react-i18next'
import { AccountSwitcher } from '@/features/session/components/account-switcher'
import { Page } from '../shell/page'

/** The change between the real and the demo account. */
export default function SwitchAccount() {
  const { t } = useTranslation()
  return (
    <Page title={t('switch_account.title')}>
      <AccountSwitcher />
    </Page>
  )
}
