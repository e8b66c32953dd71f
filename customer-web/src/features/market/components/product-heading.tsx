import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { ChangeText } from '@/ui/change-text'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { useProductStatus } from '../api/market-status'
import { changePercent, type Product } from '../api/products'
import styles from './product-heading.module.css'

export type ProductHeadingProps = {
  product: Product
  /** The path to choose another product. */
  to: string
}

/** The product of a screen: name, trading status, price and daily change. */
export function ProductHeading({ product, to }: ProductHeadingProps) {
  const { t } = useTranslation()
  const status = useProductStatus(product.productId)
  return (
    <>
      <Link to={to} className={styles.name}>
        <span className={styles.symbol}>
          {product.productNo}
          <Icon name="caret" size={16} />
          <span className="visually-hidden">{t('trade.choose_product')}</span>
        </span>
        <span className={styles.status}>
          <i className={cx(styles.dot, status?.open === false && styles.closed)} aria-hidden />
          {status?.open === false ? t('market.closed') : t('market.open')}
          {status?.until !== undefined && (
            <>
              {' · '}
              {t(status.open ? 'market.until' : 'market.opens')}{' '}
              <TimeText at={status.until} shape="time" />
            </>
          )}
        </span>
      </Link>
      <Price product={product} />
    </>
  )
}

/** The price changes with every tick, so it renders on its own. */
function Price({ product }: Pick<ProductHeadingProps, 'product'>) {
  const price = useQuote(product.productId)?.bid ?? product.lastPrice
  const change = changePercent(product.open24Hours, price)
  return (
    <div className={styles.price}>
      <div className={change.startsWith('-') ? 'down' : 'up'}>
        <Num>{price === undefined ? '–' : formatPrice(price, product.point)}</Num>
      </div>
      <ChangeText className={styles.change} value={change} arrow />
    </div>
  )
}
