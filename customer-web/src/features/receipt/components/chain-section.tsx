import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { TimeText } from '@/ui/time-text'
import { type AnyReceipt, quotesOf, subjectOf } from '../model/evidence'
import { closeReceipt } from '../model/open-receipt'
import { ChainEntry } from './chain-entry'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type ChainSectionProps = { receipt: AnyReceipt }

/** Where the fill or charge, and each of its quotes, is sealed. */
export function ChainSection({ receipt }: ChainSectionProps) {
  const { t } = useTranslation()
  const { publicKey } = receipt
  const subject = subjectOf(receipt)
  const sealedAt = subject.head?.sealedAt
  return (
    <ReceiptSection
      number={'charge' in receipt ? 3 : 4}
      title={t('receipt.chain.title')}
      aside={
        sealedAt !== undefined && (
          <>
            {t('receipt.chain.sealed_at')} <TimeText at={sealedAt} shape="timeSeconds" />
          </>
        )
      }
    >
      <ChainEntry of={subject} publicKey={publicKey} />
      {quotesOf(receipt).map((quote) => (
        <ChainEntry key={`${quote.productId} ${quote.seq}`} of={quote} publicKey={publicKey} />
      ))}
      <p className={styles.why}>{t('receipt.chain.why')}</p>
      <Button variant="text" className={styles.link} to="/proof" onClick={closeReceipt}>
        {t('receipt.chain.published')}
      </Button>
    </ReceiptSection>
  )
}
