import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { useLeverageCaps } from '@/session/info-query'
import { termsOf } from '../../model/product-terms'
import { TermText } from './term-text'
import styles from './terms-sheet.module.css'
import { TradingHours } from './trading-hours'
import { UpcomingTerms } from './upcoming-terms'

export type ProductTermsProps = { product: Product }

/** The trading terms of a product, the same for every trader, and upcoming changes. */
export function ProductTerms({ product }: ProductTermsProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.terms}>
      {product.upcoming && <UpcomingTerms upcoming={product.upcoming} product={product} />}
      {termsOf(product).map(({ name, terms }) => (
        <section key={name} aria-label={t(`terms.group.${name}`)}>
          <h3>{t(`terms.group.${name}`)}</h3>
          <dl>
            {name === 'trading' && <Contract product={product} />}
            {name === 'margin' && <MarginRule product={product} />}
            {terms.map((term) => (
              <div key={term.term}>
                <dt>{t(`terms.name.${term.term}`)}</dt>
                <dd>
                  <TermText term={term} product={product} />
                </dd>
              </div>
            ))}
          </dl>
          {name === 'margin' && <Cap product={product} />}
          {name === 'swap' && product.swapModel !== 'none' && (
            <p className={styles.note}>{t('terms.swap_note')}</p>
          )}
        </section>
      ))}
      <section aria-label={t('terms.group.hours')}>
        <h3>{t('terms.group.hours')}</h3>
        <TradingHours productId={product.productId} />
      </section>
    </div>
  )
}

function Contract({ product }: { product: Product }) {
  const { t } = useTranslation()
  return (
    <div>
      <dt>{t('terms.contract')}</dt>
      <dd>
        {t('trade.contract', {
          size: bidiIsolate(formatAmount(String(product.contractSize))),
          unit: product.base,
        })}
      </dd>
    </div>
  )
}

function MarginRule({ product }: { product: Product }) {
  const { t } = useTranslation()
  const currency = product.marginModel === 'forex' ? product.base : product.quote
  return (
    <div>
      <dt>{t('terms.margin_rule')}</dt>
      <dd>{t(`terms.margin_rule.${product.marginModel}`, { currency })}</dd>
    </div>
  )
}

function Cap({ product }: { product: Product }) {
  const { t } = useTranslation()
  const cap = useLeverageCaps()?.[product.type]
  if (!cap) return null
  return <p className={styles.note}>{t('trade.leverage_cap', { most: bidiIsolate(`1:${cap}`) })}</p>
}
