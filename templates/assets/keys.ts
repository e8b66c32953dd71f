// Keys: J and K walk over rows, a letter presses the button that shows it, ? lists the keys,
// ⌘K or Ctrl+K finds. Letters and digits never fire in a field, in a dialog or with a modifier, and never press
// a button that moves money.
import htmx from 'htmx.org'
import { open } from './dialog'

/** The letter of a key press, also on keyboards of another script. */
function letter(event: KeyboardEvent): string {
  const key = event.key.toLowerCase()
  if (/^[a-z0-9?/]$/.test(key)) return key
  const code = /^Key([A-Z])$/.exec(event.code)?.[1]
  return code ? code.toLowerCase() : key
}

export function inField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [contenteditable]') !== null)
  )
}

export function visible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-row]')].filter(visible)
}

function step(by: 1 | -1): void {
  const all = rows()
  if (all.length === 0) return
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]')
  const current = focused ?? all.find((row) => row.classList.contains('sel'))
  const at = current ? all.indexOf(current) : -1
  const next = all[Math.min(all.length - 1, Math.max(0, at + by))] ?? all[0]
  const target = next?.querySelector<HTMLElement>('[data-open]') ?? next
  target?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function press(key: string): boolean {
  const all = [...document.querySelectorAll<HTMLElement>('[data-key]')].filter(
    (button) =>
      button.dataset.key === key &&
      !button.hasAttribute('data-once') &&
      !button.closest('dialog') &&
      visible(button),
  )
  // Where several things stand side by side, the letter is for the one that is worked on.
  const button = all.find((one) => one.closest('[data-current]')) ?? all[0]
  if (!button) return false
  // While an answer is on its way, the same letter asks nothing more.
  if (button.hasAttribute('disabled') || button.closest('.htmx-request')) return true
  // A button that has just come with an answer may not be known to htmx yet.
  htmx.process(button.closest('form') ?? button)
  button.focus()
  button.click()
  return true
}

/** The letters of this page, read from its buttons. */
function listKeys(): void {
  const dialog = document.getElementById('keys')
  if (!(dialog instanceof HTMLDialogElement)) return
  const here = dialog.querySelector<HTMLElement>('[data-keys-here]')
  const page = dialog.querySelector<HTMLElement>('[data-keys-page]')
  if (here && page) {
    here.replaceChildren()
    const seen = new Set<string>()
    for (const button of document.querySelectorAll<HTMLElement>('[data-key]')) {
      const key = button.dataset.key ?? ''
      if (!visible(button) || seen.has(key) || button.closest('dialog')) continue
      seen.add(key)
      const cap = document.createElement('kbd')
      cap.className = 'kbd'
      cap.textContent = key.toUpperCase()
      const keyCell = document.createElement('span')
      keyCell.append(cap)
      const label = document.createElement('span')
      label.textContent =
        button.getAttribute('aria-label') ??
        button.querySelector('[data-label]')?.textContent ??
        button.textContent
      here.append(keyCell, label)
    }
    page.hidden = seen.size === 0
  }
  open(dialog)
}

/** The arrows walk over the results of a search, from its box too; the arrow up leaves the first result for the box. */
function arrow(event: KeyboardEvent): boolean {
  if (!document.querySelector('[data-arrows] [data-row]')) return false
  const from = document.querySelector<HTMLInputElement>('[data-arrows-from]')
  const at = event.target instanceof Element ? event.target : null
  if (inField(at) && !at?.matches('[data-arrows-from], [data-search]')) return false
  if (event.key === 'ArrowUp' && at?.closest('[data-row]') === rows()[0]) from?.focus()
  else step(event.key === 'ArrowDown' ? 1 : -1)
  return true
}

function find(): void {
  const search = document.querySelector<HTMLInputElement>('[data-search]')
  if (!search) return
  const nav = search.closest<HTMLElement>('[popover]')
  if (nav && !visible(search)) nav.showPopover()
  search.focus()
  search.select()
}

export function startKeys(): void {
  // The style sheet shows the modifier key of the system.
  if (/Mac|iPhone|iPad/.test(navigator.userAgent)) document.documentElement.dataset.mac = ''
  document.addEventListener('desk:keys', listKeys)
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-find]')) find()
  })
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    if ((event.metaKey || event.ctrlKey) && !event.altKey && letter(event) === 'k') {
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      find()
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey) return
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !event.shiftKey) {
      if (!document.querySelector('dialog[open]') && arrow(event)) event.preventDefault()
      return
    }
    if (event.repeat || inField(event.target) || document.querySelector('dialog[open]')) return
    const key = letter(event)
    if (key === 'j' || key === 'k') {
      event.preventDefault()
      if (!press(key)) step(key === 'j' ? 1 : -1)
    } else if (key === '?') {
      event.preventDefault()
      listKeys()
    } else if (/^[a-z0-9]$/.test(key) && press(key)) {
      event.preventDefault()
    }
  })
}
