import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { changePercent, useProducts } from '@/features/market/api/products'
import { moversOf } from '@/features/market/model/product-groups'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { useTradeLink } from '../nav/trade-link'
import styles from './home-movers.module.css'

const SHOWN = 10

/** The products that moved most in 24 hours, in one row that scrolls, with a link to all. */
export function HomeMovers() {
  const { t } = useTranslation()
  const { data: products } = useProducts()
  const linkOf = useTradeLink()
  return (
    <section className={styles.movers} aria-labelledby="home-movers" aria-busy={!products}>
      <div className={styles.head}>
        <h2 id="home-movers">{t('market.list.movers')}</h2>
        <Link to="/quotes?tab=movers">{t('home.all')}</Link>
      </div>
      <ul className={styles.list}>
        {moversOf(products ?? [], SHOWN).map(
          ({ productId, productNo, point, open24Hours, close24Hours }) => (
            <li key={productId}>
              <Link to={linkOf(productId) ?? '/quotes'} className={styles.item}>
                <b dir="ltr">{productNo}</b>
                <ChangeText value={changePercent(open24Hours, close24Hours)} arrow />
                <Num className={styles.price}>{formatPrice(close24Hours ?? '', point)}</Num>
              </Link>
            </li>
          ),
        )}
      </ul>
    </section>
  )
}
