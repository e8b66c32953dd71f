import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { reasonOf } from '@/api/reason'
import { fileKind } from '@/features/picture/model/prepare-picture'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { cancelUpload, retryUpload, type Uploading } from '../model/chat'
import { Bubble } from './bubble'
import styles from './chat.module.css'

export type UploadingPictureProps = { uploading: Uploading }

/** Refusals that no retry of the same file can change. */
const final = [
  'upload.infected',
  'upload.format',
  'upload.too_large',
  'upload.too_detailed',
  'upload.pdf_broken',
  'upload.pdf_complex',
  'upload.pdf_locked',
]

/** A picture or a PDF being uploaded with its progress, or the reason it failed. */
export function UploadingPicture({ uploading }: UploadingPictureProps) {
  const { t } = useTranslation()
  const { id, file, text, share, failure } = uploading
  const mayRetry =
    failure !== undefined && !(failure instanceof CallFailure && final.includes(failure.code ?? ''))
  return (
    <Bubble
      by="self"
      foot={
        failure === undefined && (
          <progress className={styles.progress} value={share} aria-label={t('picture.uploading')} />
        )
      }
    >
      <span className={styles.card}>
        <Icon name={fileKind(file) === 'pdf' ? 'orders' : 'image'} size={20} />
        <span className={styles.fileName} dir="auto">
          {file.name}
        </span>
      </span>
      {text && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {failure !== undefined && (
        <p className={styles.failed}>
          <Icon name="warn" size={14} />
          {t('kefu.not_sent')} {reasonOf(failure).reason}
        </p>
      )}
      <div className={styles.acts}>
        {mayRetry && (
          <Button variant="quiet" onClick={() => retryUpload(id)}>
            {t('ui.retry')}
          </Button>
        )}
        <Button variant="text" onClick={() => cancelUpload(id)}>
          {t(failure === undefined ? 'kefu.stop_upload' : 'kefu.discard')}
        </Button>
      </div>
    </Bubble>
  )
}
