import MuiSkeleton from '@mui/material/Skeleton'

export type SkeletonProps = {
  /** CSS lengths of the loaded content. */
  width?: number | string
  height?: number | string
}

/** A grey bar in the shape of the loading content. */
export function Skeleton({ width = '100%', height = 12 }: SkeletonProps) {
  return (
    <MuiSkeleton component="span" variant="rounded" width={width} height={height} aria-hidden />
  )
}
