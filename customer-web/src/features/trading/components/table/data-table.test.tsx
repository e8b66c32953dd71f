import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storage } from '@/storage/storage'
import { renderPart, setScreen } from '@/testing/render-app'
import { setPreferences } from '@/theme/preferences'
import { resetColumns } from '../../model/table-columns'
import { type Column, DataTable } from './data-table'
import { RowAction } from './row-action'

type Row = { id: number; name: string; lots: number; margin: number; fee: number; swap: number }

const rows: Row[] = [
  { id: 1, name: 'EURUSD', lots: 3, margin: 10, fee: 1, swap: 2 },
  { id: 2, name: 'XAUUSD', lots: 1, margin: 20, fee: 3, swap: 4 },
]
const columns: Column<Row>[] = [
  { key: 'name', title: 'Product', text: true, cell: ({ name }) => name },
  { key: 'lots', title: 'Lots', sort: ({ lots }) => lots, cell: ({ lots }) => lots },
  { key: 'margin', title: 'Margin', priority: 3, cell: ({ margin }) => margin },
  { key: 'fee', title: 'Commission', priority: 2, cell: ({ fee }) => fee },
  { key: 'swap', title: 'Swap', priority: 4, cell: ({ swap }) => swap },
  {
    key: 'costs',
    title: 'Costs',
    priority: 1,
    folds: ['fee', 'swap'],
    cell: ({ fee, swap }) => fee + swap,
  },
]

/** The width of a column and of the view in a browser that can lay out. */
function layout(view: number) {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(view)
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (
    this: HTMLElement,
  ) {
    return 100 * this.querySelectorAll('thead th').length
  })
}

const press = vi.fn()
const act = vi.fn()

function show() {
  return renderPart(
    <DataTable
      id="sample"
      label="Sample"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onPress={press}
      pressLabel="show chart"
      isCurrent={({ id }) => id === 2}
      actions={({ name }) => (
        <RowAction icon="close" label={`Close ${name}`} onClick={() => act(name)} />
      )}
    />,
  )
}

const heads = () =>
  screen
    .getAllByRole('columnheader')
    .slice(0, -1)
    .map(({ textContent }) => textContent)
const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

beforeEach(() => setScreen('desktop'))
afterEach(() => {
  resetColumns('sample')
  setPreferences({ compactRows: false })
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

test('with room every column shows but the fold', async () => {
  layout(2000)
  await show()
  expect(heads()).toEqual(['Product', 'Lots', 'Margin', 'Commission', 'Swap'])
})

test('without room the fold stands for its columns, and actions and always shown columns stay', async () => {
  layout(450)
  await show()
  expect(heads()).toEqual(['Product', 'Lots', 'Costs'])
  expect(screen.getByRole('button', { name: 'Close EURUSD' })).toBeTruthy()
})

test('in the narrowest place the columns that always show scroll, with a fade at the edge', async () => {
  layout(120)
  await show()
  expect(heads()).toEqual(['Product', 'Lots'])
  expect(screen.getByRole('region', { name: 'Sample' }).className).toContain('edge')
})

test('what fits has no fade', async () => {
  layout(2000)
  await show()
  expect(screen.getByRole('region', { name: 'Sample' }).className).not.toContain('edge')
})

test('the trader chooses columns; the choice is stored, and reset', async () => {
  layout(2000)
  await show()
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const menu = within(await screen.findByRole('menu'))
  expect(menu.queryByRole('menuitemcheckbox', { name: 'Product' })).toBeNull()
  await userEvent.click(menu.getByRole('menuitemcheckbox', { name: 'Margin' }))
  expect(menu.getByRole('menuitemcheckbox', { name: 'Margin' }).ariaChecked).toBe('false')
  expect(storage.read('tableColumns')).toEqual({ sample: { margin: false } })
  await userEvent.click(menu.getByRole('menuitem', { name: 'Reset columns' }))
  expect(storage.read('tableColumns')).toEqual({})
  expect(menu.getByRole('menuitemcheckbox', { name: 'Margin' }).ariaChecked).toBe('true')
})

test('a head sorts by keyboard and says so; a column without values to sort by is no button', async () => {
  await show()
  const head = screen.getByRole('columnheader', { name: 'Lots' })
  expect(head.getAttribute('aria-sort')).toBeNull()
  within(head).getByRole('button').focus()
  await userEvent.keyboard('{Enter}')
  expect(head.getAttribute('aria-sort')).toBe('ascending')
  expect(names()[0]).toContain('XAUUSD')
  await userEvent.keyboard('{Enter}')
  expect(head.getAttribute('aria-sort')).toBe('descending')
  expect(names()[0]).toContain('EURUSD')
  const margin = screen.getByRole('columnheader', { name: 'Margin' })
  expect(within(margin).queryByRole('button')).toBeNull()
})

test('a click or Enter presses a row, an action does not', async () => {
  await show()
  await userEvent.click(screen.getByRole('button', { name: 'EURUSD show chart' }))
  expect(press).toHaveBeenCalledExactlyOnceWith(rows[0])
  screen.getByRole('button', { name: 'XAUUSD show chart' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(press).toHaveBeenLastCalledWith(rows[1])
  await userEvent.click(screen.getByRole('button', { name: 'Close EURUSD' }))
  expect(act).toHaveBeenCalledExactlyOnceWith('EURUSD')
  expect(press).toHaveBeenCalledTimes(2)
})

test('the current rows are marked, the others not', async () => {
  await show()
  const marked = screen.getAllByRole('row').filter((row) => row.ariaCurrent === 'true')
  expect(marked).toHaveLength(1)
  expect(marked[0]?.textContent).toContain('XAUUSD')
})

test('compact rows are a preference', async () => {
  await show()
  expect(screen.getByRole('table').dataset.density).toBeUndefined()
  setPreferences({ compactRows: true })
  await vi.waitFor(() => expect(screen.getByRole('table').dataset.density).toBe('compact'))
})
