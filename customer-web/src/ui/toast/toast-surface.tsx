import Snackbar from '@mui/material/Snackbar'
import { useDesktop } from '@/theme/use-media'
import styles from './toast.module.css'
import { ToastCard } from './toast-card'
import { pauseToasts, useToasts } from './toast-store'

/** Shows the toasts: at the top of a phone, at the bottom of a desktop, where the terminal has no buttons. */
export default function ToastSurface() {
  const shown = useToasts((state) => state.shown)
  const desktop = useDesktop()
  return (
    <Snackbar
      open={shown.length > 0}
      anchorOrigin={{ vertical: desktop ? 'bottom' : 'top', horizontal: 'center' }}
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
