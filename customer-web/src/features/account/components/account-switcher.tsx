import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { errorText } from '@/i18n/error-text'
import { useIsGuest, useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { ErrorBlock } from '@/ui/error-block'
import { failureText, toFailure } from '@/ui/form/problems'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { type Account, isMock, useAccounts } from '../api/accounts'
import { useDemoRules } from '../api/demo-rules'
import { useSwitchAccount } from '../model/use-switch-account'
import { AccountCard } from './account-card'
import styles from './account-switcher.module.css'
import { TopUpSheet } from './top-up-sheet'
import { UnregisteredCard } from './unregistered-card'

export type AccountSwitcherProps = {
  /** The registration path, if that screen exists. */
  registerPath?: string | undefined
}

/** The real and the demo account, and the switch between them; guests see what registration offers. */
export function AccountSwitcher({ registerPath }: AccountSwitcherProps) {
  const { t } = useTranslation()
  const type = useSession(({ user }) => user?.type ?? 0)
  const guest = useIsGuest()
  const { data, error, isFetching, refetch } = useAccounts()
  const rules = useDemoRules()
  const { mutate, isPending, error: refused } = useSwitchAccount()
  const [asked, setAsked] = useState<Account | null>(null)
  const [toppingUp, setToppingUp] = useState<Account | null>(null)
  const inDemo = isMock(type)

  if (error && !data) {
    const failure = toFailure(error)
    return (
      <div className={styles.block}>
        <ErrorBlock
          reason={errorText(failure)}
          traceId={failure.traceId}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      </div>
    )
  }
  if (!data) {
    return (
      <div className={styles.block}>
        <SkeletonRows rows={2} rowHeight={140} />
      </div>
    )
  }

  const shown = data.filter((one) => !isMock(one.accountType) || inDemo || rules.data?.enabled)

  const actionsOf = (account: Account) => {
    const demo = isMock(account.accountType)
    const limit = rules.data?.topUpLimit
    const canTopUp = demo && account.open && limit !== undefined
    const canSwitch = demo !== inDemo
    if (!canTopUp && !canSwitch) return null
    return (
      <>
        {canTopUp && (
          <Button onClick={() => setToppingUp(account)}>{t('switch_account.top_up')}</Button>
        )}
        {canSwitch && (
          <Button variant="primary" onClick={() => setAsked(account)}>
            {account.open ? t('switch_account.switch') : t('switch_account.open')}
          </Button>
        )}
      </>
    )
  }

  const toDemo = asked !== null && isMock(asked.accountType)
  return (
    <div className={styles.list}>
      {shown.map((account) => (
        <AccountCard
          key={account.accountType}
          account={account}
          current={isMock(account.accountType) === inDemo}
          actions={actionsOf(account)}
        />
      ))}
      {guest && <UnregisteredCard registerPath={registerPath} />}
      {asked && (
        <ConfirmDialog
          open
          title={toDemo ? t('switch_account.ask.demo') : t('switch_account.ask.real')}
          text={
            <>
              {toDemo ? t('switch_account.ask.demo.hint') : t('switch_account.ask.real.hint')}
              {refused && (
                <div className={styles.refused}>
                  <Note tone="error">{failureText(toFailure(refused))}</Note>
                </div>
              )}
            </>
          }
          lines={
            asked.open
              ? [
                  {
                    label: t('me.balance'),
                    value: (
                      <Num>
                        {formatFixed(asked.balance, 2)} {asked.currency}
                      </Num>
                    ),
                  },
                ]
              : []
          }
          safeLabel={t('switch_account.cancel')}
          confirmLabel={t('switch_account.switch')}
          busy={isPending}
          onConfirm={() => mutate({ mock: toDemo })}
          onClose={() => setAsked(null)}
        />
      )}
      {toppingUp && rules.data && (
        <TopUpSheet
          account={toppingUp}
          limit={rules.data.topUpLimit}
          switches={!inDemo}
          onClose={() => setToppingUp(null)}
        />
      )}
    </div>
  )
}
