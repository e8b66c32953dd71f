// A case's pictures in a second window. Both windows speak on a channel named after the case: which picture is in front, and how each
// is looked at. The second one fetches a picture when it comes to the front, shows none longer than its right to, and none when the
// case is left in the first.
import { pictures, review, showPicture } from './review'
import { show, type View, viewOf } from './viewer'

const NAME = 'candor-identity'
const SIZE = 'popup,width=1280,height=900'
/** In the storage of the first window's tab: the case that the second window was seen with. */
const SEEN = 'identity-window'
/** How long the second window waits for the first one to say what is in front. */
const PATIENCE_MS = 600

interface State {
  front: string
  views: Record<string, View>
}

type FromCase =
  | { by: 'case'; says: 'state'; state: State }
  | { by: 'case'; says: 'closed' }
  | { by: 'case'; says: 'next'; id: string; done: string | null }
type FromWindow = { by: 'window'; says: 'open' } | { by: 'window'; says: 'state'; state: State }
type Message = FromCase | FromWindow

function channel(id: string): BroadcastChannel {
  return new BroadcastChannel(`${NAME}-${id}`)
}

function frameOf(picture: HTMLElement): HTMLElement | null {
  return picture.querySelector<HTMLElement>('[data-viewer]')
}

function front(root: HTMLElement): HTMLElement | undefined {
  return pictures(root).find((one) => 'current' in one.dataset)
}

function stateOf(root: HTMLElement): State {
  const views: Record<string, View> = {}
  for (const picture of pictures(root)) {
    const frame = frameOf(picture)
    if (frame) views[picture.dataset.picture ?? ''] = viewOf(frame)
  }
  return { front: front(root)?.dataset.picture ?? '', views }
}

/** Tells what a person does here, and does what the other window tells without telling it back. */
function follow(root: HTMLElement, tell: () => void): (state: State) => void {
  let applying = false
  for (const name of ['desk:viewed', 'desk:front'])
    document.addEventListener(name, () => {
      if (!applying) tell()
    })
  return (state) => {
    applying = true
    for (const picture of pictures(root)) {
      const frame = frameOf(picture)
      const view = state.views[picture.dataset.picture ?? '']
      if (frame && view) show(frame, view)
    }
    const wanted = pictures(root).find((one) => one.dataset.picture === state.front)
    if (wanted && wanted !== front(root)) showPicture(root, wanted)
    applying = false
  }
}

function startFirst(): void {
  const root = review()
  const id = root?.dataset.case ?? ''
  const seen = sessionStorage.getItem(SEEN)
  const done = new URLSearchParams(location.search).get('done')
  if (seen) {
    const word: FromCase = id
      ? { by: 'case', says: 'next', id, done }
      : { by: 'case', says: 'closed' }
    const before = channel(seen)
    before.postMessage(word)
    // A window that was just loading has not heard it.
    if (seen !== id)
      before.addEventListener('message', (event: MessageEvent<Message>) => {
        if (event.data.by === 'window' && event.data.says === 'open') before.postMessage(word)
      })
  }
  if (!root || !id) return
  const line = channel(id)
  const say = (message: FromCase) => line.postMessage(message)
  const tell = () => {
    if (pictures(root).length > 0) say({ by: 'case', says: 'state', state: stateOf(root) })
  }
  const apply = follow(root, tell)
  line.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.by !== 'window') return
    if (data.says === 'state') apply(data.state)
    if (data.says === 'open') {
      sessionStorage.setItem(SEEN, id)
      tell()
    }
  })
  addEventListener('pagehide', () => say({ by: 'case', says: 'closed' }))
  addEventListener('pageshow', (event) => {
    if (event.persisted) tell()
  })
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-second]') : null
    if (!button) return
    const opened = window.open(button.dataset.second, NAME, SIZE)
    const blocked = root.querySelector<HTMLElement>('[data-blocked]')
    if (blocked) blocked.hidden = opened !== null
    opened?.focus()
  })
}

type Cover = 'over' | 'closed' | 'failed'

function startWindow(root: HTMLElement): void {
  const id = root.dataset.window ?? ''
  const seconds = Number(root.dataset.seconds)
  const until = performance.timeOrigin + seconds * 1_000
  const cover = root.querySelector<HTMLElement>('.kyc-cover')
  const again = root.querySelector<HTMLElement>('[data-again]')
  const line = channel(id)
  const say = (message: FromWindow) => line.postMessage(message)
  let covered: Cover | 'hidden' | null = pictures(root).length > 0 ? null : 'hidden'
  let ready = false

  // What was done before is told once.
  history.replaceState(null, '', location.pathname)

  const hide = (why: Cover) => {
    if (covered === why || covered === 'hidden') return
    covered = why
    const within = root.contains(document.activeElement)
    for (const image of root.querySelectorAll('[data-look]')) {
      image.removeAttribute('src')
      image.removeAttribute('data-look')
    }
    root.dataset.covered = ''
    const words = cover?.dataset[why] ?? ''
    const told = root.querySelector('[data-told]')
    const shown = cover?.querySelector('[data-words]')
    if (told) told.textContent = words
    if (shown) shown.textContent = words
    if (again) again.hidden = why === 'closed'
    if (within) again?.focus()
  }

  /** Fetches the picture in front, with a right that has most of its time to go. */
  const look = () => {
    if (covered || !ready) return
    const image = front(root)?.querySelector<HTMLImageElement>('[data-look]')
    if (!image || image.hasAttribute('src')) return
    const left = until - Date.now()
    if (left < (seconds * 1_000) / 2) location.reload()
    else image.src = image.dataset.look ?? ''
  }

  const apply = follow(root, () => {
    say({ by: 'window', says: 'state', state: stateOf(root) })
    look()
  })
  const begin = () => {
    if (ready) return
    ready = true
    look()
  }

  line.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.by !== 'case') return
    if (data.says === 'closed') hide('closed')
    if (data.says === 'next') {
      hide('closed')
      const query = data.done ? `?done=${encodeURIComponent(data.done)}` : ''
      location.replace(`/admin/identity/${encodeURIComponent(data.id)}/window${query}`)
    }
    if (data.says === 'state') {
      // Whoever works on the picture in the first window looks at it.
      if (covered === 'over' || covered === 'closed') location.reload()
      apply(data.state)
      begin()
      look()
    }
  })
  root.addEventListener('error', () => hide('failed'), true)
  again?.addEventListener('click', () => location.reload())
  const check = () => {
    if (seconds > 0 && Date.now() >= until) hide('over')
  }
  setInterval(check, 500)
  document.addEventListener('visibilitychange', check)
  addEventListener('pageshow', check)
  say({ by: 'window', says: 'open' })
  setTimeout(begin, PATIENCE_MS)
  front(root)?.querySelector<HTMLElement>('[data-stage]')?.focus()
}

export function startSecond(): void {
  const root = review()
  if (root?.dataset.window) startWindow(root)
  else startFirst()
}
