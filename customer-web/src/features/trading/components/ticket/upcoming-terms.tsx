import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { Icon } from '@/ui/icons/icon'
import { TimeText } from '@/ui/time-text'
import { TermText } from './term-text'
import styles from './terms-sheet.module.css'

export type UpcomingTermsProps = {
  upcoming: NonNullable<Product['upcoming']>
  product: Product
}

/** Upcoming changes of a product's terms, for every trader, with their dates. */
export function UpcomingTerms({ upcoming, product }: UpcomingTermsProps) {
  const { t } = useTranslation()
  return (
    <section className={styles.upcoming} aria-label={t('terms.upcoming')}>
      <h3>
        <Icon name="clock" size={16} />
        {t('terms.upcoming')} <TimeText at={upcoming.effectiveAt} />
      </h3>
      <dl>
        {upcoming.changes.map(({ term, before, after }) => (
          <div key={term}>
            <dt>{t(`terms.name.${term}`)}</dt>
            <dd className={styles.change}>
              <span className={styles.before}>
                <TermText term={{ term, value: before }} product={product} />
              </span>
              <Icon name="forward" size={14} label={t('terms.becomes')} />
              <b>
                <TermText term={{ term, value: after }} product={product} />
              </b>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
