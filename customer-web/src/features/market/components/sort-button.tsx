import { Icon } from '@/ui/icons/icon'
import { Triangle } from '@/ui/triangle'
import { nextSort, type Sort, type SortKey } from '../model/product-groups'
import styles from './sort-button.module.css'

export type SortButtonProps = {
  text: string
  column: SortKey
  sort: Sort | null
  onSort: (sort: Sort | null) => void
}

/** The head of a column that can be sorted by: press again to turn the order around, and again to leave it. */
export function SortButton({ text, column, sort, onSort }: SortButtonProps) {
  const sorted = sort === column || sort === `-${column}`
  return (
    <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, column))}>
      {text}
      <span className={styles.sign}>
        {sorted ? (
          <Triangle direction={sort === column ? 'up' : 'down'} />
        ) : (
          <Icon name="sort" size={14} />
        )}
      </span>
    </button>
  )
}

/** What a screen reader says of a sorted column. */
export function ariaSort(column: SortKey, sort: Sort | null): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : 'none'
}
