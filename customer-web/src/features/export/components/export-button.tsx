import { useTranslation } from 'react-i18next'
import type { TableFile } from '@/api/call-file'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { useExport } from '../model/use-export'

export type ExportButtonProps = {
  /** The file name without extension. */
  name: string
  fetchFile: () => Promise<TableFile>
}

/** Downloads a list as a CSV file. */
export function ExportButton({ name, fetchFile }: ExportButtonProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useExport(name, fetchFile)
  return (
    <Button variant="text" size="small" busy={isPending} onClick={() => mutate()}>
      {!isPending && <Icon name="download" />}
      {t('export.csv')}
    </Button>
  )
}
