import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Product, useProducts } from '@/features/market/api/products'
import { useProductName } from '@/features/market/model/product-name'
import { searchProducts } from '@/features/market/model/product-search'
import { addSearchRecord } from '@/features/market/model/search-records'
import { IconButton } from '@/ui/icon-button'
import { SearchField } from '@/ui/search-field'
import { useTradeLink } from '../nav/trade-link'
import styles from './search.module.css'
import { SearchResults } from './search-results'
import { SearchStart } from './search-start'

export type ProductSearchProps = {
  /** Shows a back button. */
  onBack?: (() => void) | undefined
  /** A product was opened. */
  onDone?: () => void
}

/** Searches products by symbol or name while the trader types. Arrows move between the field and the results. */
export function ProductSearch({ onBack, onDone }: ProductSearchProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const nameOf = useProductName()
  const linkOf = useTradeLink()
  const { data: products } = useProducts()
  const [text, setText] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const found = searchProducts(products ?? [], text, nameOf)

  const open = ({ productNo }: Product) => {
    addSearchRecord(productNo)
    onDone?.()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const inField = event.target instanceof HTMLInputElement
    if (event.key === 'Enter' && inField && !event.nativeEvent.isComposing) {
      const best = found[0]
      const to = best && linkOf(best.productId)
      if (!best) return
      // A dialog that closes gives the focus to the button that opened it, which the key would press again.
      event.preventDefault()
      open(best)
      if (to) void navigate(to)
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (moveFocus(root.current, event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault()
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the field and the results inside
    <div ref={root} className={styles.search} onKeyDown={onKeyDown}>
      <div className={styles.bar}>
        {onBack && (
          <IconButton icon="back" label={t('ui.back')} size={22} strong onClick={onBack} />
        )}
        <div className={styles.field}>
          <SearchField value={text} onChange={setText} label={t('search.field')} autoFocus />
        </div>
      </div>
      {text.trim() === '' ? (
        <SearchStart onPick={setText} onOpen={open} />
      ) : (
        <SearchResults text={text.trim()} found={found} onOpen={open} />
      )}
    </div>
  )
}

/** Moves the focus between the field and the results; returns false at either end. */
function moveFocus(root: HTMLElement | null, by: 1 | -1): boolean {
  const stops = [...(root?.querySelectorAll<HTMLElement>('input, li a[href]') ?? [])]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + by]
  next?.focus()
  return next !== undefined
}
