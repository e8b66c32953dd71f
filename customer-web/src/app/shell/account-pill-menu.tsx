import { AccountSwitcher } from '@/features/account/components/account-switcher'
import { registerPathFrom } from '../parts/register-path'
import { HOME_PATH } from '../routes'

/** The accounts below the header's pill. */
export default function AccountPillMenu() {
  return <AccountSwitcher registerPath={registerPathFrom(HOME_PATH)} />
}
