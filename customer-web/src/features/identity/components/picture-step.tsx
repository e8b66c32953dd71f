import { useTranslation } from 'react-i18next'
import { PictureField } from '@/features/picture/components/picture-field'
import { StageBar } from '@/features/picture/components/stage-bar'
import { checkPicture, type PictureWarning } from '@/features/picture/model/picture-quality'
import { usePicture } from '@/features/picture/model/use-picture'
import { useDesktop } from '@/theme/use-media'
import { Note } from '@/ui/note'
import { type Side, useUploadImage } from '../api/identity'
import { hasPicture, pageName } from '../model/steps'
import { ContinueOnPhone } from './continue-on-phone'
import type { StepProps } from './country-step'
import styles from './identity.module.css'
import { OwnPicture } from './own-picture'
import { StepForm } from './step-form'

const tips = ['first', 'second', 'third'] as const

/** The picture of one side: taken, checked and uploaded. */
export function PictureStep({ identity, onDone, side }: StepProps & { side: Side }) {
  const { t } = useTranslation()
  const chosen = usePicture({}, checkPicture)
  const desktop = useDesktop()
  const upload = useUploadImage()
  const { picture, problem, preparing } = chosen
  const warnings = chosen.warnings as readonly PictureWarning[]
  const there = hasPicture(identity, side)
  const subject = side === 'selfie' ? 'selfie' : 'document'

  const submit = () => {
    if (picture) upload.mutate({ side, picture }, { onSuccess: onDone })
    else if (there) onDone(identity)
  }

  const action = () => {
    if (!picture) return t(there ? 'identity.picture.keep' : 'identity.picture.send')
    return t(warnings.length > 0 ? 'identity.picture.anyway' : 'identity.picture.send')
  }

  return (
    <StepForm
      title={t(`identity.${pageName(identity, side)}.title`)}
      failure={upload.error}
      above={
        preparing ? (
          <StageBar text={t('picture.preparing')} />
        ) : upload.isPending ? (
          <StageBar text={t('picture.uploading')} />
        ) : undefined
      }
      action={action()}
      quiet={picture !== null && warnings.length > 0}
      disabled={preparing || problem !== null || !(picture || there)}
      busy={upload.isPending}
      onSubmit={submit}
    >
      {warnings.length > 0 ? (
        <div role="status" className={styles.warnings}>
          {warnings.map((warning) => (
            <Note key={warning} tone="warning">
              {t(`identity.look.${warning}`)}
            </Note>
          ))}
        </div>
      ) : (
        <ul className={styles.tips}>
          {tips.map((tip) => (
            <li key={tip}>{t(`identity.tip.${subject}.${tip}`)}</li>
          ))}
        </ul>
      )}
      <PictureField
        chosen={chosen}
        facing={side === 'selfie' ? 'user' : 'environment'}
        busy={upload.isPending}
        webcam
        more={
          desktop && (
            <ContinueOnPhone
              identity={identity}
              side={side}
              disabled={upload.isPending}
              onArrived={onDone}
            />
          )
        }
        before={there && !preparing ? <OwnPicture identity={identity} side={side} /> : undefined}
        onPick={() => upload.reset()}
      />
    </StepForm>
  )
}
