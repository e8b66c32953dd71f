import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { hasRoute } from '../routes'

export type MoneyActionsProps = {
  demo: boolean
  /** Nobody has registered: what comes next is to do so. */
  guest: boolean
}

/** What can be done with the money of an account: play money is topped up, real money comes and goes. */
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
