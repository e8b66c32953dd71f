import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useProducts } from '@/features/market/api/products'
import { groupOf, productGroups } from '@/features/market/model/product-groups'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import styles from './home-discover.module.css'
import { HomeSealed } from './home-sealed'
import { groupNames } from './quotes-panel'

/** For visitors: how a trade is proved, in three steps and with the newest published hash, and the classes of products. */
export function HomeDiscover() {
  const { t } = useTranslation()
  const { data: products } = useProducts()
  const classes = productGroups.filter((group) => group !== 'favourites' && group !== 'movers')
  return (
    <div className={styles.discover}>
      <section className={styles.block} aria-labelledby="home-proof">
        <h2 id="home-proof">{t('home.proof.title')}</h2>
        <ol className={styles.steps}>
          {(['quote', 'rule', 'chain'] as const).map((step) => (
            <li key={step}>
              <b>{t(`home.proof.${step}`)}</b>
              <p>{t(`home.proof.${step}.text`)}</p>
            </li>
          ))}
        </ol>
        <HomeSealed />
      </section>
      <nav className={styles.block} aria-labelledby="home-classes">
        <h2 id="home-classes">{t('home.classes')}</h2>
        <ul className={styles.classes}>
          {classes.map((group) => (
            <li key={group}>
              <Link to={`/quotes?tab=${group}`}>
                {t(groupNames[group])}
                <Num>{products?.filter((one) => groupOf(one) === group).length ?? ''}</Num>
                <Icon name="forward" size={14} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
