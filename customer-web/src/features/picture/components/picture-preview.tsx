import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { Num } from '@/ui/num'
import styles from './picture.module.css'

export type PicturePreviewProps = {
  picture: File
  /** The browser can't display it. */
  onDamaged: () => void
}

const MEGABYTE_DECIMALS = 6

/** The picture as it will be sent, with its size. */
export function PicturePreview({ picture, onDamaged }: PicturePreviewProps) {
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
        {t('picture.preview')}{' '}
        <Num>{formatFixed(fromScaled(BigInt(picture.size), MEGABYTE_DECIMALS), 2)} MB</Num>
      </figcaption>
    </figure>
  )
}
