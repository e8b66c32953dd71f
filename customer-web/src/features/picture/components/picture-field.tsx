import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { mayUseCamera } from '../model/camera'
import { pictureAccept } from '../model/prepare-picture'
import { useFileDrop } from '../model/use-file-drop'
import type { ChosenPicture } from '../model/use-picture'
import styles from './picture.module.css'
import { PicturePreview } from './picture-preview'

const CameraDialog = lazy(() => import('./camera-dialog'))

export type PictureFieldProps = {
  chosen: ChosenPicture
  /** The phone camera to use: `environment` is on the back, `user` above the screen. */
  facing: 'environment' | 'user'
  busy: boolean
  /** Offers the computer's camera on a desktop. */
  webcam?: boolean
  /** Further ways to a picture, beside the others. */
  more?: ReactNode
  /** Shown while nothing is chosen, such as the picture uploaded before. */
  before?: ReactNode
  /** Another file was chosen. */
  onPick?: () => void
}

/** A picture field for camera or files: shows the picture as it will be sent, or why it can't be. */
export function PictureField({
  chosen,
  facing,
  busy,
  webcam = false,
  more,
  before,
  onPick,
}: PictureFieldProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const camera = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const [filming, setFilming] = useState(false)
  const { use, picture, problem, preparing, choose, setDamaged } = chosen
  const disabled = busy || preparing
  const take = (file: File) => {
    onPick?.()
    choose(file)
  }
  const drop = useFileDrop(take, disabled, desktop)

  const input = (kind: 'camera' | 'file') => (
    <input
      ref={kind === 'camera' ? camera : files}
      type="file"
      hidden
      accept={pictureAccept(kind === 'camera' ? {} : use)}
      capture={kind === 'camera' ? facing : undefined}
      aria-label={t(kind === 'file' && use.pdf ? 'picture.document' : `picture.${kind}`)}
      onChange={(event) => {
        const file = event.target.files?.[0]
        if (file) take(file)
        // Allows choosing the same file again.
        event.target.value = ''
      }}
    />
  )

  const chooseText = () => {
    if (use.pdf) return picture ? 'picture.another_document' : 'picture.document'
    return picture ? 'picture.another' : 'picture.file'
  }

  return (
    <div className={cx(styles.field, drop.over && styles.over)} {...drop.handlers}>
      {picture ? (
        <PicturePreview picture={picture} onDamaged={setDamaged} />
      ) : (
        (before ?? (
          <div className={styles.empty}>
            <Icon name="image" size={28} />
            {desktop && <p>{t('picture.drop')}</p>}
          </div>
        ))
      )}
      {input('camera')}
      {input('file')}
      <div className={styles.sources}>
        {!desktop && (
          <Button variant="quiet" disabled={disabled} onClick={() => camera.current?.click()}>
            <Icon name="camera" size={20} />
            {t('picture.camera')}
          </Button>
        )}
        <Button variant="quiet" disabled={disabled} onClick={() => files.current?.click()}>
          <Icon name="image" size={20} />
          {t(chooseText())}
        </Button>
        {webcam && desktop && mayUseCamera() && (
          <Button variant="quiet" disabled={disabled} onClick={() => setFilming(true)}>
            <Icon name="camera" size={20} />
            {t('camera.open')}
          </Button>
        )}
        {more}
      </div>
      <p className={styles.small}>{t(use.pdf ? 'picture.formats.document' : 'picture.formats')}</p>
      <p className="visually-hidden" role="status">
        {picture && t('picture.taken', { name: picture.name })}
      </p>
      {problem && <Note tone="error">{t(`picture.problem.${problem}`)}</Note>}
      {filming && (
        <Suspense>
          <CameraDialog
            mirrored={facing === 'user'}
            onTaken={(file) => {
              setFilming(false)
              take(file)
            }}
            onClose={() => setFilming(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
