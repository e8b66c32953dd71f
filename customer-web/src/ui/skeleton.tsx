import styles from './skeleton.module.css'

export type SkeletonProps = {
  /** CSS lengths of the loaded content. */
  width?: number | string
  height?: number | string
}

/** A grey bar in the shape of the loading content. */
export function Skeleton({ width = '100%', height = 12 }: SkeletonProps) {
  return (
    <span className={styles.bar} style={{ inlineSize: width, blockSize: height }} aria-hidden />
  )
}
