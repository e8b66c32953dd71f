import { useTranslation } from 'react-i18next'
import { IconButton } from '@/ui/icon-button'
import { toast } from '@/ui/toast/toast-store'

export type CopyButtonProps = {
  text: string
  /** The accessible name: what is copied. */
  label: string
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(t('session.copied'))
    } catch {
      toast.error(t('session.copy_failed'))
    }
  }
  return <IconButton icon="copy" label={label} onClick={() => void copy()} />
}
