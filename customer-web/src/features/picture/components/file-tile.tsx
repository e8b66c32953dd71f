import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { fromScaled } from '@/format/arithmetic'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import styles from './picture.module.css'

export type FileTileProps = { file: File }

const MEGABYTE_DECIMALS = 6

/** A file that the browser can't show: its name and size. */
export function FileTile({ file }: FileTileProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.tile}>
      <Icon name="orders" size={28} />
      <span className={styles.tileName} dir="auto">
        {file.name}
      </span>
      <span className={styles.small}>
        {t('picture.no_preview')} <FileSize file={file} />
      </span>
    </div>
  )
}

/** The size of a file in megabytes. */
export function FileSize({ file }: FileTileProps) {
  const size = formatFixed(fromScaled(BigInt(file.size), MEGABYTE_DECIMALS), 2)
  return <Num>{size} MB</Num>
}
