import ButtonBase from '@mui/material/ButtonBase'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableFooter from '@mui/material/TableFooter'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '@/theme/preferences'
import { cx } from '@/ui/cx'
import {
  type ColumnRule,
  nextTableSort,
  type SortValue,
  sortRows,
  type TableSort,
  useColumnChoice,
  visibleColumns,
} from '../../model/table-columns'
import { ColumnMenu } from './column-menu'
import styles from './data-table.module.css'
import { useDroppedColumns } from './use-dropped-columns'

export type Column<Row> = ColumnRule & {
  title: string
  cell: (row: Row) => ReactNode
  /** The value that the column sorts by; without it the column does not sort. */
  sort?: (row: Row) => SortValue
  /** Text, aligned with the start. Figures are aligned with the end. */
  text?: boolean
}

export type FootRow = { label: string; values: Record<string, ReactNode> }

export type DataTableProps<Row> = {
  /** The trader's choice of columns is stored under it. */
  id: string
  label: string
  /** The first one heads its row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => number
  /** Pressing a row, or Enter on its first cell, does this. */
  onPress?: ((row: Row) => void) | undefined
  /** What pressing a row does, for screen readers. */
  pressLabel?: string
  /** Pressing a row opens a dialog. */
  opensDialog?: boolean
  isCurrent?: (row: Row) => boolean
  rowClass?: (row: Row) => string | undefined
  actions?: (row: Row) => ReactNode
  foot?: readonly FootRow[]
  /** Rows of the same group follow each other below a heading; not while the trader sorts them. */
  groups?: { of: (row: Row) => string; head: (first: Row) => ReactNode }
}

/**
 * The table of the trader's positions, orders and trades. Columns are left out by priority until the rest fits;
 * the trader may choose them too. The actions always show.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, label, columns, rows, keyOf, onPress, isCurrent, rowClass, actions, foot, groups } =
    props
  const { t } = useTranslation()
  const choice = useColumnChoice(id)
  const compact = usePreferences(({ compactRows }) => compactRows)
  const [sort, setSort] = useState<TableSort | null>(null)
  const { scroller, dropped, edge, onScroll } = useDroppedColumns(columns, choice)
  const shown = visibleColumns(columns, choice, dropped)
  const sortValue = columns.find(({ key }) => key === sort?.key)?.sort
  const sorted = sort && sortValue ? sortRows(rows, sortValue, sort.down) : rows
  const groupBefore = (at: number) => {
    const before = rows[at - 1]
    return before && groups?.of(before)
  }
  return (
    <section
      ref={scroller}
      className={cx(styles.scroll, edge && styles.edge)}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      <Table
        size="small"
        stickyHeader
        className={styles.table}
        data-density={compact ? 'compact' : undefined}
      >
        <TableHead>
          <TableRow>
            {shown.map((column) => (
              <HeadCell
                key={column.key}
                column={column}
                sort={sort}
                onSort={() => setSort(nextTableSort(sort, column.key))}
              />
            ))}
            <TableCell align="right" scope="col" component="th">
              {actions && <span className="visually-hidden">{t('trade.actions')}</span>}
              <ColumnMenu table={id} columns={columns} shown={shown} />
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {sorted.map((row, at) => (
            <Fragment key={keyOf(row)}>
              {groups && sorted === rows && groups.of(row) !== groupBefore(at) && (
                <TableRow className={styles.group}>
                  <TableCell component="th" scope="colgroup" colSpan={shown.length + 1}>
                    {groups.head(row)}
                  </TableCell>
                </TableRow>
              )}
              <TableRow
                className={cx(styles.row, rowClass?.(row))}
                aria-current={isCurrent?.(row) || undefined}
              >
                {shown.map((column, index) =>
                  index === 0 ? (
                    <TableCell key={column.key} component="th" scope="row">
                      {onPress ? (
                        <ButtonBase
                          className={styles.press}
                          aria-haspopup={props.opensDialog ? 'dialog' : undefined}
                          onClick={() => onPress(row)}
                        >
                          {column.cell(row)}{' '}
                          <span className="visually-hidden">{props.pressLabel}</span>
                        </ButtonBase>
                      ) : (
                        column.cell(row)
                      )}
                    </TableCell>
                  ) : (
                    <TableCell key={column.key} align={column.text ? 'left' : 'right'}>
                      {column.cell(row)}
                    </TableCell>
                  ),
                )}
                <TableCell align="right">
                  {actions && <span className={styles.actions}>{actions(row)}</span>}
                </TableCell>
              </TableRow>
            </Fragment>
          ))}
        </TableBody>
        {foot && <Foot rows={foot} shown={shown} />}
      </Table>
    </section>
  )
}

type HeadCellProps<Row> = { column: Column<Row>; sort: TableSort | null; onSort: () => void }

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const { key, title, text } = column
  const active = sort?.key === key
  const direction = active && sort.down ? 'desc' : 'asc'
  return (
    <TableCell
      scope="col"
      align={text ? 'left' : 'right'}
      sortDirection={active ? direction : false}
    >
      {column.sort ? (
        <TableSortLabel active={active} direction={direction} onClick={onSort}>
          {title}
        </TableSortLabel>
      ) : (
        title
      )}
    </TableCell>
  )
}

type FootProps<Row> = { rows: readonly FootRow[]; shown: readonly Column<Row>[] }

/** Totals below their columns; the label takes the columns before the first of them. */
function Foot<Row>({ rows, shown }: FootProps<Row>) {
  return (
    <TableFooter>
      {rows.map(({ label, values }) => {
        const at = shown.findIndex(({ key }) => values[key] !== undefined)
        const before = at === -1 ? shown.length : at
        return (
          <TableRow key={label}>
            <TableCell colSpan={before}>{label}</TableCell>
            {shown.slice(before).map(({ key }) => (
              <TableCell key={key} align="right">
                {values[key]}
              </TableCell>
            ))}
            <TableCell />
          </TableRow>
        )
      })}
    </TableFooter>
  )
}
