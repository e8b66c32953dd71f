import Dialog from '@mui/material/Dialog'
import Drawer from '@mui/material/Drawer'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesktop } from '@/theme/use-media'
import { IconButton } from '../icon-button'
import type { SheetProps } from './sheet'
import styles from './sheet.module.css'
import { useCloseRequest } from './use-close-request'

/** The visible part of a sheet, loaded when the first one opens. */
export default function SheetSurface(props: SheetProps) {
  const { open, title, onClose, locked = false, children, footer, width = 440 } = props
  const { t } = useTranslation()
  const desktop = useDesktop()
  const titleId = useId()

  const dismiss = locked ? undefined : onClose
  useCloseRequest(open, dismiss)

  const content = (
    <>
      {!desktop && <div className={styles.grab} aria-hidden />}
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {!locked && <IconButton icon="close" label={t('ui.close')} size={20} onClick={onClose} />}
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </>
  )

  return desktop ? (
    <Dialog
      open={open}
      onClose={dismiss}
      aria-labelledby={titleId}
      slotProps={{ paper: { sx: { width: '100%', maxWidth: width } } }}
    >
      {content}
    </Dialog>
  ) : (
    <Drawer
      anchor="bottom"
      open={open}
      onClose={dismiss}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': titleId,
          className: styles.paper ?? '',
        },
      }}
    >
      {content}
    </Drawer>
  )
}
