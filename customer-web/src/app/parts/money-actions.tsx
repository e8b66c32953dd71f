import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { hasRoute } from '../routes'

export type MoneyActionsProps = {
  demo: boolean
  /** The account is a guest's, so the next step is to register. */
  guest: boolean
}

/** Money actions of an account: top-up for demo money, deposit and withdrawal for real money. */
export function MoneyActions({ demo, guest }: MoneyActionsProps) {
  const { t } = useTranslation()
  if (demo) {
    return (
      <>
        {guest && hasRoute('/register') && (
          <Button to="/register" variant="primary">
            {t('shell.sign_up')}
          </Button>
        )}
        {hasRoute('/switchAccount') && (
          <Button to="/switchAccount">{t('switch_account.top_up')}</Button>
        )}
      </>
    )
  }
  return (
    <>
      {hasRoute('/deposite') && (
        <Button to="/deposite" variant="primary">
          {t('me.menu.deposit')}
        </Button>
      )}
      {hasRoute('/withdraw') && <Button to="/withdraw">{t('me.menu.withdraw')}</Button>}
    </>
  )
}
