import { useTranslation } from 'react-i18next'
import type { TextKey } from '@/i18n/i18n'
import { cx } from '@/ui/cx'
import type { Freshness } from '../model/freshness'
import styles from './freshness-dot.module.css'

export type FreshnessDotProps = { freshness: Freshness }

const words: Record<Freshness, TextKey> = {
  fresh: 'product.freshness.fresh',
  ageing: 'product.freshness.ageing',
  stale: 'product.freshness.stale',
  closed: 'product.freshness.closed',
  halted: 'product.freshness.halted',
}

/** The freshness of a price: full while live, a ring when ageing, grey when stale, a dash when closed. */
export function FreshnessDot({ freshness }: FreshnessDotProps) {
  const { t } = useTranslation()
  return (
    <span
      className={cx(styles.dot, styles[freshness])}
      role="img"
      aria-label={t(words[freshness])}
      title={t(words[freshness])}
    />
  )
}
