import { useTranslation } from 'react-i18next'
import { AccountSwitcher } from '@/features/account/components/account-switcher'
import { registerPathFrom } from '../nav/register-path'
import { HOME_PATH } from '../routes'
import { HeaderPopover, type HeaderPopoverProps } from './header-popover'

export type AccountPillMenuProps = Pick<HeaderPopoverProps, 'anchor' | 'open' | 'onClose'> & {
  /** The account in use. */
  name: string
}

/** The accounts below the header's pill. */
export default function AccountPillMenu({ name, ...state }: AccountPillMenuProps) {
  const { t } = useTranslation()
  return (
    <HeaderPopover {...state} label={t('home.account.switch', { name })} width={400}>
      <AccountSwitcher registerPath={registerPathFrom(HOME_PATH)} />
    </HeaderPopover>
  )
}
