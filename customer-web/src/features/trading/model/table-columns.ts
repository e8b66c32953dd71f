import { create } from 'zustand'
import type { StoredColumns } from '@/storage/entries'
import { storage } from '@/storage/storage'

export type ColumnRule = {
  key: string
  /** Without it the column always shows. The column with the highest number is left out first when space is short. */
  priority?: number
  /** Shows in place of these columns once one of them is left out. */
  folds?: readonly string[]
}

/**
 * The columns that show after `dropped` columns were left out for lack of space. A column the trader switched on
 * or off is not up to the space.
 */
export function visibleColumns<T extends ColumnRule>(
  columns: readonly T[],
  choice: StoredColumns,
  dropped: number,
): T[] {
  const out = new Set(
    droppable(columns, choice)
      .slice(0, dropped)
      .map(({ key }) => key),
  )
  const folded = new Set<string>()
  for (const { key, folds = [] } of columns) {
    if (choice[key] === undefined && folds.some((one) => out.has(one))) {
      for (const one of folds) if (choice[one] === undefined) folded.add(one)
    }
  }
  return columns.filter(({ key, priority, folds }) => {
    if (priority === undefined) return true
    const chosen = choice[key]
    if (chosen !== undefined) return chosen
    if (out.has(key) || folded.has(key)) return false
    return folds === undefined || folds.some((one) => folded.has(one))
  })
}

/** How many columns can be left out. */
export function droppableCount(columns: readonly ColumnRule[], choice: StoredColumns): number {
  return droppable(columns, choice).length
}

function droppable<T extends ColumnRule>(columns: readonly T[], choice: StoredColumns): T[] {
  return columns
    .filter(({ key, priority }) => priority !== undefined && choice[key] === undefined)
    .sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}

export type SortValue = number | bigint | string | null

export type TableSort = { key: string; down: boolean }

/** The next order when a column's head is pressed: upwards, downwards, none. */
export function nextTableSort(now: TableSort | null, key: string): TableSort | null {
  if (now?.key !== key) return { key, down: false }
  return now.down ? null : { key, down: true }
}

/** The rows in the order of a value; rows without one come last either way. */
export function sortRows<T>(
  rows: readonly T[],
  sortValue: (row: T) => SortValue,
  down: boolean,
): T[] {
  return rows
    .map((row) => ({ row, value: sortValue(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) {
        return Number(a.value === null) - Number(b.value === null)
      }
      if (a.value === b.value) return 0
      return a.value < b.value === down ? 1 : -1
    })
    .map(({ row }) => row)
}

const NO_CHOICE: StoredColumns = {}

const useChoices = create<Record<string, StoredColumns>>(() => storage.read('tableColumns') ?? {})

/** The trader's choice of columns in a table. */
export function useColumnChoice(table: string): StoredColumns {
  return useChoices((all) => all[table]) ?? NO_CHOICE
}

/** Switches a column on or off and stores it. */
export function chooseColumn(table: string, key: string, shown: boolean): void {
  store({
    ...useChoices.getState(),
    [table]: { ...useChoices.getState()[table], [key]: shown },
  })
}

/** Leaves the columns of a table to the space again. */
export function resetColumns(table: string): void {
  const { [table]: _, ...rest } = useChoices.getState()
  store(rest)
}

function store(choices: Record<string, StoredColumns>): void {
  useChoices.setState(choices, true)
  storage.write('tableColumns', choices)
}

storage.onChangeElsewhere('tableColumns', () =>
  useChoices.setState(storage.read('tableColumns') ?? {}, true),
)
