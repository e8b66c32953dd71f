import ButtonBase from '@mui/material/ButtonBase'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { useProductName } from '@/features/market/model/product-name'
import { searchProducts } from '@/features/market/model/product-search'
import { Icon } from '@/ui/icons/icon'
import { SearchField } from '@/ui/search-field'
import styles from './edit-fav.module.css'

export type EditFavAddProps = {
  /** Products that are not favourites. */
  products: readonly Product[]
  onAdd: (id: number) => void
}

/** Lists the other products so that they can be added. */
export function EditFavAdd({ products, onAdd }: EditFavAddProps) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const [wanted, setWanted] = useState('')
  const shown = wanted.trim() === '' ? products : searchProducts(products, wanted, nameOf)
  return (
    <section className={styles.block} aria-labelledby="edit-fav-add">
      <h2 id="edit-fav-add">{t('favourites.add_title')}</h2>
      <div className={styles.search}>
        <SearchField value={wanted} onChange={setWanted} label={t('search.field')} />
      </div>
      {shown.length === 0 ? (
        <p className={styles.none} role="status">
          {wanted.trim() === ''
            ? t('favourites.all_added')
            : t('search.none', { text: wanted.trim() })}
        </p>
      ) : (
        <ul className={styles.list}>
          {shown.map((product) => (
            <li key={product.productId}>
              <ButtonBase className={styles.add} onClick={() => onAdd(product.productId)}>
                <Icon name="plus" size={20} label={t('favourites.add_word')} />
                <span className={styles.product}>
                  <bdi dir="ltr">{product.productNo}</bdi>
                  <small>{nameOf(product)}</small>
                </span>
              </ButtonBase>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
