import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fileKind } from '../model/prepare-picture'
import { FileSize, FileTile } from './file-tile'
import styles from './picture.module.css'

export type PicturePreviewProps = {
  picture: File
  /** The browser can't display it. */
  onDamaged: () => void
}

/** The picture as it will be sent, with its size. */
export function PicturePreview({ picture, onDamaged }: PicturePreviewProps) {
  if (fileKind(picture) !== 'shown') return <FileTile file={picture} />
  return <ShownPicture picture={picture} onDamaged={onDamaged} />
}

function ShownPicture({ picture, onDamaged }: PicturePreviewProps) {
  const { t } = useTranslation()
  const [address, setAddress] = useState<string | null>(null)

  useEffect(() => {
    const made = URL.createObjectURL(picture)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [picture])

  return (
    <figure className={styles.preview}>
      {address && <img src={address} alt={t('picture.preview')} onError={onDamaged} />}
      <figcaption>
        {t('picture.preview')} <FileSize file={picture} />
      </figcaption>
    </figure>
  )
}
