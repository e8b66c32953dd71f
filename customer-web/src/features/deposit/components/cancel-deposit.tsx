import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { FailureNote } from '@/ui/failure-note'
import { Num } from '@/ui/num'
import { toast } from '@/ui/toast/toast-store'
import type { Deposit } from '../api/deposits'
import { useCancelRecharge } from '../api/writes'

export type CancelDepositProps = { deposit: Deposit }

/** Cancels a deposit that awaits its transfer, after confirmation. */
export function CancelDeposit({ deposit }: CancelDepositProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [checking, setChecking] = useState(false)
  const write = useCancelRecharge(() => setChecking(true))

  const cancel = () =>
    write.mutate(
      { rechargeId: deposit.rechargeId },
      {
        onSuccess: () => {
          setAsking(false)
          toast.success(t('deposit.cancel.done'))
        },
        onSettled: () => setChecking(false),
      },
    )

  return (
    <>
      <Button variant="text" onClick={() => setAsking(true)}>
        {t('deposit.cancel.open')}
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        title={t('deposit.cancel.title')}
        text={
          <>
            <p>{t('deposit.cancel.text')}</p>
            {write.error && <FailureNote error={write.error} />}
          </>
        }
        lines={[
          { label: t('deposit.fact.number'), value: <Num>{deposit.rechargeNo}</Num> },
          {
            label: t('deposit.amount.label'),
            value: (
              <>
                <Num>{formatAmount(deposit.amount)}</Num> {deposit.currency}
              </>
            ),
          },
        ]}
        safeLabel={t('deposit.cancel.keep')}
        confirmLabel={t(checking ? 'deposit.checking' : 'deposit.cancel.confirm')}
        busy={write.isPending}
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
