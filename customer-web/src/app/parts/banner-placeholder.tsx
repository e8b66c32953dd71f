import { Skeleton } from '@/ui/skeleton'
import { useDelayed } from '@/ui/use-delayed'
import styles from './banner-placeholder.module.css'

/** Reserves the space of a banner that is still loading. */
export function BannerPlaceholder() {
  const drawn = useDelayed(true)
  return (
    <div className={styles.room} aria-busy>
      {drawn && (
        <>
          <Skeleton width="42%" height={14} />
          <Skeleton width="68%" />
        </>
      )}
    </div>
  )
}
