import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Product, productsQuery } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { useLeverageCaps } from '@/session/info-query'
import { Sheet } from '@/ui/sheet/sheet'
import { termsOf } from '../../model/product-terms'
import { TermText } from './term-text'
import styles from './terms-sheet.module.css'
import { TradingHours } from './trading-hours'
import { UpcomingTerms } from './upcoming-terms'

export type TermsSheetProps = {
  productId: number
  onClose: () => void
}

/** The trading terms of a product, the same for every trader, and upcoming changes. */
export function TermsSheet({ productId, onClose }: TermsSheetProps) {
  const { t } = useTranslation()
  // Terms may have changed since the list was fetched.
  const { data } = useQuery({ ...productsQuery, staleTime: 0 })
  const product = data?.find((one) => one.productId === productId)
  if (!product) return null
  return (
    <Sheet
      open
      width={520}
      onClose={onClose}
      title={t('terms.title', { symbol: product.productNo })}
    >
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
          <TradingHours productId={productId} />
        </section>
      </div>
    </Sheet>
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
