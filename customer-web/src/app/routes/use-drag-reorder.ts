import { type PointerEvent, type RefObject, useRef, useState } from 'react'
import type { GripProps } from './edit-fav-row'

type Drag = { from: number; startY: number; rowHeight: number; count: number; moved: number }

export type DragReorder = {
  listRef: RefObject<HTMLOListElement | null>
  /** The row that is dragged; -1 while none is. */
  from: number
  /** How far a row is drawn from its place. */
  shiftOf: (index: number) => number
  gripProps: (index: number) => GripProps
}

/** So near to the edge of the window the page scrolls along. */
const EDGE_PX = 72
const SCROLL_PX = 10

/** Which place a row is over, from how far it was dragged. */
export function targetIndex(from: number, moved: number, rowHeight: number, count: number): number {
  const to = from + Math.round(moved / Math.max(1, rowHeight))
  return Math.min(Math.max(0, to), count - 1)
}

/**
 * Puts rows of equal height in order by dragging. Rows only look as if they moved until the drop, so that
 * the pointer keeps its hold.
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

/** A pointer's place on the page, wherever that is scrolled to. */
function pageY(event: PointerEvent): number {
  return event.clientY + window.scrollY
}
