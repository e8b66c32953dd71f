import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Closing } from '@/features/restriction/components/closing'
import { formatFixed } from '@/format/amount'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { errorText } from '@/i18n/error-text'
import { accountName } from '@/session/account-name'
import { useClosesAt } from '@/session/info-query'
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
import { MOST_ACCOUNTS } from '../model/account-limits'
import { useSwitchAccount } from '../model/use-switch-account'
import { AccountCard } from './account-card'
import styles from './account-switcher.module.css'
import { EditAccountSheet } from './edit-account-sheet'
import { OpenAccountSheet } from './open-account-sheet'
import { TopUpSheet } from './top-up-sheet'
import { UnregisteredCard } from './unregistered-card'

export type AccountSwitcherProps = {
  /** The registration path, if that screen exists. */
  registerPath?: string | undefined
}

/** The trader's accounts, the switch between them, and another one to open; guests see what registration offers. */
export function AccountSwitcher({ registerPath }: AccountSwitcherProps) {
  const { t } = useTranslation()
  const type = useSession(({ user }) => user?.type ?? 0)
  const inUse = useSession(({ user }) => user?.accountId)
  const guest = useIsGuest()
  const { data, error, isFetching, refetch } = useAccounts()
  const rules = useDemoRules()
  const { mutate, isPending, error: refused } = useSwitchAccount()
  const [asked, setAsked] = useState<Account | null>(null)
  const [toppingUp, setToppingUp] = useState<Account | null>(null)
  const [edited, setEdited] = useState<Account | null>(null)
  const [opening, setOpening] = useState(false)
  const inDemo = isMock(type)
  const closing = useClosesAt() !== undefined

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

  const demos = inDemo || rules.data?.enabled === true
  const shown = data.filter((one) => !isMock(one.accountType) || (demos && (one.open || !closing)))
  const count = data.filter((one) => one.open).length
  /** A session from before accounts had numbers is on a main account. */
  const isCurrent = ({ accountId, accountType, number }: Account) =>
    inUse === undefined ? number === 1 && isMock(accountType) === inDemo : accountId === inUse

  const named = (key: 'switch_account.edit_named' | 'switch_account.ask.named', account: Account) =>
    t(key, { name: bidiIsolateAuto(accountName(t, account, isMock(account.accountType))) })

  const actionsOf = (account: Account) => {
    const demo = isMock(account.accountType)
    const limit = rules.data?.topUpLimit
    const canTopUp = demo && account.open && limit !== undefined && !closing
    const canSwitch = !isCurrent(account)
    const canEdit = account.open && !guest && !closing
    if (!canTopUp && !canSwitch && !canEdit) return null
    return (
      <>
        {canEdit && (
          <Button
            aria-label={named('switch_account.edit_named', account)}
            onClick={() => setEdited(account)}
          >
            {t('switch_account.edit')}
          </Button>
        )}
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
  const question = (account: Account) => {
    if (account.name || account.number > 1 || isMock(account.accountType) === inDemo)
      return named('switch_account.ask.named', account)
    return toDemo ? t('switch_account.ask.demo') : t('switch_account.ask.real')
  }
  return (
    <div className={styles.list}>
      <Closing />
      {shown.map((account) => (
        <AccountCard
          key={account.accountId}
          account={account}
          current={isCurrent(account)}
          actions={actionsOf(account)}
        />
      ))}
      {guest && <UnregisteredCard registerPath={registerPath} />}
      {!guest && !closing && (
        <div className={styles.another}>
          <Button size="large" disabled={count >= MOST_ACCOUNTS} onClick={() => setOpening(true)}>
            {t('switch_account.another')}
          </Button>
          <span>{t('switch_account.count', { number: count, limit: MOST_ACCOUNTS })}</span>
        </div>
      )}
      {asked && (
        <ConfirmDialog
          open
          title={question(asked)}
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
          onConfirm={() => mutate({ mock: toDemo, accountId: asked.accountId })}
          onClose={() => setAsked(null)}
        />
      )}
      {toppingUp && rules.data && (
        <TopUpSheet
          account={toppingUp}
          limit={rules.data.topUpLimit}
          switches={!isCurrent(toppingUp)}
          onClose={() => setToppingUp(null)}
        />
      )}
      {edited && <EditAccountSheet account={edited} onClose={() => setEdited(null)} />}
      {opening && <OpenAccountSheet demos={demos} onClose={() => setOpening(false)} />}
    </div>
  )
}
