import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TableFile } from '@/api/call-file'
import { reasonOf } from '@/api/reason'
import { formatAmount } from '@/format/amount'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { saveFile } from '@/ui/save-file'
import { toast } from '@/ui/toast/toast-store'

export type ExportButtonProps = {
  /** The file name without extension. */
  name: string
  fetchFile: () => Promise<TableFile>
}

/** Downloads a list as a CSV file, and says so if the file was truncated. */
export function ExportButton({ name, fetchFile }: ExportButtonProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: fetchFile,
    onSuccess: ({ file, cutAt }) => {
      saveFile(file, `${name}.csv`)
      if (cutAt !== null) toast.error(t('export.cut', { rows: formatAmount(String(cutAt)) }))
    },
    onError: (error) => toast.error(reasonOf(error).reason),
  })
  return (
    <Button variant="text" size="small" busy={isPending} onClick={() => mutate()}>
      {!isPending && <Icon name="download" />}
      {t('export.csv')}
    </Button>
  )
}
