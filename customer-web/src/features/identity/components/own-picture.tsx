import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { Skeleton } from '@/ui/skeleton'
import { type Identity, type Side, useOwnPicture } from '../api/identity'
import { pageName } from '../model/steps'
import styles from './identity.module.css'

export type OwnPictureProps = { identity: Identity; side: Side }

/** A submitted picture: shown while the application is a draft, described in words later. */
export function OwnPicture({ identity, side }: OwnPictureProps) {
  return identity.state === 'draft' ? (
    <ShownPicture identity={identity} side={side} />
  ) : (
    <PictureThere />
  )
}

function PictureThere() {
  const { t } = useTranslation()
  return (
    <p className={styles.there}>
      <Icon name="check" />
      {t('identity.picture.there')}
    </p>
  )
}

/** Of the picture and its skeleton, px; the style says the same. */
const HEIGHT = 240

function ShownPicture({ identity, side }: OwnPictureProps) {
  const { t } = useTranslation()
  const { data, isPending } = useOwnPicture(side, identity.version)
  const [address, setAddress] = useState<string | null>(null)

  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])

  if (!isPending && !data) return <PictureThere />
  return address ? (
    <img
      className={styles.own}
      src={address}
      alt={t('identity.picture.own', { part: t(`identity.part.${pageName(identity, side)}`) })}
    />
  ) : (
    <Skeleton height={HEIGHT} />
  )
}
