// The names of colleagues to choose from after an @ in a note for staff. The server reads the names
// again when the note is stored; choosing one here only saves typing.

let names: Promise<string[]> | undefined
let namesFrom = ''
let label = ''
let box: HTMLElement | undefined
let boxFor: HTMLTextAreaElement | undefined

/** The @ before the caret with the letters after it. */
const NAMED = /(^|[\s(])@([\p{L}\p{N}][\p{L}\p{N} .'-]{0,40}|)$/u
const MOST = 8

async function load(address: string): Promise<string[]> {
  const answer = await fetch(address, { headers: { 'HX-Request': 'true' } })
  if (!answer.ok) throw new Error(String(answer.status))
  const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
  label = parsed.querySelector('ul')?.getAttribute('aria-label') ?? ''
  return [...parsed.querySelectorAll<HTMLElement>('[data-colleague]')].map(
    (one) => one.dataset.colleague ?? '',
  )
}

/** The field, if what is typed in it is for staff only. */
function noteField(target: EventTarget | null): HTMLTextAreaElement | undefined {
  if (!(target instanceof HTMLTextAreaElement) || !target.dataset.mentions) return undefined
  const form = target.form
  if (form?.querySelector('[data-mode]') && !form.classList.contains('is-note')) return undefined
  return target
}

function close(): void {
  box?.remove()
  boxFor?.removeAttribute('aria-activedescendant')
  boxFor?.setAttribute('aria-expanded', 'false')
  box = boxFor = undefined
}

function options(): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('li') ?? [])]
}

function point(at: number): void {
  const all = options()
  for (const [index, one] of all.entries()) {
    one.setAttribute('aria-selected', String(index === at))
    one.classList.toggle('on', index === at)
  }
  boxFor?.setAttribute('aria-activedescendant', all[at]?.id ?? '')
  all[at]?.scrollIntoView({ block: 'nearest' })
}

function selected(): number {
  return options().findIndex((one) => one.getAttribute('aria-selected') === 'true')
}

function show(text: HTMLTextAreaElement, found: string[]): void {
  close()
  if (found.length === 0) return
  box = document.createElement('div')
  box.className = 'palette mention-list'
  const list = document.createElement('ul')
  list.id = 'mention-list'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', label)
  for (const [index, name] of found.entries()) {
    const item = document.createElement('li')
    item.id = `mention-${index}`
    item.setAttribute('role', 'option')
    item.textContent = name
    list.append(item)
  }
  box.append(list)
  boxFor = text
  text.parentElement?.classList.add('mention-anchor')
  text.after(box)
  text.setAttribute('aria-expanded', 'true')
  point(0)
}

function choose(name: string): void {
  const text = boxFor
  if (!text) return
  const before = text.value.slice(0, text.selectionStart)
  const typed = NAMED.exec(before)
  if (typed) {
    const start = before.length - (typed[2]?.length ?? 0)
    text.setRangeText(`${name} `, start, text.selectionStart, 'end')
  }
  close()
  text.focus()
  text.dispatchEvent(new Event('input', { bubbles: true }))
}

async function offer(text: HTMLTextAreaElement): Promise<void> {
  const before = (): string => text.value.slice(0, text.selectionStart)
  if (!NAMED.test(before())) return close()
  const address = text.dataset.mentions ?? ''
  if (namesFrom !== address) names = undefined
  namesFrom = address
  names ??= load(address)
  const all = await names.catch(() => {
    names = undefined
    return []
  })
  const typed = NAMED.exec(before())
  if (!typed) return close()
  const words = (typed[2] ?? '').toLowerCase()
  const found = all.filter(
    (name) => name.toLowerCase().includes(words) && name.length > words.length,
  )
  show(text, found.slice(0, MOST))
}

function key(event: KeyboardEvent): void {
  if (!box || event.target !== boxFor || event.isComposing) return
  const all = options()
  const at = selected()
  if (event.key === 'ArrowDown') point((at + 1) % all.length)
  else if (event.key === 'ArrowUp') point((at - 1 + all.length) % all.length)
  else if ((event.key === 'Enter' || event.key === 'Tab') && !event.metaKey && !event.ctrlKey)
    choose(all[at]?.textContent ?? '')
  else if (event.key === 'Escape') close()
  else return
  event.preventDefault()
  event.stopPropagation()
}

export function startMentions(): void {
  document.addEventListener('input', ({ target }) => {
    const text = noteField(target)
    if (text) void offer(text)
    else close()
  })
  // Before the page's own keys, which would send the note or leave the field.
  document.addEventListener('keydown', key, true)
  document.addEventListener('focusout', ({ target }) => {
    if (target === boxFor) close()
  })
  document.addEventListener('mousedown', (event) => {
    const item = event.target instanceof Element ? event.target.closest('.mention-list li') : null
    if (!item) return
    event.preventDefault()
    choose(item.textContent ?? '')
  })
}
