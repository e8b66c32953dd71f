import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { toast } from '@/ui/toast/toast-store'
import styles from './fills-sheet.module.css'

export type CopyNumberProps = { label: string; number: number }

/** A number to quote to support; copied on press. */
export function CopyNumber({ label, number }: CopyNumberProps) {
  const { t } = useTranslation()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(String(number))
      toast.success(t('history.copied'))
    } catch {
      toast.error(t('history.not_copied'))
    }
  }
  return (
    <ButtonBase className={styles.copy} onClick={() => void copy()}>
      {label} <Num>{number}</Num>
      <Icon name="copy" size={14} label={t('history.copy_number')} />
    </ButtonBase>
  )
}
