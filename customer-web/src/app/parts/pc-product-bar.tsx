import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useProductStatus } from '@/features/market/api/market-status'
import { changePercent, type Product } from '@/features/market/api/products'
import { DistanceValue } from '@/features/market/components/distance-value'
import { StarButton } from '@/features/market/components/star-button'
import { SwapFigures } from '@/features/market/components/swap-figures'
import { UntilText } from '@/features/market/components/until-text'
import { useFavourites } from '@/features/market/model/favourites'
import { useProductName } from '@/features/market/model/product-name'
import { productPath } from '@/features/market/model/product-path'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { TermsButton } from '@/features/trading/components/ticket/terms-button'
import { formatPrice } from '@/format/price'
import { useQuote } from '@/live/use-quote'
import { ChangeText } from '@/ui/change-text'
import { IconButton } from '@/ui/icon-button'
import { Num } from '@/ui/num'
import styles from './pc-trade.module.css'

export type PcProductBarProps = {
  product: Product
  /** Opens the watchlist where the layout has no room for it. */
  onList: (() => void) | undefined
}

/** The chosen product in one line: price, change, the day's range, spread, closing time and swaps; those without room are left out. */
export function PcProductBar({ product, onList }: PcProductBarProps) {
  const { t } = useTranslation()
  const status = useProductStatus(product.productId)
  const nameOf = useProductName()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const { point } = product
  return (
    <div className={styles.product}>
      {onList && <IconButton icon="sort" label={t('trade.watchlist')} onClick={onList} />}
      <div className={styles.name}>
        <h1>
          <Link to={productPath(product.productId)}>{product.productNo}</Link>
        </h1>
        <span>{nameOf(product)}</span>
      </div>
      <div className={styles.price}>
        <Price product={product} />
      </div>
      <dl className={styles.figures}>
        <div>
          <dt>{t('market.range_24h')}</dt>
          <dd>
            <Num>
              {formatPrice(product.low24Hours ?? '', point)} –{' '}
              {formatPrice(product.high24Hours ?? '', point)}
            </Num>
          </dd>
        </div>
        <div>
          <dt>{t('figure.spread')}</dt>
          <dd>
            <Spread product={product} />
          </dd>
        </div>
        {status && (
          <div>
            <dt>{t(status.open ? 'market.closes' : 'market.opens')}</dt>
            <dd>
              {status.until === undefined ? (
                t('market.never_closes')
              ) : (
                <UntilText at={status.until} />
              )}
            </dd>
          </div>
        )}
        <SwapFigures product={product} />
      </dl>
      <span className={styles.grow} />
      <StarButton
        symbol={product.productNo}
        on={favourites.ids.includes(product.productId)}
        onClick={() => star(product.productId)}
      />
      <TermsButton productId={product.productId} />
    </div>
  )
}

type LiveProps = Pick<PcProductBarProps, 'product'>

/** The price changes with every tick, up to fifty times a second, so it renders on its own. */
function Price({ product }: LiveProps) {
  const price = useQuote(product.productId)?.bid ?? product.lastPrice
  const change = changePercent(product.open24Hours, price)
  return (
    <>
      <Num className={change.startsWith('-') ? 'down' : 'up'}>
        {price === undefined ? '–' : formatPrice(price, product.point)}
      </Num>
      <ChangeText value={change} arrow />
    </>
  )
}

function Spread({ product }: LiveProps) {
  const spread = useQuote(product.productId)?.spread ?? product.spread
  return <DistanceValue product={product} distance={spread} />
}
