// The proof viewer: zoom 25 to 800%, rotate by quarters, pan, brightness, contrast, reset; by buttons, keys, wheel, drag.

/** How an image is looked at; x and y are parts of its own width and height, so that they mean the same in a larger window. */
export interface View {
  zoom: number
  turn: number
  x: number
  y: number
  light: number
  contrast: number
}

const START: View = { zoom: 1, turn: 0, x: 0, y: 0, light: 1, contrast: 1 }
const SMALLEST = 0.25
const LARGEST = 8
const PAN = 0.08
/** What a press of brightness or contrast goes through, round and round. */
const STRENGTHS = [1, 1.4, 1.8, 0.7]

function stronger(value: number): number {
  return STRENGTHS[(STRENGTHS.indexOf(value) + 1) % STRENGTHS.length] ?? 1
}

const views = new WeakMap<HTMLElement, View>()

const acts: Record<string, (view: View) => View> = {
  in: (view) => ({ ...view, zoom: Math.min(LARGEST, view.zoom * 1.25) }),
  out: (view) => ({ ...view, zoom: Math.max(SMALLEST, view.zoom / 1.25) }),
  left: (view) => ({ ...view, turn: view.turn - 90 }),
  right: (view) => ({ ...view, turn: view.turn + 90 }),
  light: (view) => ({ ...view, light: stronger(view.light) }),
  contrast: (view) => ({ ...view, contrast: stronger(view.contrast) }),
  reset: () => START,
  up: (view) => ({ ...view, y: view.y + PAN }),
  down: (view) => ({ ...view, y: view.y - PAN }),
  west: (view) => ({ ...view, x: view.x + PAN }),
  east: (view) => ({ ...view, x: view.x - PAN }),
}

const keys: Record<string, string> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '[': 'left',
  ']': 'right',
  '0': 'reset',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'west',
  ArrowRight: 'east',
}

export function viewOf(frame: HTMLElement): View {
  return views.get(frame) ?? START
}

export function show(frame: HTMLElement, view: View): void {
  views.set(frame, view)
  const image = frame.querySelector<HTMLElement>('[data-image]')
  if (image) {
    image.style.filter = `brightness(${view.light}) contrast(${view.contrast})`
    image.style.transform = `translate(${view.x * 100}%, ${view.y * 100}%) scale(${view.zoom}) rotate(${view.turn}deg)`
  }
  const zoom = frame.querySelector('[data-zoom]')
  if (zoom) zoom.textContent = `${Math.round(view.zoom * 100)}%`
  frame.dispatchEvent(new CustomEvent('desk:viewed', { bubbles: true }))
}

function act(frame: HTMLElement, name: string | undefined): boolean {
  const change = name ? acts[name] : undefined
  if (!change) return false
  show(frame, change(viewOf(frame)))
  return true
}

function frameOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-viewer]') : null
}

export function startViewers(): void {
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act]') : null
    const frame = frameOf(button)
    if (frame) act(frame, button?.dataset.act)
  })
  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const target = event.target instanceof HTMLElement ? event.target : null
    if (target?.closest('input, textarea, select')) return
    const name = keys[event.key]
    // Arrows only move the image that has the focus; the other keys also the one that is worked on, or the only one.
    const all = document.querySelectorAll<HTMLElement>('[data-viewer]')
    const current = document.querySelector<HTMLElement>('[data-current] [data-viewer]')
    const only = all.length === 1 ? (all[0] ?? null) : null
    const frame = frameOf(target) ?? (event.key.startsWith('Arrow') ? null : (current ?? only))
    if (!frame || !name || (document.querySelector('dialog[open]') && !frame.closest('dialog')))
      return
    if (act(frame, name)) event.preventDefault()
  })
  document.addEventListener(
    'wheel',
    (event) => {
      const stage = event.target instanceof Element ? event.target.closest('[data-stage]') : null
      const frame = frameOf(stage)
      if (!frame || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      act(frame, event.deltaY < 0 ? 'in' : 'out')
    },
    { passive: false },
  )
  document.addEventListener('pointerdown', (event) => {
    const stage =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-stage]') : null
    const frame = frameOf(stage)
    const image = frame?.querySelector<HTMLElement>('[data-image]')
    if (!stage || !frame || !image?.offsetWidth || event.button !== 0) return
    const from = viewOf(frame)
    const { clientX, clientY } = event
    stage.setPointerCapture(event.pointerId)
    stage.classList.add('is-dragging')
    const move = (moved: PointerEvent) =>
      show(frame, {
        ...from,
        x: from.x + (moved.clientX - clientX) / image.offsetWidth,
        y: from.y + (moved.clientY - clientY) / image.offsetHeight,
      })
    const end = () => {
      stage.classList.remove('is-dragging')
      stage.removeEventListener('pointermove', move)
    }
    stage.addEventListener('pointermove', move)
    stage.addEventListener('pointerup', end, { once: true })
    stage.addEventListener('pointercancel', end, { once: true })
  })
}
