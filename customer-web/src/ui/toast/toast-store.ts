import { create } from 'zustand'
import { TOAST_MS } from '@/constants'

export type Toast = {
  id: number
  kind: 'success' | 'error'
  /** One sentence, already translated. */
  text: string
  /** One link at most, for example to the receipt of a fill. */
  action?: { label: string; onPress: () => void }
}

type ToastExtras = Pick<Toast, 'action'>

const MAX_SHOWN = 3

export const useToasts = create<{ shown: Toast[] }>(() => ({ shown: [] }))

let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Short messages over the page, from anywhere: a success disappears by itself, an error stays until closed. */
export const toast = {
  success(text: string, extras: ToastExtras = {}): number {
    return add({ kind: 'success', text, ...extras })
  },

  error(text: string, extras: ToastExtras = {}): number {
    return add({ kind: 'error', text, ...extras })
  },

  close(id: number): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
    useToasts.setState(({ shown }) => ({ shown: shown.filter((one) => one.id !== id) }))
  },
}

/** Pauses all timers while a pointer or the focus is on a toast, and restarts them afterwards. */
export function pauseToasts(hold: boolean): void {
  for (const { id, kind } of useToasts.getState().shown) {
    if (kind !== 'success') continue
    clearTimeout(timers.get(id))
    if (!hold) startTimer(id)
  }
}

function add(made: Omit<Toast, 'id'>): number {
  const { shown } = useToasts.getState()
  const same = shown.find((one) => one.kind === made.kind && one.text === made.text)
  if (same) toast.close(same.id)
  lastId += 1
  const id = lastId
  useToasts.setState((state) => ({ shown: [...state.shown, { ...made, id }].slice(-MAX_SHOWN) }))
  if (made.kind === 'success') startTimer(id)
  return id
}

function startTimer(id: number): void {
  timers.set(
    id,
    setTimeout(() => toast.close(id), TOAST_MS),
  )
}
