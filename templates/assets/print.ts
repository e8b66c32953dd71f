/** A button prints its page. */
export function startPrint(): void {
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-print]')) window.print()
  })
}
