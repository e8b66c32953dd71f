import ButtonBase from '@mui/material/ButtonBase'
import type { CSSProperties, PointerEventHandler } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { useProductName } from '@/features/market/model/product-name'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import styles from './edit-fav.module.css'

export type GripProps = {
  onPointerDown: PointerEventHandler
  onPointerMove: PointerEventHandler
  onPointerUp: PointerEventHandler
  onPointerCancel: PointerEventHandler
}

export type EditFavRowProps = {
  product: Product
  first: boolean
  last: boolean
  /** The row's offset while rows are dragged, in pixels. */
  shift: number
  dragged: boolean
  grip: GripProps
  onMove: (by: 1 | -1, button: HTMLElement) => void
  onRemove: () => void
}

/** One favourite: a drag grip, move buttons, and a remove button. */
export function EditFavRow(props: EditFavRowProps) {
  const { product, first, last, shift, dragged, grip, onMove, onRemove } = props
  const { t } = useTranslation()
  const nameOf = useProductName()
  const symbol = product.productNo
  return (
    <li
      className={cx(styles.row, dragged && styles.dragged)}
      style={{ '--shift': `${shift}px` } as CSSProperties}
    >
      <span className={styles.grip} {...grip} aria-hidden>
        <Icon name="drag" size={20} />
      </span>
      <span className={styles.product}>
        <bdi dir="ltr">{symbol}</bdi>
        <small>{nameOf(product)}</small>
      </span>
      <ButtonBase
        className={cx(styles.move, styles.up)}
        aria-label={t('favourites.up', { symbol })}
        aria-disabled={first}
        onClick={(event) => onMove(-1, event.currentTarget)}
      >
        <Icon name="caret" size={20} />
      </ButtonBase>
      <ButtonBase
        className={styles.move}
        aria-label={t('favourites.down', { symbol })}
        aria-disabled={last}
        onClick={(event) => onMove(1, event.currentTarget)}
      >
        <Icon name="caret" size={20} />
      </ButtonBase>
      <IconButton
        icon="trash"
        size={20}
        label={t('favourites.remove', { symbol })}
        onClick={onRemove}
      />
    </li>
  )
}
