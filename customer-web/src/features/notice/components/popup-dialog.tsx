import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Sheet } from '@/ui/sheet/sheet'
import type { Popup } from '../api/popups'
import { languageAttributes } from '../model/language-attributes'
import { targetOf } from '../model/target'
import { Html } from './html'
import styles from './popup-dialog.module.css'
import { TargetLink } from './target-link'

export type PopupDialogProps = {
  popup: Popup
  open: boolean
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
  /** Called when it is closed; `ack` means that the user confirmed it. */
  onClose: (ack: boolean) => void
}

/** A pop-up. If it requires confirmation, it can't be closed in any other way. */
export default function PopupDialog({ popup, open, hasPath, onClose }: PopupDialogProps) {
  const { t } = useTranslation()
  const { id, severity, title, body, link, image, alt = '', mustAck, locale } = popup
  const language = languageAttributes(locale)
  const target = targetOf(link, hasPath)
  return (
    <Sheet
      open={open}
      locked={mustAck}
      title={
        <span className={cx(styles.title, severity !== 'info' && styles[severity])}>
          {severity !== 'info' && <Icon name="warn" size={20} />}
          <bdi {...language}>{title}</bdi>
        </span>
      }
      onClose={() => onClose(false)}
      footer={
        <Button size="large" variant="primary" onClick={() => onClose(mustAck)}>
          {t(mustAck ? 'notice.popup.ack' : 'ui.close')}
        </Button>
      }
    >
      {image && <img className={styles.picture} src={image} alt={alt} />}
      <div {...language}>
        <Html text={body} hasPath={hasPath} />
      </div>
      {target && (
        <TargetLink
          id={id}
          target={target}
          className={styles.link}
          onClick={mustAck ? undefined : () => onClose(false)}
        >
          {t('notice.open')}
          <Icon name="forward" />
        </TargetLink>
      )}
    </Sheet>
  )
}
