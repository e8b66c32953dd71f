import { useTranslation } from 'react-i18next'
import { useAccounts } from '@/features/account/api/accounts'
import { AccountSwitcher } from '@/features/account/components/account-switcher'
import { PositionModeChoice } from '@/features/trading/components/ticket/position-mode-choice'
import { useClosesAt } from '@/session/info-query'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

const REGISTER_PATH = '/register'

/** Switches between the real and the demo account, and sets the position mode of the current one. */
export default function SwitchAccount() {
  const { t } = useTranslation()
  const accounts = useAccounts()
  const closing = useClosesAt() !== undefined
  return (
    <Page title={t('switch_account.title')}>
      <AccountSwitcher registerPath={hasRoute(REGISTER_PATH) ? REGISTER_PATH : undefined} />
      {!accounts.isPending && !closing && <PositionModeChoice />}
    </Page>
  )
}
