import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { StoredColumns } from '@/storage/entries'
import { type ColumnRule, droppableCount } from '../../model/table-columns'

export type DroppedColumns = {
  /** The element that scrolls if even the columns that always show do not fit. */
  scroller: RefObject<HTMLElement | null>
  dropped: number
  /** There is more to see beyond the end edge. */
  edge: boolean
  onScroll: () => void
}

/** Leaves out one column after the other until the table fits; starts again when there is more room. */
export function useDroppedColumns(
  columns: readonly ColumnRule[],
  choice: StoredColumns,
): DroppedColumns {
  const scroller = useRef<HTMLElement>(null)
  const [dropped, setDropped] = useState(0)
  const [edge, setEdge] = useState(false)
  const most = droppableCount(columns, choice)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice needs other room
  useLayoutEffect(() => setDropped(0), [choice])

  // Every render may have made a cell wider.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (overflows(element) && dropped < most) setDropped(dropped + 1)
    else setEdge(hasMore(element))
  })

  useEffect(() => {
    const element = scroller.current
    if (!element || typeof ResizeObserver === 'undefined') return
    let width = element.clientWidth
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return
      width = element.clientWidth
      setDropped(0)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return {
    scroller,
    dropped,
    edge,
    onScroll: () => scroller.current && setEdge(hasMore(scroller.current)),
  }
}

function overflows({ scrollWidth, clientWidth }: HTMLElement): boolean {
  return scrollWidth > clientWidth
}

/** In right-to-left languages the scroll position is negative. */
function hasMore({ scrollWidth, clientWidth, scrollLeft }: HTMLElement): boolean {
  return Math.abs(scrollLeft) + clientWidth < scrollWidth - 1
}
