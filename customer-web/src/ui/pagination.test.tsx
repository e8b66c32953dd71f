import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { Pagination } from './pagination'
import { pageInQuery, pagesOf } from './pagination-pages'

describe('pagesOf', () => {
  test.each([
    [80, 8, 1, { last: 10, shown: [1, 2, 3], before: false, after: true }],
    [80, 8, 3, { last: 10, shown: [1, 2, 3, 4, 5], before: false, after: true }],
    [80, 8, 4, { last: 10, shown: [2, 3, 4, 5, 6], before: true, after: true }],
    [80, 8, 7, { last: 10, shown: [5, 6, 7, 8, 9], before: true, after: true }],
    [80, 8, 8, { last: 10, shown: [6, 7, 8, 9, 10], before: true, after: false }],
    [80, 8, 10, { last: 10, shown: [8, 9, 10], before: true, after: false }],
    [81, 8, 11, { last: 11, shown: [9, 10, 11], before: true, after: false }],
    [5, 8, 1, { last: 1, shown: [1], before: false, after: false }],
    [0, 8, 1, { last: 0, shown: [], before: false, after: false }],
    [80, 8, 99, { last: 10, shown: [8, 9, 10], before: true, after: false }],
  ])('%i entries by %i on page %i', (total, pagesize, page, expected) => {
    const { last, shown, ellipsisBefore, ellipsisAfter } = pagesOf(total, pagesize, page)
    expect({ last, shown, before: ellipsisBefore, after: ellipsisAfter }).toEqual(expected)
  })
})

test.each([
  ['page=3', 3],
  ['', 1],
  ['page=0', 1],
  ['page=-2', 1],
  ['page=x', 1],
  ['page=1.5', 1],
])('the query %j means page %i', (query, page) => {
  expect(pageInQuery(new URLSearchParams(query))).toBe(page)
})

describe('Pagination', () => {
  const current = () => screen.getByRole('button', { current: 'page' }).textContent

  test('has 80 entries by 8 unless told otherwise, and starts at the page of the query', async () => {
    await renderPart(<Pagination />, '/news?page=9')
    expect(current()).toBe('9')
    expect(screen.getByRole('button', { name: 'Page 10' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Page 11' })).toBeNull()
  })

  test('says which page was picked', async () => {
    const picked = vi.fn()
    await renderPart(<Pagination onChangePage={picked} />)
    await userEvent.click(screen.getByRole('button', { name: 'Page 3' }))
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
    expect(picked.mock.calls).toEqual([[3], [4], [3]])
    expect(current()).toBe('3')
  })

  test('previous does nothing on page 1, next nothing on the last', async () => {
    const picked = vi.fn()
    await renderPart(<Pagination total={16} onChangePage={picked} />)
    await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
    expect(picked).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(picked.mock.calls).toEqual([[2]])
  })
})
