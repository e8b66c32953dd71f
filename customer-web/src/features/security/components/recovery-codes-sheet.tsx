import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBeforeUnload, useBlocker } from 'react-router'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy-button'
import { CheckField } from '@/ui/form/check-field'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { saveFile } from '@/ui/save-file'
import { Sheet } from '@/ui/sheet/sheet'
import styles from './security.module.css'

export type RecoveryCodesSheetProps = {
  codes: readonly string[]
  onDone: () => void
}

/** Shows new recovery codes, once: neither it nor the page is left before the trader says that they are kept. */
export function RecoveryCodesSheet({ codes, onDone }: RecoveryCodesSheetProps) {
  const { t } = useTranslation()
  const [kept, setKept] = useState(false)
  const left = useBlocker(true)
  useEffect(() => {
    if (left.state === 'blocked') left.reset()
  }, [left])
  useBeforeUnload((event) => event.preventDefault())
  const text = codes.join('\n')
  const save = () =>
    saveFile(
      new Blob([`${t('factor.recovery.file')}\n\n${text}\n`], { type: 'text/plain' }),
      'candor-recovery-codes.txt',
    )
  return (
    <Sheet
      open
      locked
      title={t('factor.recovery.title')}
      onClose={onDone}
      footer={
        <Button variant="primary" size="large" block disabled={!kept} onClick={onDone}>
          {t('factor.recovery.done')}
        </Button>
      }
    >
      <div className={styles.sheet}>
        <p>{t('factor.recovery.text')}</p>
        <ul className={styles.codes} dir="ltr">
          {codes.map((code) => (
            <li key={code} className="n">
              {code}
            </li>
          ))}
        </ul>
        <div className={styles.actions}>
          <CopyButton
            text={text}
            what={t('factor.recovery.title')}
            label={t('factor.recovery.copy')}
          />
          <Button onClick={save}>
            <Icon name="download" /> {t('factor.recovery.save')}
          </Button>
        </div>
        <Note tone="warning">{t('factor.recovery.once')}</Note>
        <CheckField checked={kept} onChange={setKept}>
          {t('factor.recovery.kept')}
        </CheckField>
      </div>
    </Sheet>
  )
}
