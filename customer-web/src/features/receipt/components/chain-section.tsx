import { useTranslation } from 'react-i18next'
import { TimeText } from '@/ui/time-text'
import { quotesOf, type Receipt } from '../model/evidence'
import { ChainOfQuote } from './chain-of-quote'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type ChainSectionProps = { receipt: Receipt }

/** Where the tape has sealed each quote that the fill names. */
export function ChainSection({ receipt }: ChainSectionProps) {
  const { t } = useTranslation()
  const quotes = quotesOf(receipt)
  const sealedAt = receipt.quote.head?.sealedAt
  return (
    <ReceiptSection
      number={4}
      title={t('receipt.chain.title')}
      aside={
        sealedAt !== undefined && (
          <>
            {t('receipt.chain.sealed_at')} <TimeText at={sealedAt} shape="timeSeconds" />
          </>
        )
      }
    >
      {quotes.map((quote) => (
        <ChainOfQuote
          key={`${quote.productId} ${quote.seq}`}
          quote={quote}
          publicKey={receipt.publicKey}
          named={quotes.length > 1}
        />
      ))}
      <p className={styles.why}>{t('receipt.chain.why')}</p>
    </ReceiptSection>
  )
}
