// Keys: J and K walk over rows, a letter presses the button that shows it, ? lists the keys,
// ⌘K or Ctrl+K finds. Letters never fire in a field, in a dialog or with a modifier, and never press
// a button that moves money.
import { open } from './dialog'

/** The letter of a key press, also on keyboards of another script. */
function letter(event: KeyboardEvent): string {
  const key = event.key.toLowerCase()
  if (/^[a-z0-9?/]$/.test(key)) return key
  const code = /^Key([A-Z])$/.exec(event.code)?.[1]
  return code ? code.toLowerCase() : key
}

function inField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [contenteditable]') !== null)
  )
}

function visible(element: HTMLElement): boolean {
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
  for (const button of document.querySelectorAll<HTMLElement>('[data-key]')) {
    if (button.dataset.key !== key || button.hasAttribute('data-once') || !visible(button)) continue
    if (button.closest('dialog')) continue
    if (button.hasAttribute('disabled')) return true
    button.focus()
    button.click()
    return true
  }
  return false
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

function find(): void {
  const search = document.querySelector<HTMLInputElement>('[data-search]')
  if (!search) return
  const nav = search.closest<HTMLElement>('[popover]')
  if (nav && !visible(search)) nav.showPopover()
  search.focus()
  search.select()
}

export function startKeys(): void {
  document.addEventListener('desk:keys', listKeys)
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    if ((event.metaKey || event.ctrlKey) && !event.altKey && letter(event) === 'k') {
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      find()
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.repeat) return
    if (inField(event.target) || document.querySelector('dialog[open]')) return
    const key = letter(event)
    if (key === 'j' || key === 'k') {
      event.preventDefault()
      step(key === 'j' ? 1 : -1)
    } else if (key === '?') {
      event.preventDefault()
      listKeys()
    } else if (/^[a-z]$/.test(key) && press(key)) {
      event.preventDefault()
    }
  })
}
