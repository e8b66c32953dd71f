import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { hasRoute } from '../routes'

export type MoneyActionsProps = { demo: boolean }

/** What can be done with the money of an account: play money is topped up, real money comes and goes. */
export function MoneyActions({ demo }: MoneyActionsProps) {
  const { t } = useTranslation()
  if (demo) {
    return hasRoute('/switchAccount') ? (
      <Button to="/switchAccount">{t('switch_account.top_up')}</Button>
    ) : null
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
