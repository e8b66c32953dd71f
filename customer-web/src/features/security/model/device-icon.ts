import type { IconName } from '@/ui/icons/icon-shapes'

/** A device's icon by the system in its name: a phone, else a computer. */
export function deviceIcon(name: string): IconName {
  return /, (iOS|Android)/.test(name) ? 'device' : 'system'
}
