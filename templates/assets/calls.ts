// What an agent hears of their conversations on every page: how many customers wait for them, in
// the title, and a line with a way there when one is given to them, or a customer writes.
import { alertAbout } from './alerts'
import { addresses, onLive } from './live'

const TOLD = 'desk-told'

/** The newest word that the agent was told of, by conversation; null before the first look of the tab. */
function told(): Record<string, string> | null {
  try {
    return JSON.parse(sessionStorage.getItem(TOLD) ?? 'null') as Record<string, string> | null
  } catch {
    return null
  }
}

function entitle(waiting: number): void {
  const title = document.title.replace(/^\(\d+\) /, '')
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title
}

/** Shows what is new; the page of the chat shows it by itself. */
function show(calls: HTMLTemplateElement[]): void {
  const before = told()
  const now: Record<string, string> = {}
  for (const call of calls) {
    const { call: id = '', last = '' } = call.dataset
    now[id] = last
    const isNew = before !== null && before[id] !== last && call.content.childElementCount > 0
    if (isNew) alertAbout(id, last, call.content.textContent ?? '')
    if (!isNew || document.querySelector('[data-chat]')) continue
    const line = document.importNode(call.content, true)
    document.getElementById('flash')?.append(line)
  }
  sessionStorage.setItem(TOLD, JSON.stringify(now))
  document.dispatchEvent(new CustomEvent('desk:told'))
}

/** Tells of what is new on a page that nobody looks at; the line itself shows when it is looked at again. */
function tellHidden(said: Document): void {
  const before = told()
  if (before === null) return
  for (const call of said.querySelectorAll<HTMLTemplateElement>('template[data-call]')) {
    const { call: id = '', last = '' } = call.dataset
    if (before[id] !== last && call.content.childElementCount > 0)
      alertAbout(id, last, call.content.textContent ?? '')
  }
}

let looking = false
let again = false

/** Asks what waits for the agent. A page that is out of sight tells its title, and the rest once it is seen. */
async function look(): Promise<void> {
  const path = addresses().mine
  if (!path) return
  if (looking) {
    again = true
    return
  }
  looking = true
  again = false
  try {
    const answer = await fetch(path, {
      headers: { 'HX-Request': 'true' },
      signal: AbortSignal.timeout(20_000),
    })
    if (answer.ok) {
      const said = new DOMParser().parseFromString(await answer.text(), 'text/html')
      entitle(Number(said.querySelector<HTMLElement>('[data-waiting]')?.dataset.waiting))
      if (document.hidden) tellHidden(said)
      else show([...said.querySelectorAll<HTMLTemplateElement>('template[data-call]')])
    }
  } catch {
    // The stream says when the server is there again.
  } finally {
    looking = false
  }
  if (again) void look()
}

/** Says that the agent is there; the page of the chat does so by itself. */
function present(): void {
  const path = addresses().presence
  if (!path || document.querySelector('[data-chat]')) return
  fetch(path, {
    method: 'POST',
    headers: { 'HX-Request': 'true' },
    body: new URLSearchParams(),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined)
}

export function startCalls(): void {
  onLive({
    hello: () => {
      void look()
      present()
    },
    mine: () => void look(),
    beat: present,
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void look()
  })
}
