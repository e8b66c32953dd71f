import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TableFile } from '@/api/call-file'
import { reasonOf } from '@/api/reason'
import { formatAmount } from '@/format/amount'
import { saveFile } from '@/ui/save-file'
import { toast } from '@/ui/toast/toast-store'

/** Saves a list as a CSV file, named without its extension, and says so if the file was truncated. */
export function useExport(name: string, fetchFile: () => Promise<TableFile>) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: fetchFile,
    onSuccess: ({ file, cutAt }) => {
      saveFile(file, `${name}.csv`)
      if (cutAt !== null) toast.error(t('export.cut', { rows: formatAmount(String(cutAt)) }))
    },
    onError: (error) => toast.error(reasonOf(error).reason),
  })
}
