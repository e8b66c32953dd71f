import { Link } from 'react-router'
import type { Product } from '../api/products'
import styles from './symbol-link.module.css'

export type SymbolLinkProps = {
  product: Product
  to?: string | undefined
  /** Whether the product is the one shown beside the list; undefined if the link leads to another screen. */
  current?: boolean | undefined
  onOpen?: ((product: Product) => void) | undefined
}

/** The symbol; as a link it covers its whole row, which must be positioned. */
export function SymbolLink({ product, to, current, onOpen }: SymbolLinkProps) {
  const symbol = <bdi dir="ltr">{product.productNo}</bdi>
  if (to === undefined) return symbol
  return (
    <Link
      to={to}
      // Beside a list, going back leaves the list.
      replace={current !== undefined}
      className={styles.link}
      aria-current={current || undefined}
      onClick={() => onOpen?.(product)}
    >
      {symbol}
    </Link>
  )
}
