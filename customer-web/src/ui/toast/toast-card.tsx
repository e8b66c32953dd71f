import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icons/icon'
import styles from './toast.module.css'
import { type Toast, toast } from './toast-store'

export type ToastCardProps = { item: Toast }

/** One toast: icon, one sentence, at most one link; errors can be closed. */
export function ToastCard({ item: { id, kind, text, action } }: ToastCardProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.toast} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon
        name={kind === 'error' ? 'warn' : 'check'}
        className={kind === 'error' ? styles.error : styles.success}
      />
      <span className={styles.text}>{text}</span>
      {action && (
        <ButtonBase
          className={styles.action}
          onClick={() => {
            toast.close(id)
            action.onPress()
          }}
        >
          {action.label}
        </ButtonBase>
      )}
      {kind === 'error' && (
        <ButtonBase className={styles.close} onClick={() => toast.close(id)}>
          <Icon name="close" label={t('ui.close')} />
        </ButtonBase>
      )}
    </div>
  )
}
