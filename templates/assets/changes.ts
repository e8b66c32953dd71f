// What other people do, in the pages that show it: counts, health, rows of a list and the open case.
// The stream names what changed; the page asks for it, and nothing moves that is being read: a row
// that is not on the page waits behind a button.
import htmx from 'htmx.org'

import { addresses, onLive } from './live'

const GATHER_MS = 300
const LATE_MS = 5_000
/** A connection that says nothing for this long is dead: the server sends an event every ten seconds. */
const SILENT_MS = 25_000

const changed = new Set<string>()
let gathering: ReturnType<typeof setTimeout> | undefined
let late: ReturnType<typeof setTimeout> | undefined
let lastEvent = new Date()

/**
 * Asks for something that answers out of band. Each request has an element of its own: none waits
 * for another, and nothing that is pressed meanwhile is inside an element that waits.
 */
async function ask(path: string): Promise<void> {
  const source = document.createElement('span')
  document.getElementById('live')?.append(source)
  // What can't be had now is asked for again with the next event, and a dead stream says so itself.
  await htmx.ajax('get', path, { source, target: source, swap: 'none' }).catch(() => undefined)
  source.remove()
}

function refreshFrame(): void {
  const path = addresses().refresh
  if (path) void ask(path)
}

/** Shows what changed in the list on the page: rows that it has, else the button. */
function refreshList(targets: string[]): void {
  const button = document.querySelector<HTMLElement>('[data-changed]')
  if (!button) return
  for (const target of targets) {
    const [kind, id] = target.split(':')
    if (kind !== button.dataset.changed) continue
    if (document.getElementById(`${button.dataset.keyPrefix}${id}`)?.matches('article'))
      void ask(`${button.dataset.path}/${id}/row`)
    else button.hidden = false
  }
}

/** Asks again for the parts of the page that show things of a kind that changed; "*" is every kind. */
function refreshParts(targets: string[]): void {
  const shows = (kind?: string) =>
    kind === '*' || targets.some((target) => target.split(':')[0] === kind)
  for (const part of document.querySelectorAll<HTMLElement>('[data-again-on]'))
    if (shows(part.dataset.againOn) && part.dataset.again) void ask(part.dataset.again)
}

function flush(): void {
  gathering = undefined
  // A hidden page asks once it is looked at.
  if (document.hidden) return
  const targets = [...changed]
  changed.clear()
  refreshFrame()
  refreshList(targets)
  refreshParts(targets)
}

function gather(targets: string[]): void {
  for (const target of targets) changed.add(target)
  if (gathering === undefined) gathering = setTimeout(flush, GATHER_MS)
}

/** Shows since when no event has come, or hides that. */
function showLate(is: boolean): void {
  document.body.classList.toggle('late', is)
  const line = document.getElementById('as-of')
  if (!line) return
  const time = lastEvent.toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  })
  line.hidden = !is
  line.textContent = (document.getElementById('words')?.dataset.asOf ?? '').replace(
    '{{time}}',
    time,
  )
}

/** Marks the page as late unless an event comes within a time. */
function wait(ms: number): void {
  clearTimeout(late)
  late = setTimeout(() => showLate(true), ms)
}

function received(): void {
  lastEvent = new Date()
  wait(SILENT_MS)
  if (document.body.classList.contains('late')) showLate(false)
}

/**
 * The stream is back. A page that was late may have missed anything; a short gap is the server's
 * way to move pages, and costs one look at the open case.
 */
function catchUp(missed: boolean): void {
  const open = document.querySelector('article.q.sel')?.id
  const button = document.querySelector<HTMLElement>('[data-changed]')
  if (button && missed) button.hidden = false
  const { changed: kind, keyPrefix = '' } = button?.dataset ?? {}
  gather(kind && open?.startsWith(keyPrefix) ? [`${kind}:${open.slice(keyPrefix.length)}`] : [])
}

export function startChanges(): void {
  let before = false
  let away = false
  onLive({
    hello: () => {
      const missed = document.body.classList.contains('late')
      received()
      if (before && away) catchUp(missed)
      before = true
      away = false
    },
    changed: (targets) => {
      received()
      gather(targets)
    },
    news: () => {
      received()
      if (document.querySelector('[data-again-on="*"]')) gather([])
    },
    health: () => {
      received()
      gather([])
    },
    beat: received,
    lost: () => {
      if (!away) wait(LATE_MS)
      away = true
    },
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && before) gather([])
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-changed]')) location.reload()
  })
}
