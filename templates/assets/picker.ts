// A field that chooses several from a list by name: a chosen name becomes a button that removes it, and a hidden field carries the codes.

const PICKER = '[data-picker]'

type Parts = {
  hidden: HTMLInputElement
  typed: HTMLInputElement
  chips: HTMLElement
  options: HTMLOptionElement[]
}

function partsOf(picker: Element): Parts | null {
  const hidden = picker.querySelector<HTMLInputElement>('input[type=hidden]')
  const typed = picker.querySelector<HTMLInputElement>('input[list]')
  const chips = picker.querySelector<HTMLElement>('[data-picked]')
  if (!hidden || !typed || !chips) return null
  return { hidden, typed, chips, options: [...picker.querySelectorAll('option')] }
}

/** The option that a text names: by its whole name, or at the end of typing by the only name that begins so. */
export function named<T extends { value: string }>(
  options: readonly T[],
  text: string,
  ended: boolean,
): T | undefined {
  const word = text.trim().toLocaleLowerCase()
  if (word === '') return undefined
  const whole = options.find(({ value }) => value.toLocaleLowerCase() === word)
  if (whole || !ended) return whole
  const begun = options.filter(({ value }) => value.toLocaleLowerCase().startsWith(word))
  return begun.length === 1 ? begun[0] : undefined
}

/** Writes the codes of the buttons into the hidden field, and a text that names nothing after them: the server refuses it beside the field. */
function store({ hidden, typed, chips }: Parts): void {
  const codes = [...chips.querySelectorAll<HTMLElement>('[data-code]')].map(
    ({ dataset }) => dataset.code,
  )
  hidden.value = [...codes, typed.value.trim()].filter(Boolean).join(',')
  hidden.dispatchEvent(new Event('input', { bubbles: true }))
}

function add(parts: Parts, option: HTMLOptionElement): void {
  const code = option.dataset.code ?? ''
  if (!parts.chips.querySelector(`[data-code="${code}"]`)) {
    const chip = document.createElement('button')
    chip.type = 'button'
    chip.className = 'picked-chip'
    chip.dataset.code = code
    chip.textContent = option.value
    chip.setAttribute(
      'aria-label',
      (parts.chips.dataset.remove ?? '').replace('{{name}}', option.value),
    )
    parts.chips.append(chip)
  }
  parts.typed.value = ''
}

function take(target: EventTarget | null, ended: boolean): void {
  if (!(target instanceof HTMLInputElement) || !target.matches(`${PICKER} input[list]`)) return
  const picker = target.closest(PICKER)
  const parts = picker && partsOf(picker)
  if (!parts) return
  const option = named(parts.options, target.value, ended)
  if (option) add(parts, option)
  if (option || ended) store(parts)
}

function removeChip(chip: HTMLElement): void {
  const picker = chip.closest(PICKER)
  const parts = picker && partsOf(picker)
  if (!parts) return
  chip.remove()
  store(parts)
  parts.typed.focus()
}

export function startPicker(): void {
  document.addEventListener('input', ({ target }) => take(target, false))
  document.addEventListener('change', ({ target }) => take(target, true))
  document.addEventListener('click', ({ target }) => {
    const chip =
      target instanceof Element
        ? target.closest<HTMLElement>(`${PICKER} [data-code]:not(option)`)
        : null
    if (chip) removeChip(chip)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (!(target instanceof HTMLInputElement) || !target.matches(`${PICKER} input[list]`)) return
    if (key === 'Enter') {
      event.preventDefault()
      take(target, true)
    }
    const last = target.closest(PICKER)?.querySelector<HTMLElement>('[data-picked] > :last-child')
    if (key === 'Backspace' && target.value === '' && last) removeChip(last)
  })
}
