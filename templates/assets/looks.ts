// How a text looks to its readers, while it is written: the server cleans what the form holds, and two frames show it, in which nothing can run.

const WAIT = 400
const THEMES = '.ed-looks .join a'
let timer: ReturnType<typeof setTimeout> | undefined

/** A page of its own around what the server has cleaned, with our style sheets and the language's direction. */
function page(part: string, looks: HTMLElement): string {
  const { themeOf = 'light', lang = 'en', dir = 'ltr' } = looks.dataset
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    .map(({ href, nonce }) => `<link rel="stylesheet" href="${href}" nonce="${nonce}">`)
    .join('')
  return `<!doctype html><html lang="${lang}" dir="${dir}" data-theme="${themeOf}"><head><meta charset="utf-8"><title>${lang}</title>${sheets}</head><body class="pv-page"><main>${part}</main></body></html>`
}

async function draw(looks: HTMLElement): Promise<void> {
  const form = document.querySelector<HTMLFormElement>('#content-form')
  const fields = new URLSearchParams()
  if (form)
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string') fields.append(name, value)
  const answer = await fetch(looks.dataset.preview ?? '', { method: 'POST', body: fields })
  if (!answer.ok) return
  const part = await answer.text()
  for (const frame of looks.querySelectorAll('iframe')) frame.srcdoc = page(part, looks)
}

function drawAll(): void {
  for (const looks of document.querySelectorAll<HTMLElement>('[data-looks]')) void draw(looks)
}

/** Shows the preview in the theme of a link, without leaving what is typed. The address keeps it. */
function setTheme(link: HTMLAnchorElement): void {
  history.replaceState(history.state, '', link.href)
  for (const one of document.querySelectorAll(THEMES)) {
    one.removeAttribute('aria-current')
    one.classList.remove('active')
  }
  link.setAttribute('aria-current', 'true')
  const theme = new URL(link.href).searchParams.get('theme') ?? 'light'
  for (const looks of document.querySelectorAll<HTMLElement>('[data-looks]'))
    looks.dataset.themeOf = theme
  drawAll()
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
