import Snackbar from '@mui/material/Snackbar'
import { useDesktop } from '@/theme/use-media'
import styles from './toast.module.css'
import { ToastCard } from './toast-card'
import { pauseToasts, useToasts } from './toast-store'

/**
 * Shows the toasts at the top: in the middle of a phone, at the end of a desktop's line. A screen of `data-toasts`
 * moves them: "chart" over the end of the terminal's chart, "bar" above the phone's sell and buy buttons.
 */
export function ToastHost() {
  const shown = useToasts((state) => state.shown)
  const desktop = useDesktop()
  return (
    <Snackbar
      open={shown.length > 0}
      anchorOrigin={{ vertical: 'top', horizontal: desktop ? 'right' : 'center' }}
      className={styles.place ?? ''}
      onMouseEnter={() => pauseToasts(true)}
      onMouseLeave={() => pauseToasts(false)}
      onFocus={() => pauseToasts(true)}
      onBlur={() => pauseToasts(false)}
    >
      <div className={styles.list}>
        {shown.map((item) => (
          <ToastCard key={item.id} item={item} />
        ))}
      </div>
    </Snackbar>
  )
}
