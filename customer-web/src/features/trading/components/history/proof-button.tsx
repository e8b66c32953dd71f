import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Mark } from '@/ui/icons/mark'
import { useOpeningProof } from '../../model/use-opening-proof'
import styles from './proof-mark.module.css'

export type ProofButtonProps = {
  positionId: number
  /** Shows only the icon, for a narrow table cell. */
  compact?: boolean
}

/** Opens the receipt of the fill that opened a position. */
export function ProofButton({ positionId, compact = false }: ProofButtonProps) {
  const { t } = useTranslation()
  const { open, busy } = useOpeningProof(positionId)
  if (compact) {
    return (
      <ButtonBase
        className={styles.mark}
        aria-label={t('trade.open_proof')}
        title={t('trade.open_proof')}
        disabled={busy}
        onClick={open}
      >
        <Mark size={18} />
      </ButtonBase>
    )
  }
  return (
    <Button onClick={open} busy={busy}>
      {!busy && <Mark size={18} />}
      {t('position.proof')}
    </Button>
  )
}
