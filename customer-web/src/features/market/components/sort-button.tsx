import ButtonBase from '@mui/material/ButtonBase'
import { Icon } from '@/ui/icons/icon'
import { Triangle } from '@/ui/triangle'
import { nextSort, type Sort, type SortKey } from '../model/product-groups'
import styles from './sort-button.module.css'

export type SortButtonProps = {
  text: string
  /** What the text is short for. */
  label?: string
  column: SortKey
  sort: Sort | null
  onSort: (sort: Sort | null) => void
}

/** A sortable column header: a second press reverses the order, a third resets it. */
export function SortButton({ text, label, column, sort, onSort }: SortButtonProps) {
  const sorted = sort === column || sort === `-${column}`
  return (
    <ButtonBase
      className={styles.sort}
      aria-label={label}
      title={label}
      onClick={() => onSort(nextSort(sort, column))}
    >
      {text}
      <span className={styles.sign}>
        {sorted ? (
          <Triangle direction={sort === column ? 'up' : 'down'} />
        ) : (
          <Icon name="sort" size={14} />
        )}
      </span>
    </ButtonBase>
  )
}

/** The aria-sort value of a column. */
export function ariaSort(column: SortKey, sort: Sort | null): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : 'none'
}
