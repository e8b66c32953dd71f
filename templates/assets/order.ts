// Rows that are put in order by dragging: one that is dropped on another takes its place, through the number field that stands in the row.

const ROW = 'tr:has([data-grip])'
let dragged: HTMLTableRowElement | null = null

function rowOf({ target }: Event): HTMLTableRowElement | null {
  return target instanceof Element ? target.closest<HTMLTableRowElement>(ROW) : null
}

/** Gives a row the place of another one, as somebody would who types its number. */
export function take(row: Element, of: Element): void {
  const field = row.querySelector<HTMLInputElement>('[data-place]')
  const place = of.querySelector<HTMLInputElement>('[data-place]')
  if (!field || !place || row === of) return
  field.value = place.value
  field.form?.requestSubmit()
}

export function startOrder(): void {
  document.addEventListener('dragstart', (event) => {
    if (!(event.target instanceof Element) || !event.target.matches('[data-grip]')) return
    dragged = rowOf(event)
    if (dragged && event.dataTransfer) {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setDragImage(dragged, 0, 0)
    }
  })
  document.addEventListener('dragover', (event) => {
    if (dragged && rowOf(event)) event.preventDefault()
  })
  document.addEventListener('drop', (event) => {
    const onto = rowOf(event)
    if (!dragged || !onto) return
    event.preventDefault()
    take(dragged, onto)
  })
  document.addEventListener('dragend', () => {
    dragged = null
  })
}
