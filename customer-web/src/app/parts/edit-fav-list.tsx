import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { Button } from '@/ui/button'
import styles from './edit-fav.module.css'
import { EditFavRow } from './edit-fav-row'
import { useDragReorder } from './use-drag-reorder'

export type EditFavListProps = {
  products: readonly Product[]
  onMove: (id: number, at: number) => void
  /** Returns the undo function. */
  onRemove: (id: number) => () => void
}

type Removed = { symbol: string; undo: () => void }

/** The favourites in order. The last removal can be undone until the page is left. */
export function EditFavList({ products, onMove, onRemove }: EditFavListProps) {
  const { t } = useTranslation()
  const [removed, setRemoved] = useState<Removed | null>(null)
  const [said, setSaid] = useState('')
  const pressed = useRef<HTMLElement | null>(null)
  const message = useRef<HTMLDivElement>(null)

  const move = (product: Product, at: number) => {
    if (at < 0 || at >= products.length) return
    onMove(product.productId, at)
    const { productNo: symbol } = product
    setSaid(t('favourites.moved', { symbol, place: at + 1, total: products.length }))
  }

  const drag = useDragReorder((from, to) => {
    const product = products[from]
    if (product && from !== to) move(product, to)
  })

  // Rows lose focus when they move, so the button that moved a row gets it back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each new order
  useLayoutEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  }, [products])

  // The pressed button is gone, so the undo button gets the focus.
  useEffect(() => {
    if (removed) message.current?.focus()
  }, [removed])

  return (
    <>
      {products.length > 0 && (
        <ol className={styles.list} ref={drag.listRef}>
          {products.map((product, index) => (
            <EditFavRow
              key={product.productId}
              product={product}
              first={index === 0}
              last={index === products.length - 1}
              shift={drag.shiftOf(index)}
              dragged={drag.from === index}
              grip={drag.gripProps(index)}
              onMove={(by, button) => {
                pressed.current = button
                move(product, index + by)
              }}
              onRemove={() => {
                const undo = onRemove(product.productId)
                setRemoved({ symbol: product.productNo, undo })
              }}
            />
          ))}
        </ol>
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
      {removed && (
        <div ref={message} className={styles.removed} role="status" tabIndex={-1}>
          <span>{t('favourites.removed', { symbol: removed.symbol })}</span>
          <Button
            variant="text"
            size="small"
            onClick={() => {
              removed.undo()
              setRemoved(null)
            }}
          >
            {t('favourites.undo')}
          </Button>
        </div>
      )}
    </>
  )
}
