const TRIES = 20
const PAUSE_MS = 250

let running = 0

/** The smallest element that shows a text. */
function find(text: string): Element | undefined {
  const shown = [...document.querySelectorAll('#root *, [role=dialog] *')].filter(
    (one) => one.textContent?.trim() === text && one.getClientRects().length > 0,
  )
  return shown.at(-1)
}

/** Scrolls this frame alone: scrollIntoView would scroll the page around it too. */
function center(element: Element): void {
  const { top, height } = element.getBoundingClientRect()
  window.scrollBy(0, top - (window.innerHeight - height) / 2)
}

/**
 * Scrolls to the element that shows a text, and opens it if it can be expanded. What is above it still loads at first,
 * so it is done for some seconds; a newer call ends it, and so does a reader who scrolls.
 */
export function reveal(text: string): void {
  const mine = ++running
  let tries = 0
  const stop = () => {
    running += 1
  }
  for (const event of ['wheel', 'touchstart'])
    window.addEventListener(event, stop, { once: true, passive: true })
  const look = () => {
    if (mine !== running || tries++ === TRIES || text === '') return
    const element = find(text)
    element?.closest<HTMLElement>('[aria-expanded=false]')?.click()
    // A dialog is in view already.
    if (element && !element.closest('[role=dialog]')) center(element)
    setTimeout(look, PAUSE_MS)
  }
  look()
}
