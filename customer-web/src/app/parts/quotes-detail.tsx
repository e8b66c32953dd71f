import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Product } from '@/features/market/api/products'
import { productPath } from '@/features/market/model/product-path'
import { Icon } from '@/ui/icons/icon'
import { ProductSummary } from './product-summary'
import styles from './quotes-detail.module.css'

export type QuotesDetailProps = { product: Product }

/** The chosen product beside a tablet's list of quotes. */
export default function QuotesDetail({ product }: QuotesDetailProps) {
  const { t } = useTranslation()
  return (
    <>
      <h2 className={styles.title}>
        <Link
          to={productPath(product.productId)}
          aria-label={t('product.open', { symbol: product.productNo })}
        >
          <bdi dir="ltr">{product.productNo}</bdi>
          <Icon name="forward" size={16} />
        </Link>
      </h2>
      <ProductSummary key={product.productId} product={product} />
    </>
  )
}
