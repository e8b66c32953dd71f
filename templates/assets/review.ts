// One case in panes: 1 to 3 bring a pane to the front, 2 again turns the document over, and after a picture was judged the
// next one comes to the front. In the dialog that refuses a picture a digit chooses the reason.
import { inField } from './keys'

export function review(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-review]')
}

export function pictures(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-picture]')]
}

function mark(root: HTMLElement): void {
  const front = root.dataset.wide
  for (const button of root.querySelectorAll<HTMLElement>('[data-show-pane]'))
    button.setAttribute('aria-pressed', String(button.dataset.showPane === front))
  for (const button of root.querySelectorAll<HTMLElement>('[data-show-picture]')) {
    const shown = pictures(root).find((one) => one.dataset.picture === button.dataset.showPicture)
    button.setAttribute('aria-pressed', String(shown !== undefined && !shown.hidden))
  }
}

/** Brings a picture to the front of its pane; keys are for it from then on. */
export function showPicture(root: HTMLElement, picture: HTMLElement): void {
  for (const other of pictures(root)) {
    delete other.dataset.current
    if (other.closest('[data-pane]') === picture.closest('[data-pane]')) other.hidden = true
  }
  picture.hidden = false
  picture.dataset.current = ''
  root.dataset.wide = picture.closest<HTMLElement>('[data-pane]')?.dataset.pane ?? '2'
  mark(root)
  picture.dispatchEvent(new CustomEvent('desk:front', { bubbles: true }))
}

function showPane(root: HTMLElement, name: string): void {
  const pane = root.querySelector<HTMLElement>(`[data-pane="${name}"]`)
  if (!pane) return
  const inside = pictures(root).filter((one) => pane.contains(one))
  const at = inside.findIndex((one) => !one.hidden)
  const again = root.dataset.wide === name
  const next = again ? inside[(at + 1) % inside.length] : inside[at]
  if (next) showPicture(root, next)
  root.dataset.wide = name
  mark(root)
  pane.focus()
}

/** After a judgement: the next picture that nobody has judged. */
function advance(): void {
  const root = review()
  const current = root?.querySelector<HTMLElement>('[data-current]')
  if (!root || !current || current.querySelector('[data-pending]')) return
  const open = pictures(root).find((one) => one.querySelector('[data-pending]'))
  if (!open) return
  showPicture(root, open)
  open.closest<HTMLElement>('[data-pane]')?.focus()
}

export function startReviews(): void {
  const root = review()
  if (root) mark(root)
  document.addEventListener('click', (event) => {
    const here = review()
    const target = event.target instanceof Element ? event.target : null
    if (!here || !target) return
    const pane = target.closest<HTMLElement>('[data-show-pane]')?.dataset.showPane
    if (pane) showPane(here, pane)
    const id = target.closest<HTMLElement>('[data-show-picture]')?.dataset.showPicture
    const wanted = pictures(here).find((one) => one.dataset.picture === id)
    if (id && wanted) showPicture(here, wanted)
  })
  document.addEventListener('htmx:afterRequest', (event) => {
    if (!(event instanceof CustomEvent) || !event.detail.successful) return
    if (event.detail.requestConfig?.verb !== 'post') return
    // At once, so that the next letter is for the next picture; and again for what settles later.
    advance()
    setTimeout(advance, 40)
  })
  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || inField(event.target))
      return
    const choices = document.querySelector<HTMLElement>('dialog[open] [data-digits]')
    const choice = choices?.querySelector<HTMLElement>(`[data-digit="${CSS.escape(event.key)}"]`)
    if (!choice || choice.closest('.htmx-request')) return
    event.preventDefault()
    choice.click()
  })
}
