import { useTranslation } from 'react-i18next'
import { formatFileSize } from '@/format/file-size'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import styles from './picture.module.css'

export type FileTileProps = { file: File }

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

/** The size of a file. */
export function FileSize({ file }: FileTileProps) {
  return <Num>{formatFileSize(file.size)}</Num>
}
