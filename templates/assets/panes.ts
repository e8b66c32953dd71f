// List and detail are two pages on a narrow screen; the row that is open is marked in the list.

export function startPanes(): void {
  document.addEventListener('htmx:afterSwap', (event) => {
    const target = event.target
    if (!(target instanceof HTMLElement) || target.id !== 'detail') return
    const panes = target.closest<HTMLElement>('[data-panes]')
    if (panes) panes.dataset.show = 'detail'
  })
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-open]') : null
    const row = link?.closest('[data-row]')
    if (!link || !row || !link.hasAttribute('hx-get')) return
    for (const other of document.querySelectorAll('[data-row].sel')) {
      other.classList.remove('sel')
      other.querySelector('[aria-current]')?.removeAttribute('aria-current')
    }
    row.classList.add('sel')
    link.setAttribute('aria-current', 'true')
  })
}
