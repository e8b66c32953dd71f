import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { FailureNote } from '@/ui/failure-note'
import { Num } from '@/ui/num'
import { toast } from '@/ui/toast/toast-store'
import { refreshWithdrawals, type Withdrawal } from '../api/withdrawals'
import { useCancelWithdraw } from '../api/writes'

export type CancelWithdrawalProps = { withdrawal: Withdrawal }

/** Cancels a withdrawal that is not fully approved, after confirmation. */
export function CancelWithdrawal({ withdrawal }: CancelWithdrawalProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [checking, setChecking] = useState(false)
  const write = useCancelWithdraw(() => setChecking(true))

  const cancel = () =>
    write.mutate(
      { withdrawId: withdrawal.withdrawId },
      {
        onSuccess: () => {
          setAsking(false)
          toast.success(t('withdraw.cancel.done'))
        },
        // Its state may have changed meanwhile.
        onError: () => void refreshWithdrawals(client),
        onSettled: () => setChecking(false),
      },
    )

  return (
    <>
      {withdrawal.cancellable && (
        <Button variant="text" onClick={() => setAsking(true)}>
          {t('withdraw.cancel.open')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        danger
        title={t('withdraw.cancel.title')}
        text={
          <>
            <p>{t('withdraw.cancel.text')}</p>
            {write.error && <FailureNote error={write.error} />}
          </>
        }
        lines={[
          { label: t('withdraw.fact.number'), value: <Num>{withdrawal.withdrawNo}</Num> },
          {
            label: t('deposit.amount.label'),
            value: (
              <>
                <Num>{formatAmount(withdrawal.amount)}</Num> {withdrawal.currency}
              </>
            ),
          },
        ]}
        safeLabel={t('withdraw.cancel.keep')}
        confirmLabel={t(checking ? 'deposit.checking' : 'withdraw.cancel.confirm')}
        busy={write.isPending}
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
