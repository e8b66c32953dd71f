import { useTranslation } from 'react-i18next'
import { Skeleton } from './skeleton'
import styles from './skeleton.module.css'
import { useDelayed } from './use-delayed'

export type SkeletonRowsProps = {
  rows?: number
  /** Height of a row in pixels, equal to the loaded rows, so that nothing jumps. */
  rowHeight?: number
}

/** Placeholder rows of a loading list; visible after 150 ms, with their space reserved from the start. */
export function SkeletonRows({ rows = 5, rowHeight = 56 }: SkeletonRowsProps) {
  const { t } = useTranslation()
  const drawn = useDelayed(true)
  return (
    <div aria-busy role="status" aria-label={t('shell.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={row} className={styles.row} style={{ blockSize: rowHeight }}>
          {drawn && (
            <>
              <span className={styles.lines}>
                <Skeleton width="38%" />
                {rowHeight >= 48 && <Skeleton width="24%" height={10} />}
              </span>
              <Skeleton width={72} />
            </>
          )}
        </div>
      ))}
    </div>
  )
}
