import { type PointerEvent, type RefObject, useRef, useState } from 'react'
import type { GripProps } from './edit-fav-row'

type Drag = { from: number; startY: number; rowHeight: number; count: number; moved: number }

export type DragReorder = {
  listRef: RefObject<HTMLOListElement | null>
  /** The index of the dragged row; -1 if none. */
  from: number
  /** The row's offset while rows are dragged, in pixels. */
  shiftOf: (index: number) => number
  gripProps: (index: number) => GripProps
}

/** The page scrolls while the pointer is this close to the window's edge. */
const EDGE_PX = 72
const SCROLL_PX = 10

/** The index that a dragged row is over, from the distance dragged. */
export function targetIndex(from: number, moved: number, rowHeight: number, count: number): number {
  const to = from + Math.round(moved / Math.max(1, rowHeight))
  return Math.min(Math.max(0, to), count - 1)
}

/**
 * Sorts rows of equal height by dragging. Rows only shift visually until the drop, so the pointer keeps its
 * capture.
 */
export function useDragReorder(onDrop: (from: number, to: number) => void): DragReorder {
  const listRef = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const to = drag ? targetIndex(drag.from, drag.moved, drag.rowHeight, drag.count) : -1

  const start = (event: PointerEvent, from: number) => {
    const rows = listRef.current?.children
    if (event.button !== 0 || !rows || rows.length < 2) return
    event.preventDefault()
    event.currentTarget.setPointerCapture?.(event.pointerId)
    const rowHeight = rows[from]?.getBoundingClientRect().height ?? 0
    setDrag({ from, startY: pageY(event), rowHeight, count: rows.length, moved: 0 })
  }

  const move = (event: PointerEvent) => {
    if (!drag) return
    if (event.clientY > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX)
    else if (event.clientY < EDGE_PX + 48) window.scrollBy(0, -SCROLL_PX)
    setDrag({ ...drag, moved: pageY(event) - drag.startY })
  }

  const drop = () => {
    if (!drag) return
    setDrag(null)
    onDrop(drag.from, to)
  }

  return {
    listRef,
    from: drag?.from ?? -1,
    shiftOf: (index) => {
      if (!drag) return 0
      if (index === drag.from) return drag.moved
      if (index > drag.from && index <= to) return -drag.rowHeight
      return index < drag.from && index >= to ? drag.rowHeight : 0
    },
    gripProps: (index) => ({
      onPointerDown: (event) => start(event, index),
      onPointerMove: move,
      onPointerUp: drop,
      onPointerCancel: () => setDrag(null),
    }),
  }
}

/** The pointer's y position on the page, independent of scrolling. */
function pageY(event: PointerEvent): number {
  return event.clientY + window.scrollY
}
