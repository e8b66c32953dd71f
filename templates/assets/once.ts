// Buttons that move money or identity: the first press locks the button and says what happens; the
// page changes only on the answer. Without an answer the form says so, and pressing again is safe,
// because the form carries the key of its request.

interface RequestDetail {
  elt?: Element
  successful?: boolean
  failed?: boolean
  xhr?: XMLHttpRequest
}

function detailOf(event: Event): RequestDetail {
  return event instanceof CustomEvent ? (event.detail as RequestDetail) : {}
}

function formOf(element: Element | undefined): HTMLFormElement | null {
  return element?.closest('form') ?? null
}

function buttonsOf(form: HTMLFormElement): HTMLButtonElement[] {
  const inside = [...form.querySelectorAll<HTMLButtonElement>('button[data-once]')]
  if (!form.id) return inside
  return [
    ...inside,
    ...document.querySelectorAll<HTMLButtonElement>(
      `button[data-once][form="${CSS.escape(form.id)}"]`,
    ),
  ]
}

function lock(button: HTMLButtonElement): void {
  const label = button.querySelector<HTMLElement>('[data-label]') ?? button
  if (button.dataset.words === undefined) button.dataset.words = label.textContent ?? ''
  if (button.dataset.busy) label.textContent = button.dataset.busy
  button.setAttribute('aria-busy', 'true')
  button.disabled = true
}

function unlock(button: HTMLButtonElement): void {
  if (button.dataset.words === undefined) return
  const label = button.querySelector<HTMLElement>('[data-label]') ?? button
  label.textContent = button.dataset.words
  delete button.dataset.words
  button.removeAttribute('aria-busy')
  button.disabled = false
}

/** Where an error of this element stands: its form, its row, the open dialog, else the foot of the page. */
export function errorPlace(element: Element | undefined): Element | null {
  return (
    formOf(element)?.querySelector('[data-errors]') ??
    element?.closest('[data-row]')?.querySelector('[data-errors]') ??
    document.querySelector('dialog[open] [data-errors]') ??
    document.getElementById('flash')
  )
}

// What was said of an element's request, until that element is answered.
const said = new Map<Element, ChildNode[]>()

function say(element: Element | undefined, template: string): void {
  // What asks again by itself says elsewhere that it waits.
  if (element?.hasAttribute('data-quiet')) return
  const source = document.getElementById(template)
  if (!(source instanceof HTMLTemplateElement)) return
  const words = document.importNode(source.content, true)
  if (element) said.set(element, [...words.childNodes])
  errorPlace(element)?.replaceChildren(words)
}

function unsay(element: Element): void {
  for (const word of said.get(element) ?? []) word.remove()
  said.delete(element)
}

export function startOnce(): void {
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement)) return
      const money = buttonsOf(form)
      if (money.length === 0) return
      if (money.some((button) => button.getAttribute('aria-busy') === 'true')) {
        event.preventDefault()
        event.stopImmediatePropagation()
        return
      }
      // After the form has been read, so that the pressed button's own value is sent.
      setTimeout(() => {
        for (const button of money) lock(button)
      })
    },
    true,
  )
  document.addEventListener('htmx:beforeRequest', (event) => {
    const { elt } = detailOf(event)
    formOf(elt)?.querySelector('[data-errors]')?.replaceChildren()
    // A button that asks by itself, without a form.
    if (elt instanceof HTMLButtonElement && elt.hasAttribute('data-once')) lock(elt)
  })
  document.addEventListener('htmx:afterRequest', (event) => {
    const { elt, successful } = detailOf(event)
    if (elt && successful) unsay(elt)
    // A field that asks by itself unlocks nothing: its form may be on its way.
    const form =
      elt instanceof HTMLInputElement || elt instanceof HTMLSelectElement ? null : formOf(elt)
    // The answer usually replaced the button; what is still there may be pressed again.
    setTimeout(() => {
      if (form?.isConnected) for (const button of buttonsOf(form)) unlock(button)
      if (elt instanceof HTMLButtonElement && elt.isConnected) unlock(elt)
    }, 400)
  })
  for (const lost of ['htmx:sendError', 'htmx:timeout']) {
    document.addEventListener(lost, (event) => say(detailOf(event).elt, 'tpl-unanswered'))
  }
  document.addEventListener('htmx:responseError', (event) => {
    const { elt, xhr } = detailOf(event)
    // 502 to 504 come from between us and the server: it may have done the work.
    say(elt, (xhr?.status ?? 0) > 501 ? 'tpl-unanswered' : 'tpl-failed')
  })
  // The browser may show a page again as it was left, with its locked buttons.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-once]'))
      unlock(button)
  })
}
