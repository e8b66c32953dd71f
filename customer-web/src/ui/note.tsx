import Alert from '@mui/material/Alert'
import type { ReactNode } from 'react'
import { Icon } from './icons/icon'

export type NoteProps = {
  tone?: 'neutral' | 'warning' | 'success' | 'error'
  children: ReactNode
}

const icons = { neutral: 'info', warning: 'warn', success: 'check', error: 'warn' } as const

/** A sentence that must be read before continuing, next to its subject. */
export function Note({ tone = 'neutral', children }: NoteProps) {
  return (
    <Alert
      severity={tone === 'neutral' ? 'info' : tone}
      role={tone === 'error' ? 'alert' : 'note'}
      className={tone === 'neutral' ? 'neutral' : ''}
      icon={<Icon name={icons[tone]} />}
    >
      {children}
    </Alert>
  )
}
