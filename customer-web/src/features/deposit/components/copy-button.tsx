import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TOAST_MS } from '@/constants'
import { Icon } from '@/ui/icons/icon'
import { toast } from '@/ui/toast/toast-store'
import styles from './copy-row.module.css'

export type CopyButtonProps = {
  text: string
  /** What is copied, for the ear. */
  what: string
  /** A word beside the icon. */
  label?: string
}

/** Copies a text and says for a moment that it did. */
export function CopyButton({ text, what, label }: CopyButtonProps) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      toast.error(t('deposit.copy_failed'))
      return
    }
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), TOAST_MS)
  }

  return (
    <>
      <button
        type="button"
        className={label ? styles.labelled : styles.button}
        aria-label={label ? undefined : t('deposit.copy', { what })}
        onClick={() => void copy()}
      >
        <Icon
          name={copied ? 'check' : 'copy'}
          size={20}
          className={copied ? styles.done : undefined}
        />
        {label && (copied ? t('deposit.copied') : label)}
      </button>
      <span className="visually-hidden" role="status">
        {copied ? `${t('deposit.copied')}: ${what}` : ''}
      </span>
    </>
  )
}
