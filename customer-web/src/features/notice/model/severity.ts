import type { Wire } from '@/api/client'

/** The severity of a notice as a colour. */
export const SEVERITY_TONES = {
  info: 'neutral',
  warning: 'warning',
  danger: 'error',
} as const satisfies Record<Wire['SiteMail']['severity'], string>
