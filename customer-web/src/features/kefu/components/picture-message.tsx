import ButtonBase from '@mui/material/ButtonBase'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { cx } from '@/ui/cx'
import { Sheet } from '@/ui/sheet/sheet'
import { Skeleton } from '@/ui/skeleton'
import { useChatPicture } from '../api/kefu'
import styles from './chat.module.css'

export type PictureMessageProps = {
  name: string
  /** The alternative text. */
  text: string
  /** The pages of the PDF whose first ones the picture shows; undefined for a picture. */
  pages: number | undefined
}

const HEIGHT = 180

/** How many pages of a PDF the server draws. */
const PAGES_SHOWN = 3

/** A picture or the pages of a PDF as a thumbnail; a press enlarges it. */
export function PictureMessage({ name, text, pages }: PictureMessageProps) {
  const { t } = useTranslation()
  const { data, isError } = useChatPicture(name)
  const [address, setAddress] = useState<string | null>(null)
  const [lost, setLost] = useState(false)
  const [large, setLarge] = useState(false)

  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])

  if (isError || lost) return <p className={styles.masked}>{t('kefu.picture.lost')}</p>
  if (!address) return <Skeleton width={HEIGHT} height={HEIGHT} />
  const picture = <img src={address} alt={text} onError={() => setLost(true)} />
  return (
    <>
      <ButtonBase
        className={cx(styles.picture, pages !== undefined && styles.pages)}
        title={t(pages ? 'kefu.pdf.open' : 'kefu.picture.open')}
        aria-haspopup="dialog"
        onClick={() => setLarge(true)}
      >
        {picture}
      </ButtonBase>
      {pages !== undefined && (
        <p className={styles.masked}>
          {t(pages > PAGES_SHOWN ? 'kefu.pdf.cut' : 'kefu.pdf', {
            count: pages,
            shown: bidiIsolate(formatFixed(PAGES_SHOWN, 0)),
          })}
        </p>
      )}
      <Sheet open={large} title={text} onClose={() => setLarge(false)} width={900}>
        <div className={pages === undefined ? styles.large : styles.largePages}>{picture}</div>
      </Sheet>
    </>
  )
}
