// The chat with traders. The event stream only says which conversations have news; the page then asks for what follows the last
// message that it has, also whenever the stream comes back: nothing is missed, and nothing shows twice. What could not be sent
// stays in the tab's storage with the id it was given, so that sending it again is safe.
import htmx from 'htmx.org'
import { inField } from './keys'
import { addresses, onLive } from './live'

interface Pending {
  id: string
  text: string
  mode: string
  picture?: string
  seen: string // the newest message that the agent had before them
  refused?: string // what the server said no with
  sent?: true // the server has it; it stays until the thread shows it
}

const TYPING_MS = 3_000
const POLL_MS = 15_000
const RETRY_MS = 3_000
const SIGNED_OUT = 401

function root(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-chat]')
}
function thread(): HTMLElement | null {
  return document.getElementById('thread')
}
function composer(): HTMLFormElement | null {
  const form = document.getElementById('composer')
  return form instanceof HTMLFormElement ? form : null
}
function field(): HTMLTextAreaElement | null {
  const text = document.getElementById('chat-text')
  return text instanceof HTMLTextAreaElement ? text : null
}
function openID(): string {
  return thread()?.dataset.conversation ?? ''
}
async function post(path: string, values: Record<string, string>): Promise<Response> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'HX-Request': 'true' },
    body: new URLSearchParams(values),
    signal: AbortSignal.timeout(20_000),
  })
  signed(answer.status !== SIGNED_OUT)
  return answer
}

// What is written and not sent yet, by conversation.

function stored<T>(key: string, none: T): T {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '') as T
  } catch {
    return none
  }
}
function store(key: string, value: unknown): void {
  sessionStorage.setItem(key, JSON.stringify(value))
}
const boxKey = (id: string): string => `chat-outbox-${id}`
const draftKey = (id: string): string => `chat-draft-${id}`
function outbox(id: string): Pending[] {
  return stored<Pending[]>(boxKey(id), [])
}
function keep(id: string, list: Pending[]): void {
  store(boxKey(id), list)
}

// The thread.

function last(): string {
  let newest = 0
  for (const one of thread()?.querySelectorAll<HTMLElement>('[data-id]') ?? [])
    newest = Math.max(newest, Number(one.dataset.id))
  return String(newest)
}

function atEnd(): boolean {
  const pane = thread()?.closest<HTMLElement>('.pane-body')
  return !pane || pane.scrollHeight - pane.scrollTop - pane.clientHeight < 80
}
function toEnd(): void {
  const pane = thread()?.closest<HTMLElement>('.pane-body')
  if (pane) pane.scrollTop = pane.scrollHeight
}

/** Takes away what came twice, and what waited in the outbox and is in the thread now. */
function tidy(): void {
  const here = thread()
  if (!here) return
  const seen = new Set<string>()
  for (const one of here.querySelectorAll<HTMLElement>('[data-id]')) {
    const id = one.dataset.id ?? ''
    if (seen.has(id)) one.remove()
    seen.add(id)
  }
  const arrived = new Set(
    [...here.querySelectorAll<HTMLElement>('[data-id][data-client]')].map(
      (one) => one.dataset.client,
    ),
  )
  keep(
    openID(),
    outbox(openID()).filter((one) => !arrived.has(one.id)),
  )
  showOutbox()
}

/** How far the customer has come with what was said to them. */
function tick(): void {
  const marks = document.getElementById('chat-marks')
  const words = composer()?.querySelector<HTMLTemplateElement>('[data-ticks]')
  if (!marks?.dataset.got || !words) return
  const got = Number(marks.dataset.got)
  const read = Number(marks.dataset.read)
  for (const one of thread()?.querySelectorAll<HTMLElement>('.msg.out[data-id]') ?? []) {
    const sign = one.querySelector<HTMLElement>('[data-tick]')
    const id = Number(one.dataset.id)
    const state = id <= read ? 'read' : id <= got ? 'delivered' : 'sent'
    if (!sign || sign.dataset.tick === state) continue
    sign.dataset.tick = state
    sign.classList.toggle('read', state === 'read')
    const word = sign.querySelector('[data-word]')
    if (word) word.textContent = words.dataset[state] ?? ''
    if (state !== 'sent')
      sign.querySelector('svg')?.replaceWith(document.importNode(words.content, true))
  }
}

let asking: Promise<void> | undefined
let next: Promise<void> | undefined

/** Asks for what the thread does not have; done when a question of no earlier moment has been answered, or could not be. */
function catchUp(): Promise<void> {
  if (asking) {
    next ??= asking
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return catchUp()
      })
    return next
  }
  asking = ask().finally(() => {
    asking = undefined
  })
  return asking
}

async function ask(): Promise<void> {
  const here = thread()
  if (!here) return
  const id = openID()
  const follow = atEnd()
  let answered = false
  try {
    const answer = await fetch(`${here.dataset.news}?after=${last()}`, {
      headers: { 'HX-Request': 'true' },
      signal: AbortSignal.timeout(20_000),
    })
    const said = await answer.text()
    // Another thread may have been opened meanwhile: this answer is not for it.
    answered = answer.ok && openID() === id && thread() === here
    if (answered)
      htmx.swap('#thread', said, { swapStyle: 'beforeend', swapDelay: 0, settleDelay: 0 })
  } catch {
    // The stream says when the server is there again.
  }
  if (openID() !== id) return
  tidy()
  tick()
  lock()
  if (follow) toEnd()
  read()
  if (answered && document.getElementById('chat-marks')?.hasAttribute('data-more')) await ask()
}

let readUpTo = ''
function read(): void {
  const here = thread()
  if (!here || document.hidden) return
  const mark = `${openID()}:${last()}`
  if (mark === readUpTo || document.getElementById('chat-lock')?.dataset.locked) return
  readUpTo = mark
  post(here.dataset.seen ?? '', { last: last() }).catch(() => {
    readUpTo = ''
  })
}

let listing = false
async function relist(): Promise<void> {
  const list = document.getElementById('conversations')
  if (!list || listing) return
  listing = true
  // A row does not move away under the pointer.
  for (let waited = 0; waited < 20 && list.matches(':hover'); waited++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  listing = false
  const address = new URL(list.dataset.again ?? '', location.href)
  const words = new URL(location.href).searchParams.get('q')
  if (words) address.searchParams.set('q', words)
  if (openID()) address.searchParams.set('open', openID())
  try {
    await htmx.ajax('get', address.pathname + address.search, {
      source: '#chat-live', // not the body: while that asks, no key of the page works
      target: '#conversations',
      swap: 'morph:innerHTML',
    })
  } catch {
    // As above.
  }
}

let relistSoon: ReturnType<typeof setTimeout> | undefined
function news(ids: string[]): void {
  if (ids.includes(openID())) void catchUp()
  if (relistSoon !== undefined) return
  relistSoon = setTimeout(() => {
    relistSoon = undefined
    void relist()
  }, 300)
}

// The composer.

function lock(): void {
  const locked = document.getElementById('chat-lock')?.dataset.locked ?? ''
  const form = composer()
  const text = field()
  if (!form || !text) return
  const note = mode() === 'note'
  text.disabled = locked !== '' && !note
  const send = form.querySelector<HTMLButtonElement>('button[type=submit]')
  if (send) send.disabled = text.disabled
}

function mode(): string {
  return (
    composer()?.querySelector<HTMLElement>('[data-mode][aria-pressed=true]')?.dataset.mode ??
    'reply'
  )
}

function setMode(wanted: string): void {
  const form = composer()
  if (!form) return
  for (const button of form.querySelectorAll<HTMLElement>('[data-mode]'))
    button.setAttribute('aria-pressed', String(button.dataset.mode === wanted))
  form.classList.toggle('is-note', wanted === 'note')
  showMode(form, wanted === 'note')
  lock()
  field()?.focus()
}

/** Says what the button does and what the field takes: a note stays with staff, and has neither pictures nor prepared answers. */
function showMode(form: HTMLFormElement, note: boolean): void {
  const text = field()
  const label = form.querySelector<HTMLElement>('[type=submit] [data-label]')
  if (text) text.placeholder = (note ? text.dataset.noteHint : text.dataset.replyHint) ?? ''
  if (label) label.textContent = (note ? label.dataset.note : label.dataset.reply) ?? ''
  for (const one of form.querySelectorAll<HTMLElement>('[data-reply-only]')) one.hidden = note
  if (note) closePalette()
}

/** Takes what was not sent back into the field, before what was written since. */
function edit(id: string): void {
  const text = field()
  const one = outbox(openID()).find((candidate) => candidate.id === id)
  if (!text || !one) return
  setMode(one.mode)
  if (text.disabled) return
  keep(
    openID(),
    outbox(openID()).filter((other) => other.id !== id),
  )
  text.value = [one.text, text.value].filter(Boolean).join('\n')
  store(draftKey(openID()), text.value)
  showOutbox()
  text.focus()
}

function showOutbox(): void {
  const here = thread()
  const template = composer()?.querySelector<HTMLTemplateElement>('[data-pending]')
  if (!here || !template) return
  for (const old of here.querySelectorAll('[data-pending-message]')) old.remove()
  for (const one of outbox(openID())) {
    const fragment = document.importNode(template.content, true)
    const message = fragment.querySelector<HTMLElement>('[data-pending-message]')
    if (!message) continue
    message.dataset.pendingMessage = one.id
    if (one.mode === 'note') message.className = 'staffnote'
    const body = message.querySelector('.b')
    if (body) body.textContent = one.text || '🖼'
    const stopped = one.refused !== undefined || (lost && !one.sent)
    message.classList.toggle('fail', stopped)
    const show = (name: string, on: boolean): void => {
      message.querySelector(name)?.toggleAttribute('hidden', !on)
    }
    show('[data-state=sending]', !stopped)
    show('[data-state=failed]', stopped)
    show('[data-retry]', stopped)
    show('[data-edit]', stopped && one.refused !== undefined && !one.picture)
    show('[data-discard]', stopped)
    const why = message.querySelector<HTMLElement>('[data-why]')
    const reason = one.refused ?? (out ? outWords() : '')
    if (why && reason) {
      why.textContent = reason
      why.hidden = false
    }
    here.append(message)
  }
}

let lost = false
let sending = false

/** Sends what waits, in its order; what the server refuses waits for the agent. */
async function flush(): Promise<void> {
  if (sending) return
  sending = true
  const id = openID()
  const path = composer()?.getAttribute('action') ?? ''
  try {
    for (;;) {
      const one = outbox(id).find((candidate) => candidate.refused === undefined && !candidate.sent)
      if (!one || openID() !== id) return
      const answer = await post(path, {
        id: one.id,
        text: one.text,
        mode: one.mode,
        picture: one.picture ?? '',
        seen: one.seen,
      })
      if (answer.status >= 500 || answer.status === SIGNED_OUT) throw new Error('later')
      if (answer.ok) {
        lost = false
        keep(
          id,
          outbox(id).map((other) => (other.id === one.id ? { ...other, sent: true } : other)),
        )
        await catchUp()
      } else {
        const said = new DOMParser().parseFromString(await answer.text(), 'text/html')
        const words = said.body.textContent?.replace(/\s+/g, ' ').trim() ?? ''
        keep(
          id,
          outbox(id).map((other) => (other.id === one.id ? { ...other, refused: words } : other)),
        )
      }
      if (openID() === id) showOutbox()
    }
  } catch {
    lost = true
    showOutbox()
    setTimeout(() => void flush(), RETRY_MS)
  } finally {
    sending = false
  }
}

function enqueue(text: string, picture?: string): void {
  const id = openID()
  keep(id, [...outbox(id), { id: crypto.randomUUID(), text, mode: mode(), picture, seen: last() }])
  showOutbox()
  toEnd()
  void flush()
}

function submit(): void {
  const text = field()
  if (!text || text.disabled) return
  const words = text.value.trim()
  if (!words) return
  text.value = ''
  store(draftKey(openID()), '')
  closePalette()
  typed(false)
  enqueue(words)
}

async function attach(input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0]
  const form = composer()
  if (!file || !form) return
  input.value = ''
  const state = form.querySelector('[data-composer-state]')
  const id = openID()
  if (state) state.textContent = file.name
  const data = new FormData()
  data.set('file', file)
  try {
    const answer = await fetch(form.dataset.upload ?? '', {
      method: 'POST',
      headers: { 'HX-Request': 'true' },
      body: data,
    })
    signed(answer.status !== SIGNED_OUT)
    if (out) {
      if (state) state.textContent = outWords()
      return
    }
    const said = await answer.text()
    if (!answer.ok) {
      const words = new DOMParser().parseFromString(said, 'text/html').body.textContent
      if (state) state.textContent = words?.replace(/\s+/g, ' ').trim() ?? ''
      return
    }
    if (state) state.textContent = ''
    if (openID() === id) enqueue('', said)
  } catch {
    if (state)
      state.textContent =
        form
          .querySelector<HTMLTemplateElement>('[data-pending]')
          ?.content.querySelector('[data-state=failed]')?.textContent ?? ''
  }
}

let typedAt = 0
function typed(on: boolean): void {
  const form = composer()
  if (!form || mode() === 'note') return
  const now = Date.now()
  if (on && now - typedAt < TYPING_MS) return
  if (!on && typedAt === 0) return
  typedAt = on ? now : 0
  post(form.dataset.typing ?? '', { typing: on ? 'yes' : 'no' }).catch(() => undefined)
}

// Prepared answers behind a slash.

function palette(): HTMLElement | null {
  return document.getElementById('palette')
}
function options(): HTMLElement[] {
  return [...(palette()?.querySelectorAll<HTMLElement>('[data-option]') ?? [])]
}
function closePalette(): void {
  const box = palette()
  if (!box) return
  box.hidden = true
  box.replaceChildren()
  field()?.setAttribute('aria-expanded', 'false')
  field()?.removeAttribute('aria-activedescendant')
}
function point(by: number): void {
  const all = options()
  if (all.length === 0) return
  const at = all.findIndex((one) => one.getAttribute('aria-selected') === 'true')
  const next = (Math.max(at, 0) + by + all.length) % all.length
  for (const [index, one] of all.entries()) {
    one.setAttribute('aria-selected', String(index === next))
    one.classList.toggle('on', index === next)
  }
  field()?.setAttribute('aria-activedescendant', all[next]?.id ?? '')
  all[next]?.scrollIntoView({ block: 'nearest' })
}
let paletteFor = ''
async function search(words: string): Promise<void> {
  const form = composer()
  const box = palette()
  if (!form || !box) return
  paletteFor = words
  try {
    const answer = await fetch(`${form.dataset.replies}?q=${encodeURIComponent(words)}`, {
      headers: { 'HX-Request': 'true' },
    })
    if (!answer.ok || paletteFor !== words || !field()?.value.startsWith('/')) return
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
    box.replaceChildren(...parsed.body.childNodes)
    box.hidden = false
    field()?.setAttribute('aria-expanded', 'true')
    point(0)
  } catch {
    closePalette()
  }
}
function choose(option: HTMLElement | undefined): void {
  const text = field()
  if (!text || !option) return
  text.value = option.dataset.text ?? ''
  closePalette()
  text.focus()
  store(draftKey(openID()), text.value)
}

function write(): void {
  const text = field()
  if (!text) return
  store(draftKey(openID()), text.value)
  const slash = text.value.startsWith('/') && !text.value.includes('\n') && mode() !== 'note'
  if (slash) void search(text.value.slice(1))
  else {
    closePalette()
    if (text.value) typed(true)
  }
}

function key(event: KeyboardEvent): void {
  const text = field()
  if (!text || event.target !== text || event.isComposing) return
  const shown = palette()?.hidden === false && options().length > 0
  if (shown && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    point(event.key === 'ArrowDown' ? 1 : -1)
  } else if (shown && event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
    event.preventDefault()
    choose(options().find((one) => one.getAttribute('aria-selected') === 'true'))
  } else if (event.key === 'Escape') {
    event.preventDefault()
    if (palette()?.hidden === false) closePalette()
    else thread()?.focus()
  } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault()
    submit()
  }
}

function resolve(next: boolean): void {
  const here = thread()
  if (!here) return
  void htmx
    .ajax('post', `${here.dataset.whole}/resolution`, {
      source: '#chat-resolve',
      target: '#detail',
      swap: 'innerHTML',
      values: { seen: last(), ...(next ? { next: 'yes' } : {}) },
    })
    .then(opened)
}

/** Runs the macro of a key on the thread as it is shown. */
function runMacro(key: string): void {
  const here = thread()
  const version = document.getElementById('chat-head')?.dataset.version
  if (!here || !version) return
  void htmx
    .ajax('post', `${here.dataset.whole}/macros`, {
      source: '#chat-macros',
      target: '#detail',
      swap: 'innerHTML',
      values: { key, version, seen: last() },
    })
    .then(opened)
}

/** Whether a press of a key is for the page: not in a field, in a dialog, or with a modifier besides Shift. */
function forPage(event: KeyboardEvent): boolean {
  const elsewhere = inField(event.target) || document.querySelector('dialog[open]') !== null
  return !elsewhere && !event.metaKey && !event.ctrlKey && !event.altKey && !event.repeat
}

// Coming to a thread, and to the page.

let shownID = ''
function opened(): void {
  const id = openID()
  if (!id) return
  if (id !== shownID) readUpTo = ''
  shownID = id
  const text = field()
  if (text && !text.value) text.value = stored<string>(draftKey(id), '')
  lock()
  tidy()
  toEnd()
  read()
  if (outbox(id).length > 0) void flush()
  present()
  if (thread()?.hasAttribute('data-more')) void catchUp()
}

function present(): void {
  const path = addresses().presence
  if (path) post(path, { open: openID() }).catch(() => undefined)
}

let streams = true // the event stream is there
let out = false // the session has ended: nothing is sent before the agent signs in again

function live(on: boolean): void {
  streams = on
  showLive()
}

function signed(on: boolean): void {
  if (out === !on) return
  out = !on
  showLive()
  showOutbox()
}

function outWords(): string {
  return document.querySelector('#chat-live [data-out]')?.textContent?.trim() ?? ''
}

function showLive(): void {
  const word = document.getElementById('chat-live')
  const on = streams && !out
  word?.querySelector('[data-on]')?.toggleAttribute('hidden', !on)
  word?.querySelector('[data-off]')?.toggleAttribute('hidden', streams || out)
  word?.querySelector('[data-out]')?.toggleAttribute('hidden', !out)
  word?.querySelector('.dot')?.classList.toggle('warn', !on)
  document.documentElement.dataset.chatLive = on ? 'on' : 'lost'
}

function hello(): void {
  live(true)
  lost = false
  void catchUp()
  void relist()
  present()
  if (openID()) void flush()
}

export function startChat(): void {
  if (!root()) return
  document.addEventListener('keydown', (event) => {
    key(event)
    if (!event.shiftKey || !forPage(event)) return
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1]
    if (event.code === 'KeyE' && document.getElementById('chat-resolve')) {
      event.preventDefault()
      resolve(true)
    } else if (digit && document.getElementById('chat-macros')) {
      event.preventDefault()
      runMacro(digit)
    }
  })
  // The dialog of macros is about the thread as it is shown.
  document.addEventListener('htmx:configRequest', (event) => {
    const { path, verb, parameters } = (event as CustomEvent).detail
    if (verb === 'post' && path === `${thread()?.dataset.whole}/macros`) parameters.seen = last()
  })
  document.addEventListener('input', (event) => {
    if (event.target === field()) write()
  })
  document.addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches('[data-attach]'))
      void attach(event.target)
  })
  document.addEventListener('submit', (event) => {
    if (event.target !== composer()) return
    event.preventDefault()
    submit()
  })
  document.addEventListener('click', (event) => {
    const target = event.target
    if (!(target instanceof Element)) return
    const wanted = target.closest<HTMLElement>('[data-mode]')?.dataset.mode
    if (wanted && target.closest('#composer')) setMode(wanted)
    if (target.closest('#chat-resolve')) resolve(false)
    if (target.closest('[data-palette-open]')) {
      const text = field()
      if (text && !text.disabled) {
        text.value = '/'
        text.focus()
        void search('')
      }
    }
    const option = target.closest<HTMLElement>('[data-option]')
    if (option) choose(option)
    const pending = target.closest<HTMLElement>('[data-pending-message]')?.dataset.pendingMessage
    if (pending && target.closest('[data-edit]')) edit(pending)
    else if (pending && target.closest('[data-discard]')) {
      keep(
        openID(),
        outbox(openID()).filter((one) => one.id !== pending),
      )
      showOutbox()
    } else if (pending && target.closest('[data-retry]')) {
      keep(
        openID(),
        outbox(openID()).map((one) => (one.id === pending ? { ...one, refused: undefined } : one)),
      )
      lost = false
      showOutbox()
      void flush()
    }
  })
  document.addEventListener('htmx:afterSettle', (event) => {
    if (event.target instanceof HTMLElement && event.target.id === 'detail') opened()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    void catchUp()
    void relist()
  })
  setInterval(() => {
    void catchUp()
    void relist()
  }, POLL_MS)
  onLive({ hello, news, beat: present, lost: () => live(false) })
  opened()
}
