// What is typed and not saved is not lost without a word: whoever leaves the page is asked first.

let unsaved = false

const FORM = '#content-form'

/** Saves the form and goes on in another language. What a save does to a text that is no draft is confirmed first. */
function goOn(next: string): void {
  const form = document.querySelector<HTMLFormElement>(FORM)
  const field = form?.querySelector<HTMLInputElement>('input[name=next]')
  const leaving = document.querySelector<HTMLElement>('[data-leaving]')?.dataset.leaving
  if (!form || !field || (leaving && !confirm(leaving))) return
  field.value = next
  form.requestSubmit()
}

export function startUnsaved(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.closest(FORM)) unsaved = true
  })
  // The answer to a form that was taken shows it as it is kept; one that was refused shows what was typed.
  document.addEventListener('htmx:afterSwap', ({ target }) => {
    if (target instanceof Element && target.id === 'content')
      unsaved = document.querySelector(`${FORM} [aria-invalid=true]`) !== null
  })
  document.addEventListener('htmx:confirm', (event) => {
    const { elt, target } = (event as CustomEvent<{ elt: Element; target?: Element }>).detail
    if (!unsaved || target?.id !== 'content' || elt.matches(FORM)) return
    const words = document.querySelector<HTMLElement>('[data-unsaved]')?.dataset.unsaved
    if (words && !confirm(words)) event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-next]') : null
    if (link && unsaved && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      goOn(link.dataset.next ?? '')
    }
  })
  addEventListener('beforeunload', (event) => {
    if (unsaved && document.querySelector(FORM)) event.preventDefault()
  })
}
