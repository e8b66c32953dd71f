import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { TimeText } from '@/ui/time-text'
import { quotesOf, type Receipt } from '../model/evidence'
import { closeReceipt } from '../model/open-receipt'
import { ChainOfOne } from './chain-of-one'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type ChainSectionProps = { receipt: Receipt }

/** Where the deal and each quote that it names are sealed. */
export function ChainSection({ receipt }: ChainSectionProps) {
  const { t } = useTranslation()
  const { fill, publicKey } = receipt
  const sealedAt = fill.head?.sealedAt
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
      <ChainOfOne of={fill} publicKey={publicKey} />
      {quotesOf(receipt).map((quote) => (
        <ChainOfOne key={`${quote.productId} ${quote.seq}`} of={quote} publicKey={publicKey} />
      ))}
      <p className={styles.why}>{t('receipt.chain.why')}</p>
      <Button variant="text" className={styles.link} to="/proof" onClick={closeReceipt}>
        {t('receipt.chain.published')}
      </Button>
    </ReceiptSection>
  )
}
