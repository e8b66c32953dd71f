import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { type Product, useProducts } from '@/features/market/api/products'
import { StarButton } from '@/features/market/components/star-button'
import { useFavourites } from '@/features/market/model/favourites'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { ProductTerms } from '@/features/trading/components/ticket/product-terms'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Page } from '../parts/page'
import styles from '../parts/product.module.css'
import { ProductSummary } from '../parts/product-summary'
import { useLiveTitle } from '../use-live-title'

/** A product for whoever wants to know it: its price, changes and ranges, what it is, and its terms. */
export default function ProductPage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const { data, error, refetch } = useProducts()
  const id = params.get('product')
  const product = data?.find((one) => String(one.productId) === id || one.productNo === id)
  if (product) return <OneProduct key={product.productId} product={product} />
  return (
    <Page title={t('figure.product')}>
      {!data && !error && <SkeletonRows rows={8} />}
      {!data && error && <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />}
      {data && (
        <EmptyState
          text={t('trade.unknown_product')}
          action={<Button to="/quotes">{t('shell.nav.quotes')}</Button>}
        />
      )}
    </Page>
  )
}

function OneProduct({ product }: { product: Product }) {
  const { t } = useTranslation()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  useLiveTitle(product)
  const { productId, productNo, base, quote, type } = product
  return (
    <Page
      wide
      title={productNo}
      aside={
        <StarButton
          symbol={productNo}
          on={favourites.ids.includes(productId)}
          onClick={() => star(productId)}
        />
      }
    >
      <div className={styles.columns}>
        <div className={styles.main}>
          <ProductSummary product={product} />
          <section className={styles.block}>
            <h2>{t('product.about')}</h2>
            <p className={styles.text}>{t(`product.about.${type}`, { base, quote })}</p>
          </section>
        </div>
        <section className={styles.block}>
          <h2>{t('trade.terms')}</h2>
          <ProductTerms product={product} />
        </section>
      </div>
    </Page>
  )
}
