import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { type Product, useProducts } from '@/features/market/api/products'
import { useProductName } from '@/features/market/model/product-name'
import { searchProducts } from '@/features/market/model/product-search'
import { addSearchRecord } from '@/features/market/model/search-records'
import { useDesktop } from '@/theme/use-media'
import { IconButton } from '@/ui/icon-button'
import { SearchField } from '@/ui/search-field'
import { SearchResults } from '../parts/search-results'
import { SearchStart } from '../parts/search-start'
import { useTradeLink } from '../parts/trade-link'
import { HOME_PATH } from '../routes'
import { useTitle } from '../use-title'
import styles from './search.module.css'

/** Searches products by symbol or name while the trader types. */
export default function Search() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const navigate = useNavigate()
  const { key } = useLocation()
  const nameOf = useProductName()
  const linkOf = useTradeLink()
  const { data: products } = useProducts()
  const [text, setText] = useState('')
  const page = useRef<HTMLDivElement>(null)
  useTitle(t('search.title'))
  const found = searchProducts(products ?? [], text, nameOf)

  const goBack = () => {
    // The first page of a visit has the key "default", so there is no page of ours to go back to.
    if (key === 'default') void navigate(HOME_PATH)
    else void navigate(-1)
  }

  const remember = ({ productNo }: Product) => addSearchRecord(productNo)

  const onKeyDown = (event: KeyboardEvent) => {
    const inField = event.target instanceof HTMLInputElement
    if (event.key === 'Enter' && inField && !event.nativeEvent.isComposing) {
      const best = found[0]
      const to = best && linkOf(best.productId)
      if (!best) return
      remember(best)
      if (to) void navigate(to)
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (moveFocus(page.current, event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault()
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the field and the results inside
    <div ref={page} className={styles.page} onKeyDown={onKeyDown}>
      <h1 className="visually-hidden">{t('search.title')}</h1>
      <div className={styles.bar}>
        {!desktop && (
          <IconButton icon="back" label={t('ui.back')} size={22} strong onClick={goBack} />
        )}
        <div className={styles.field}>
          <SearchField value={text} onChange={setText} label={t('search.field')} autoFocus />
        </div>
      </div>
      {text.trim() === '' ? (
        <SearchStart onPick={setText} onOpen={remember} />
      ) : (
        <SearchResults text={text.trim()} found={found} onOpen={remember} />
      )}
    </div>
  )
}

/** Moves the focus between the field and the results; returns false at either end. */
function moveFocus(page: HTMLElement | null, by: 1 | -1): boolean {
  const stops = [...(page?.querySelectorAll<HTMLElement>('input, li a[href]') ?? [])]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + by]
  next?.focus()
  return next !== undefined
}
