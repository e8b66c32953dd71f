import type { ReactNode } from 'react'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import styles from './product-cell.module.css'

export type ProductCellProps = {
  symbol: string | undefined
  side: 'buy' | 'sell'
  /** The side, or the side with the kind of order. */
  word: string
  leverage?: number
  children?: ReactNode
}

/** What a row is about: the product, its side, and its leverage where there is room. */
export function ProductCell({ symbol, side, word, leverage, children }: ProductCellProps) {
  return (
    <span className={styles.what}>
      <b>{symbol}</b>
      <Tag tone={side === 'buy' ? 'up' : 'down'}>{word}</Tag>
      {leverage !== undefined && <Num className={styles.leverage}>1:{leverage}</Num>}
      {children}
    </span>
  )
}
