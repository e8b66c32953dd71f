// Sound and notification of a new message: each agent's own switches, off until they turn them on, kept in their browser, where
// the permission of the browser is too. A page that is looked at makes neither.
interface Alerts {
  notify: boolean
  sound: boolean
  volume: number // 1 to 10
}

const KEY = 'desk-alerts'
const TOLD = 'desk-alerted'
const QUIET: Alerts = { notify: false, sound: false, volume: 4 }

function alerts(): Alerts {
  try {
    return { ...QUIET, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Alerts>) }
  } catch {
    return QUIET
  }
}
function keep(changed: Partial<Alerts>): void {
  localStorage.setItem(KEY, JSON.stringify({ ...alerts(), ...changed }))
}

let context: AudioContext | undefined

/** Two short tones, made by the browser. */
function tone(volume: number): void {
  context ??= new AudioContext()
  void context.resume()
  for (const [at, pitch] of [
    [0, 660],
    [0.16, 880],
  ] as const) {
    const start = context.currentTime + at
    const source = context.createOscillator()
    const level = context.createGain()
    source.frequency.value = pitch
    level.gain.setValueAtTime(0, start)
    level.gain.linearRampToValueAtTime(volume / 20, start + 0.02)
    level.gain.exponentialRampToValueAtTime(0.0001, start + 0.15)
    source.connect(level).connect(context.destination)
    source.start(start)
    source.stop(start + 0.16)
  }
}

/** Takes the word once for all pages of the browser; false if another page has it. */
function first(id: string, last: string): boolean {
  const mark = `${id}:${last}`
  if (localStorage.getItem(TOLD) === mark) return false
  localStorage.setItem(TOLD, mark)
  return true
}

/** Tells of a new message in a conversation, if nobody looks at the page and the agent wants it. */
export function alertAbout(id: string, last: string, words: string): void {
  const { notify, sound, volume } = alerts()
  if (document.hasFocus() && !document.hidden) return
  if ((!notify && !sound) || !first(id, last)) return
  if (sound) tone(volume)
  if (!notify || !('Notification' in window) || Notification.permission !== 'granted') return
  const line = words.replace(/\s+/g, ' ').trim()
  const shown = new Notification(document.title.replace(/^\(\d+\) /, ''), {
    body: line,
    tag: `chat-${id}`,
  })
  shown.addEventListener('click', () => {
    window.focus()
    location.assign(`/admin/chat/${id}`)
  })
}

/** Shows the switches as they are kept. */
function fill(box: Element): void {
  const now = alerts()
  const granted = 'Notification' in window && Notification.permission === 'granted'
  for (const [name, on] of [
    ['notify', now.notify && granted],
    ['sound', now.sound],
  ] as const) {
    const input = box.querySelector<HTMLInputElement>(`[name=${name}]`)
    if (input) input.checked = on
  }
  const volume = box.querySelector<HTMLInputElement>('[name=volume]')
  if (volume) volume.value = String(now.volume)
}

async function changed(input: HTMLInputElement, box: Element): Promise<void> {
  if (input.name === 'sound') keep({ sound: input.checked })
  if (input.name === 'volume') keep({ volume: Number(input.value) })
  if (input.name !== 'notify') return
  // A browser asks only after a press.
  const answer =
    input.checked && 'Notification' in window ? await Notification.requestPermission() : 'denied'
  const refused = input.checked && answer !== 'granted'
  keep({ notify: input.checked && !refused })
  if (refused) input.checked = false
  box.querySelector('[data-alert-denied]')?.toggleAttribute('hidden', !refused)
}

export function startAlerts(): void {
  document.addEventListener('htmx:afterSettle', () => {
    const box = document.querySelector('[data-alerts]:not([data-filled])')
    if (!box) return
    box.setAttribute('data-filled', '')
    fill(box)
  })
  document.addEventListener('change', ({ target }) => {
    const box = target instanceof HTMLInputElement ? target.closest('[data-alerts]') : null
    if (box) void changed(target as HTMLInputElement, box)
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#alert-try')) tone(alerts().volume)
  })
}
