import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useAcceptBonus } from '../api/bonus'
import { BONUS_TERMS, type BonusFacts, BonusTerms } from './bonus-terms'

export type AcceptBonusSheetProps = {
  bonus: BonusFacts
  /** The campaign, or the bonus that was offered to the trader alone. */
  id: { campaignId: number } | { bonusId: number }
  onClose: () => void
}

/** The terms of a bonus, and its acceptance. */
export function AcceptBonusSheet({ bonus, id, onClose }: AcceptBonusSheetProps) {
  const { t } = useTranslation()
  const accept = useAcceptBonus()
  const confirm = () =>
    accept.mutate(
      { ...id, terms: BONUS_TERMS },
      {
        onSuccess: () => {
          toast.success(
            bonus.rule === 'deposit' ? t('bonus.accepted_deposit') : t('bonus.accepted'),
          )
          onClose()
        },
      },
    )
  return (
    <Sheet
      open
      title={t('bonus.terms.title')}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={accept.isPending}>
            {t('bonus.not_now')}
          </Button>
          <Button size="large" variant="primary" busy={accept.isPending} onClick={confirm}>
            {t('bonus.accept')}
          </Button>
        </>
      }
    >
      <BonusTerms bonus={bonus} />
      {accept.error && <FailureNote error={accept.error} />}
    </Sheet>
  )
}
