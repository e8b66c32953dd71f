import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import { useProducts } from '@/features/market/api/products'
import { useAccountKey } from '@/features/wallet/api/money'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { chargesQuery } from '../../api/charges'
import styles from './charge-list.module.css'
import { ChargeRow } from './charge-row'

export type ChargeListProps = {
  /** The position of the charges; the whole account if absent. */
  positionId?: number
  /** Charges per page. */
  size?: number
}

/** Swaps and dividends, newest first, with a "show more" button. */
export function ChargeList({ positionId, size = 20 }: ChargeListProps) {
  const { t } = useTranslation()
  const { data: products } = useProducts()
  const query = useInfiniteQuery(chargesQuery(useAccountKey(), size, positionId))
  const charges = query.data?.pages.flatMap(({ list }) => list) ?? []
  return (
    <>
      {query.isPending && <SkeletonRows rows={2} rowHeight={52} />}
      {query.data && charges.length === 0 && <p className={styles.none}>{t('charges.none')}</p>}
      {charges.length > 0 && (
        <ul className={styles.list}>
          {charges.map((charge) => (
            <ChargeRow
              key={charge.chargeId}
              charge={charge}
              product={products?.find(({ productId }) => productId === charge.productId)}
              named={positionId === undefined}
            />
          ))}
        </ul>
      )}
      <ListFoot query={query} />
    </>
  )
}
