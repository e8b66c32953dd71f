import type { Wire } from '@/api/client'

/** How grave a notice is, as the colour of its category. */
export const SEVERITY_TONES = {
  info: 'neutral',
  warning: 'warning',
  danger: 'error',
} as const satisfies Record<Wire['SiteMail']['severity'], string>
