import ButtonBase from '@mui/material/ButtonBase'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TOAST_MS } from '@/constants'
import styles from './copy-row.module.css'
import { cx } from './cx'
import { Icon } from './icons/icon'
import { toast } from './toast/toast-store'

export type CopyButtonProps = {
  text: string
  /** What is copied, for screen readers. */
  what: string
  /** Text beside the icon. */
  label?: string
  /** It is the main button of the view. */
  primary?: boolean
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ text, what, label, primary = false }: CopyButtonProps) {
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
      <ButtonBase
        className={cx(label ? styles.labelled : styles.button, primary && styles.primary)}
        aria-label={label ? undefined : t('deposit.copy', { what })}
        onClick={() => void copy()}
      >
        <Icon
          name={copied ? 'check' : 'copy'}
          size={20}
          className={copied && !primary ? styles.done : undefined}
        />
        {label && (copied ? t('deposit.copied') : label)}
      </ButtonBase>
      <span className="visually-hidden" role="status">
        {copied ? `${t('deposit.copied')}: ${what}` : ''}
      </span>
    </>
  )
}
