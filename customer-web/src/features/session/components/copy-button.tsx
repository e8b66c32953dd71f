import { useTranslation } from 'react-i18next'
import { IconButton } from '@/ui/icon-button'
import { toast } from '@/ui/toast/toast-store'

export type CopyButtonProps = {
  text: string
  /** Says what is copied. */
  label: string
}

/** Puts a text on the clipboard and says so. */
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
