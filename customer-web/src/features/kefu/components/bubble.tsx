import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import styles from './chat.module.css'

export type BubbleProps = {
  /** Written here, or by somebody else, who is then named. */
  by: 'self' | { name: string }
  /** Whether the name is drawn: it is read aloud in any case. */
  named?: boolean
  children: ReactNode
  /** When, and how far it has come. */
  foot: ReactNode
}

/** One message: one's own stand at the end of the line, all others at its start. */
export function Bubble({ by, named = false, children, foot }: BubbleProps) {
  const { t } = useTranslation()
  const own = by === 'self'
  return (
    <article className={cx(styles.bubble, own && styles.own)}>
      <span className={cx(styles.name, (own || !named) && 'visually-hidden')}>
        {own ? t('kefu.you') : by.name}
      </span>
      {children}
      <span className={styles.bubbleFoot}>{foot}</span>
    </article>
  )
}
