// Clocks that go on: <time data-since data-warn data-late>, and revealed values that hide again.

const MINUTE = 60_000

function words(): DOMStringMap {
  return document.getElementById('words')?.dataset ?? {}
}

function fill(pattern: string | undefined, values: Record<string, string>): string {
  return (pattern ?? '').replace(/\{\{(\w+)\}\}/g, (all, name: string) => values[name] ?? all)
}

/** The same words as ui.Age on the server. */
export function age(milliseconds: number, text: DOMStringMap = words()): string {
  const minutes = Math.floor(milliseconds / MINUTE)
  if (minutes < 1) return text.now ?? ''
  if (minutes < 60) return fill(text.minutes, { m: String(minutes) })
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return fill(text.hours, { h: String(hours), mm: String(minutes % 60) })
  return fill(text.days, { d: String(Math.floor(hours / 24)) })
}

function tick(): void {
  const now = Date.now()
  const text = words()
  for (const clock of document.querySelectorAll<HTMLElement>('time[data-since]')) {
    const { since, warn, late } = clock.dataset
    const start = Date.parse(since ?? '')
    if (Number.isNaN(start)) continue
    const shown = age(Math.max(0, now - start), text)
    if (shown && clock.textContent !== shown) clock.textContent = shown
    const due = clock.closest('.due')
    if (!due) continue
    const isLate = late !== undefined && now >= Date.parse(late)
    due.classList.toggle('late', isLate)
    due.classList.toggle('warn', !isLate && warn !== undefined && now >= Date.parse(warn))
  }
}

/** The same words as ui.Remaining on the server: "4:05", and "3:04 h" from an hour on. */
export function countdown(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000)
  const two = (n: number): string => String(n).padStart(2, '0')
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)} h`
}

/** Clocks that run down: <time data-until data-warn>. */
function runDown(): void {
  const now = Date.now()
  const text = words()
  for (const clock of document.querySelectorAll<HTMLElement>('time[data-until]')) {
    const until = Date.parse(clock.dataset.until ?? '')
    if (Number.isNaN(until)) continue
    const over = now >= until
    const shown = fill(over ? text.over : text.left, { time: countdown(Math.abs(until - now)) })
    if (shown && clock.textContent !== shown) clock.textContent = shown
    const due = clock.closest('.due')
    due?.classList.toggle('late', over)
    due?.classList.toggle('warn', !over && now >= Date.parse(clock.dataset.warn ?? ''))
  }
}

/** Counts the seconds of a revealed value down, then puts the mask back that came with it. */
function hideRevealed(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-revealed]')) {
    const left = Number(element.dataset.revealed) - 1
    element.dataset.revealed = String(left)
    if (left > 0) {
      const seconds = element.querySelector('[data-seconds]')
      if (seconds) seconds.textContent = (seconds.textContent ?? '').replace(/\d+/, String(left))
      continue
    }
    const mask = element.querySelector('template')?.content.firstElementChild
    if (mask) {
      const fresh = document.importNode(mask, true)
      element.replaceWith(fresh)
      document.dispatchEvent(new CustomEvent('desk:inserted', { detail: fresh }))
    } else {
      element.remove()
    }
  }
}

export function startClocks(): void {
  tick()
  setInterval(tick, 15_000)
  setInterval(runDown, 1_000)
  setInterval(hideRevealed, 1_000)
  document.addEventListener('htmx:afterSettle', tick)
}
