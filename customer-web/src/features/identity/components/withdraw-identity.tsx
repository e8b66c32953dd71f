import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { FailureNote } from '@/ui/failure-note'
import { toast } from '@/ui/toast/toast-store'
import { type Identity, refreshIdentity, useWithdrawIdentity } from '../api/identity'

export type WithdrawIdentityProps = { identity: Identity }

/** Withdraws an application that no reviewer has opened yet, after confirmation. */
export function WithdrawIdentity({ identity }: WithdrawIdentityProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [checking, setChecking] = useState(false)
  const write = useWithdrawIdentity(() => setChecking(true))

  const withdraw = () =>
    write.mutate(
      { version: identity.version },
      {
        onSuccess: () => toast.success(t('identity.withdraw.done')),
        // A reviewer may have opened it.
        onError: (error) => {
          if (!isOutcomeUnknown(error)) void refreshIdentity(client)
        },
        onSettled: () => setChecking(false),
      },
    )

  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('identity.withdraw.open')}</Button>
      <ConfirmDialog
        open={asking}
        title={t('identity.withdraw.title')}
        text={
          <>
            <p>{t('identity.withdraw.text')}</p>
            {write.error && <FailureNote error={write.error} />}
          </>
        }
        safeLabel={t('identity.withdraw.keep')}
        confirmLabel={t(checking ? 'deposit.checking' : 'identity.withdraw.confirm')}
        busy={write.isPending}
        onConfirm={withdraw}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
