import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { PICTURE_ACCEPT } from '../model/prepare-picture'
import type { ChosenPicture } from '../model/use-picture'
import styles from './picture.module.css'
import { PicturePreview } from './picture-preview'

export type PictureFieldProps = {
  chosen: ChosenPicture
  /** The phone camera to use: `environment` is on the back, `user` above the screen. */
  facing: 'environment' | 'user'
  busy: boolean
  /** Shown while nothing is chosen, such as the picture uploaded before. */
  before?: ReactNode
  /** Another file was chosen. */
  onPick?: () => void
}

/** A picture field for camera or files: shows the picture as it will be sent, or why it can't be. */
export function PictureField({ chosen, facing, busy, before, onPick }: PictureFieldProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const camera = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const { picture, problem, preparing, choose, setDamaged } = chosen
  const disabled = busy || preparing

  const input = (kind: 'camera' | 'file') => (
    <input
      ref={kind === 'camera' ? camera : files}
      type="file"
      hidden
      accept={PICTURE_ACCEPT}
      capture={kind === 'camera' ? facing : undefined}
      aria-label={t(`picture.${kind}`)}
      onChange={(event) => {
        const file = event.target.files?.[0]
        if (file) {
          onPick?.()
          choose(file)
        }
        // Allows choosing the same file again.
        event.target.value = ''
      }}
    />
  )

  return (
    <>
      {picture ? (
        <PicturePreview picture={picture} onDamaged={setDamaged} />
      ) : (
        (before ?? (
          <div className={styles.empty} aria-hidden>
            <Icon name="image" size={28} />
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
          {t(picture ? 'picture.another' : 'picture.file')}
        </Button>
      </div>
      <p className={styles.small}>{t('picture.formats')}</p>
      {problem && <Note tone="error">{t(`picture.problem.${problem}`)}</Note>}
    </>
  )
}
