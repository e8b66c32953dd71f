import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReceiptHead } from '@/features/receipt/components/receipt-head'
import { VerdictNote } from '@/features/receipt/components/verdict-note'
import type { AnyReceipt } from '@/features/receipt/model/evidence'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { useFileVerdict } from '../api/receipt-file'
import { MAX_FILE, readReceipt } from '../model/read-receipt'
import styles from './proof.module.css'

/** Checks a receipt file in this browser with the code of the receipt sheet; the file is not uploaded. */
export function FileSection() {
  const { t } = useTranslation()
  const files = useRef<HTMLInputElement>(null)
  const [receipt, setReceipt] = useState<AnyReceipt | null>(null)
  const [refused, setRefused] = useState(false)
  const verdict = useFileVerdict(receipt)

  const choose = async (file: File | undefined) => {
    if (!file) return
    const read = file.size > MAX_FILE ? null : readReceipt(await file.text())
    setReceipt(read)
    setRefused(read === null)
  }

  return (
    <section className={styles.block}>
      <h2>{t('proof.file.title')}</h2>
      <p className={styles.text}>{t('proof.file.text')}</p>
      <input
        ref={files}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={t('proof.file.choose')}
        onChange={(event) => {
          void choose(event.target.files?.[0])
          // Allows choosing the same file again.
          event.target.value = ''
        }}
      />
      <Button onClick={() => files.current?.click()}>
        <Icon name="orders" size={20} />
        {t(receipt ? 'proof.file.another' : 'proof.file.choose')}
      </Button>
      {refused && <Note tone="error">{t('proof.file.no_receipt')}</Note>}
      {receipt && (
        <div>
          <ReceiptHead receipt={receipt} />
          <VerdictNote
            receipt={receipt}
            checks={verdict.data}
            broken={verdict.isError}
            checkedAt={verdict.dataUpdatedAt}
            advice={t('proof.file.mismatch_next')}
          />
        </div>
      )}
    </section>
  )
}
