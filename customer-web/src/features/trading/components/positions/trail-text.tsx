import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import styles from './trail-text.module.css'

export type TrailTextProps = {
  position: Wire['Position']
  /** Decimals of the price. */
  point: number
}

/** The level of a trailing stop, and its distance from the best price. */
export function TrailText({ position, point }: TrailTextProps) {
  const { t } = useTranslation()
  return (
    <>
      <Num>{formatPrice(position.trailingLevel, point)}</Num>
      <small className={styles.behind}>
        {t('position.behind', { distance: bidiIsolate(formatPrice(position.trailingStop, point)) })}
      </small>
    </>
  )
}
