import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { type CameraProblem, cameraProblem, takeFrame } from '../model/camera'
import styles from './camera-dialog.module.css'
import { PicturePreview } from './picture-preview'

export type CameraDialogProps = {
  /** Shows the live video as a mirror does. */
  mirrored: boolean
  onTaken: (picture: File) => void
  onClose: () => void
}

/** Takes a picture with the computer's camera: live video, then the picture to use or to take again. */
export default function CameraDialog({ mirrored, onTaken, onClose }: CameraDialogProps) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [live, setLive] = useState(false)
  const [problem, setProblem] = useState<CameraProblem | null>(null)
  const [taken, setTaken] = useState<File | null>(null)
  const [tries, setTries] = useState(0)
  const filming = taken === null

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks for the camera again
  useEffect(() => {
    if (!filming) return
    let opened: MediaStream | undefined
    let over = false
    const stop = () => {
      for (const track of opened?.getTracks() ?? []) track.stop()
    }
    const start = async () => {
      try {
        opened = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1920 } } })
        if (over) stop()
        else setStream(opened)
      } catch (error) {
        if (!over) setProblem(cameraProblem(error))
      }
    }
    setProblem(null)
    void start()
    return () => {
      over = true
      setLive(false)
      setStream(null)
      stop()
    }
  }, [filming, tries])

  const take = async () => {
    const picture = video.current && (await takeFrame(video.current))
    if (picture) setTaken(picture)
  }

  const footer = () => {
    if (problem)
      return (
        <Button size="large" variant="primary" onClick={() => setTries(tries + 1)}>
          {t('ui.retry')}
        </Button>
      )
    if (!taken)
      return (
        <Button size="large" variant="primary" disabled={!live} onClick={() => void take()}>
          {t('camera.take')}
        </Button>
      )
    return (
      <>
        <Button size="large" onClick={() => setTaken(null)}>
          {t('camera.again')}
        </Button>
        <Button size="large" variant="primary" onClick={() => onTaken(taken)}>
          {t('camera.use')}
        </Button>
      </>
    )
  }

  return (
    <Sheet open title={t('camera.title')} onClose={onClose} footer={footer()} width={640}>
      {problem && <Note tone="error">{t(`camera.problem.${problem}`)}</Note>}
      {taken && <PicturePreview picture={taken} onDamaged={() => setTaken(null)} />}
      {filming && !problem && (
        <div className={styles.frame} aria-busy={!live}>
          <video
            ref={(element) => {
              video.current = element
              if (element && element.srcObject !== stream) element.srcObject = stream
            }}
            className={cx(mirrored && styles.mirrored)}
            autoPlay
            muted
            playsInline
            aria-label={t('camera.live')}
            onPlaying={() => setLive(true)}
          />
          {!live && <p role="status">{t('camera.starting')}</p>}
        </div>
      )}
    </Sheet>
  )
}
