import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '@/api/request-headers'
import { SecuritySheet } from '@/features/security/components/security-sheet'
import { formatFileSize } from '@/format/file-size'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Note } from '@/ui/note'
import { saveFile } from '@/ui/save-file'
import { TimeText } from '@/ui/time-text'
import { toast } from '@/ui/toast/toast-store'
import {
  type DataExport,
  downloadExport,
  type PersonalInfo,
  requestExport,
  usePersonalChange,
} from '../api/personal'
import styles from './personal.module.css'

/** A copy of everything that is kept about the trader: asked for, made, downloaded after a proof. */
export function DataExportCard({ info }: { info: PersonalInfo }) {
  const { t } = useTranslation()
  const [downloading, setDownloading] = useState(false)
  const request = usePersonalChange<void>(requestExport)
  const copy = info.dataExport
  const mayRequest = !copy || (copy.state !== 'requested' && copy.nextAt <= serverNow())
  return (
    <section className={styles.card} aria-labelledby="data-export">
      <h2 id="data-export" className={styles.title}>
        {t('export_data.title')}
      </h2>
      <p className={styles.text}>{t('export_data.about')}</p>
      {copy && <CopyState copy={copy} />}
      <div className={styles.actions}>
        {copy?.state === 'ready' && (
          <Button variant="primary" onClick={() => setDownloading(true)}>
            {t('export_data.download')}
          </Button>
        )}
        {mayRequest && (
          <Button busy={request.isPending} onClick={() => request.mutate()}>
            {copy ? t('export_data.again') : t('export_data.request')}
          </Button>
        )}
      </div>
      {request.error && <FailureNote error={request.error} />}
      {downloading && (
        <SecuritySheet
          act="read_export"
          title={t('export_data.download')}
          text={t('export_data.proof')}
          confirmLabel={t('export_data.download')}
          run={async (proof) => {
            saveFile(await downloadExport(proof), `candor-${info.userId}.zip`)
            setDownloading(false)
            toast.success(t('export_data.done'))
          }}
          onClose={() => setDownloading(false)}
        />
      )}
    </section>
  )
}

function CopyState({ copy }: { copy: DataExport }) {
  const { t } = useTranslation()
  switch (copy.state) {
    case 'requested':
      return <Note>{t('export_data.requested')}</Note>
    case 'ready':
      return (
        <Note tone="success">
          {t('export_data.ready', { size: formatFileSize(copy.size ?? 0) })}{' '}
          {copy.expiresAt !== undefined && (
            <>
              {t('export_data.until')} <TimeText at={copy.expiresAt} />
            </>
          )}
        </Note>
      )
    case 'failed':
      return <Note tone="error">{t('export_data.failed')}</Note>
    case 'expired':
      return <Note>{t('export_data.expired')}</Note>
  }
}
