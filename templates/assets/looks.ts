// How a draft looks to its readers, while it is written: frames hold the trader app, and get what the form would publish.

const WAIT = 400
const THEMES = '.ed-looks .join a'
const PLACES = 'button[name=place]'
let timer: ReturnType<typeof setTimeout> | undefined

/** What the server makes of the form: the draft in the language that readers get, and a note about that. */
interface Previewed {
  language: string
  note: string
  draft: unknown
}

const previews = new WeakMap<HTMLElement, Previewed>()

/** Sends a frame what it shows. It asks for that once it can listen. */
function send(looks: HTMLElement, frame: HTMLIFrameElement): void {
  const preview = previews.get(looks)
  if (!preview) return
  const { draft, language } = preview
  const theme = looks.dataset.themeOf ?? 'light'
  const place = looks.querySelector<HTMLButtonElement>(`${PLACES}[aria-pressed=true]`)
  const opened = place?.value === 'opened'
  frame.contentWindow?.postMessage({ draft, language, theme, opened }, location.origin)
}

function sendAll(looks: HTMLElement): void {
  for (const frame of looks.querySelectorAll('iframe')) send(looks, frame)
}

async function draw(looks: HTMLElement): Promise<void> {
  const form = document.querySelector<HTMLFormElement>('#content-form')
  const fields = new URLSearchParams()
  if (form)
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string') fields.append(name, value)
  const answer = await fetch(looks.dataset.preview ?? '', { method: 'POST', body: fields })
  if (!answer.ok) return
  const preview = (await answer.json()) as Previewed
  previews.set(looks, preview)
  const note = looks.querySelector('[data-note]')
  if (note) note.textContent = preview.note
  sendAll(looks)
}

function eachLooks(show: (looks: HTMLElement) => void): void {
  for (const looks of document.querySelectorAll<HTMLElement>('[data-looks]')) show(looks)
}

function drawAll(): void {
  eachLooks((looks) => void draw(looks))
}

/** Shows the preview in the theme of a link, without leaving what is typed. The address keeps it. */
function setTheme(link: HTMLAnchorElement): void {
  history.replaceState(history.state, '', link.href)
  for (const one of document.querySelectorAll(THEMES)) {
    one.toggleAttribute('aria-current', false)
    one.classList.toggle('btn-active', one === link)
  }
  link.setAttribute('aria-current', 'true')
  eachLooks((looks) => {
    looks.dataset.themeOf = new URL(link.href).searchParams.get('theme') ?? 'light'
    sendAll(looks)
  })
}

/** Shows the preview in the place of a button. */
function setPlace(button: HTMLElement): void {
  const looks = button.closest<HTMLElement>('[data-looks]')
  if (!looks) return
  for (const one of looks.querySelectorAll(PLACES)) {
    one.classList.toggle('btn-active', one === button)
    one.setAttribute('aria-pressed', String(one === button))
  }
  sendAll(looks)
}

/** Shows a frame over the whole pane, or back in its column. */
function enlarge(figure: Element, large: boolean): void {
  figure.classList.toggle('pv-large', large)
  figure.querySelector('button[name=enlarge]')?.setAttribute('aria-pressed', String(large))
}

/** Puts an element around what is selected in the text, or a list around its lines. */
export function wrapped(text: string, from: number, to: number, element: string): string {
  const [before, chosen, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  if (element === 'ul' || element === 'ol') {
    const lines = chosen.split('\n').map((line) => `<li>${line}</li>`)
    return `${before}<${element}>${lines.join('')}</${element}>${after}`
  }
  const open = element === 'a' ? 'a href="#/"' : element
  return `${before}<${open}>${chosen}</${element}>${after}`
}

export function startLooks(): void {
  document.addEventListener('input', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('#content-form')) return
    clearTimeout(timer)
    timer = setTimeout(drawAll, WAIT)
  })
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('button[data-wrap]')
        : null
    const field = document.querySelector<HTMLTextAreaElement>('#content-form textarea[name=body]')
    if (!button || !field) return
    const { selectionStart: from, selectionEnd: to, value } = field
    field.value = wrapped(value, from, to, button.dataset.wrap ?? 'p')
    field.focus()
    field.setSelectionRange(from, to + field.value.length - value.length)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || data !== 'preview') return
    eachLooks((looks) => {
      for (const frame of looks.querySelectorAll('iframe'))
        if (frame.contentWindow === source) send(looks, frame)
    })
  })
  document.addEventListener('click', ({ target }) => {
    const place =
      target instanceof Element ? target.closest<HTMLElement>(`[data-looks] ${PLACES}`) : null
    if (place) setPlace(place)
    const figure =
      target instanceof Element && target.closest('button[name=enlarge]')?.closest('figure')
    if (figure) enlarge(figure, !figure.classList.contains('pv-large'))
  })
  document.addEventListener('keydown', ({ key }) => {
    const figure = key === 'Escape' && document.querySelector('.pv-large')
    if (figure) enlarge(figure, false)
  })
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(THEMES) : null
    if (!link) return
    event.preventDefault()
    setTheme(link)
  })
  document.addEventListener('htmx:afterSwap', drawAll)
  drawAll()
}
