// Dialogs come from the server into #dialog. They open when they arrive, put the focus on their
// first field, else on a button that moves nothing, and give it back to the row when they close.
import htmx from 'htmx.org'

const FIELDS =
  'input:not([type=hidden]):not([disabled]):not([readonly]), select:not([disabled]), textarea:not([disabled]), [data-passkey]:not([hidden]) button'

// What asked for the dialog: it gets the focus back, or what stands in its place by then, or the row
// that it is about (data-back-to names it for what stands outside of its row), or the pane it was in.
let opener: { element: HTMLElement; id: string; rowId: string; paneId: string } | undefined
let wasOpen = false

function remember(element: Element | null): void {
  if (document.querySelector('dialog[open]')) return // what the page asks for by itself meanwhile is no opener
  if (!(element instanceof HTMLElement) || element === document.body || element.closest('dialog'))
    return
  const row = element.closest('[data-row]')?.id
  const back = element.closest<HTMLElement>('[data-back-to]')?.dataset.backTo
  const paneId = element.closest('.pane')?.id ?? ''
  opener = { element, id: element.id, rowId: row ?? back ?? '', paneId }
}

/** Runs when an answer is in place or a dialog closed. It takes the focus only when nobody has it. */
function giveBack(): void {
  if (!opener || document.querySelector('dialog[open]')) return
  const { element, id, rowId, paneId } = opener
  const lost = document.activeElement === document.body || document.activeElement === null
  if (lost && (wasOpen || !element.isConnected)) {
    const row = rowId ? document.getElementById(rowId) : null
    const again = element.isConnected ? element : id ? document.getElementById(id) : null
    const pane = paneId ? document.getElementById(paneId) : null
    const target = again ?? row?.querySelector<HTMLElement>('[data-open]') ?? row ?? pane
    target?.focus()
  }
  opener = undefined
  wasOpen = false
}

function focusFirst(dialog: HTMLDialogElement): void {
  const wanted =
    dialog.querySelector<HTMLElement>('[aria-invalid=true]:not([disabled])') ??
    dialog.querySelector<HTMLElement>('[autofocus]:not([disabled])') ??
    dialog.querySelector<HTMLElement>(FIELDS) ??
    dialog.querySelector<HTMLElement>('[data-main]:not([data-once]):not([disabled])') ??
    dialog.querySelector<HTMLElement>('.dlg-foot [data-close]') ??
    dialog.querySelector<HTMLElement>('[data-close]')
  wanted?.focus()
}

export function open(dialog: HTMLDialogElement): void {
  if (dialog.open) return
  remember(document.activeElement)
  wasOpen = true
  dialog.showModal()
  focusFirst(dialog)
  dialog.addEventListener(
    'close',
    () => {
      if (dialog.matches('[data-dialog]')) dialog.remove()
      giveBack()
    },
    { once: true },
  )
}

function openArrived(root: ParentNode): void {
  for (const dialog of root.querySelectorAll<HTMLDialogElement>('dialog[data-dialog]:not([open])'))
    open(dialog)
}

export function startDialogs(): void {
  document.addEventListener('htmx:beforeRequest', (event) => {
    if (event.target instanceof Element) remember(event.target)
  })
  document.addEventListener('htmx:afterSwap', () => openArrived(document))
  // An answer may empty the slot of an open dialog, which tells nobody that it closed.
  document.addEventListener('htmx:afterRequest', () => setTimeout(giveBack, 80))
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest('[data-close]')) target.closest('dialog')?.close()
    if (target?.closest('[data-keys-open]')) {
      document.dispatchEvent(new CustomEvent('desk:keys'))
    }
  })
  // Markup that our own script put in place is not known to htmx yet.
  document.addEventListener('desk:inserted', (event) => {
    if (event instanceof CustomEvent && event.detail instanceof Element) htmx.process(event.detail)
  })
  openArrived(document)
}
