import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { FailureNote } from '@/ui/failure-note'
import { toast } from '@/ui/toast/toast-store'
import { type Bonus, useDeclineBonus } from '../api/bonus'

/** Asks before a bonus is declined that was not granted yet. */
export function DeclineBonusDialog({ bonus, onClose }: { bonus: Bonus; onClose: () => void }) {
  const { t } = useTranslation()
  const decline = useDeclineBonus()
  return (
    <ConfirmDialog
      open
      title={t('bonus.decline.ask')}
      text={
        <>
          {t('bonus.decline.text')}
          {decline.error && <FailureNote error={decline.error} />}
        </>
      }
      safeLabel={t('bonus.not_now')}
      confirmLabel={t('bonus.decline')}
      busy={decline.isPending}
      onConfirm={() =>
        decline.mutate(
          { bonusId: bonus.bonusId, state: bonus.state === 'accepted' ? 'accepted' : 'offered' },
          {
            onSuccess: () => {
              toast.success(t('bonus.declined'))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
