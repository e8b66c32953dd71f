import PaginationItem from '@mui/material/PaginationItem'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { PAGINATION_PAGE_SIZE, PAGINATION_TOTAL } from '@/constants'
import { Icon } from './icons/icon'
import styles from './pagination.module.css'
import { pageInQuery, pagesOf } from './pagination-pages'

export type PaginationProps = {
  /** Number of entries on all pages. */
  total?: number
  /** Number of entries per page. */
  pagesize?: number
  /** The change-page event: a page was chosen. */
  onChangePage?: (page: number) => void
}

/** Pages of a list; starts at the `page` of the address, or at 1. */
export function Pagination({
  total = PAGINATION_TOTAL,
  pagesize = PAGINATION_PAGE_SIZE,
  onChangePage,
}: PaginationProps) {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const [picked, setPicked] = useState(() => pageInQuery(query))
  const { current, last, shown, ellipsisBefore, ellipsisAfter } = pagesOf(total, pagesize, picked)

  const pick = (page: number) => {
    if (page < 1 || page > last || page === current) return
    setPicked(page)
    onChangePage?.(page)
  }

  if (last === 0) return null
  return (
    <nav className={styles.pagination} aria-label={t('ui.page.label')}>
      <PaginationItem
        type="previous"
        aria-label={t('ui.page.previous')}
        aria-disabled={current === 1}
        slots={{ previous: Back }}
        onClick={() => pick(current - 1)}
      />
      {ellipsisBefore && <PaginationItem type="start-ellipsis" />}
      {shown.map((page) => (
        <PaginationItem
          key={page}
          page={page}
          selected={page === current}
          aria-label={t('ui.page.number', { number: page })}
          aria-current={page === current ? 'page' : undefined}
          onClick={() => pick(page)}
        />
      ))}
      {ellipsisAfter && <PaginationItem type="end-ellipsis" />}
      <PaginationItem
        type="next"
        aria-label={t('ui.page.next')}
        aria-disabled={current === last}
        slots={{ next: Forward }}
        onClick={() => pick(current + 1)}
      />
    </nav>
  )
}

const Back = () => <Icon name="back" />
const Forward = () => <Icon name="forward" />
