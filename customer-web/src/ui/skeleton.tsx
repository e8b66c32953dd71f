import styles from './skeleton.module.css'

export type SkeletonProps = {
  /** CSS lengths of what will stand here. */
  width?: number | string
  height?: number | string
}

/** A grey bar in the shape of what is loading. */
export function Skeleton({ width = '100%', height = 12 }: SkeletonProps) {
  return (
    <span className={styles.bar} style={{ inlineSize: width, blockSize: height }} aria-hidden />
  )
}
