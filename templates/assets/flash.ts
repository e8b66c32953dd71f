// The server's answers: they leave after 5 seconds, 8 with Undo, and wait while they are read.
// Also the copy buttons, which have nothing to ask a server.

function run(flash: HTMLElement): void {
  if (flash.dataset.running) return
  flash.dataset.running = 'true'
  const timer = setInterval(() => {
    if (!flash.isConnected) {
      clearInterval(timer)
      return
    }
    if (flash.matches(':hover') || flash.contains(document.activeElement)) return
    const left = Number(flash.dataset.flash) - 1
    flash.dataset.flash = String(left)
    const countdown = flash.querySelector('[data-countdown]')
    if (countdown)
      countdown.textContent = (countdown.textContent ?? '').replace(/\d+/, String(left))
    if (left <= 0) {
      clearInterval(timer)
      flash.remove()
    }
  }, 1_000)
}

function runAll(): void {
  for (const flash of document.querySelectorAll<HTMLElement>('[data-flash]')) run(flash)
}

async function copy(button: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(button.dataset.copy ?? '')
  const before = button.title
  button.title = button.dataset.copied ?? ''
  button.setAttribute('aria-label', button.title)
  setTimeout(() => {
    button.title = before
    button.setAttribute('aria-label', before)
  }, 2_000)
}

export function startFlash(): void {
  runAll()
  document.addEventListener('htmx:oobAfterSwap', runAll)
  document.addEventListener('htmx:afterSwap', runAll)
  document.addEventListener('desk:told', runAll)
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null
    if (button) void copy(button)
    // Undo was pressed: the line has done its work.
    const undo =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-flash] button')
        : null
    if (undo) setTimeout(() => undo.closest('[data-flash]')?.remove(), 200)
  })
}
