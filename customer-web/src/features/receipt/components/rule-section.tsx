import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import type { Fill, Receipt } from '../model/evidence'
import { useRuleText } from '../model/rule-text'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'
import { StopOutFacts } from './stop-out-facts'

export type RuleSectionProps = {
  receipt: Receipt
  /** The fill that opened the closed position; its receipt can be opened too. */
  opening: Fill | undefined
  onOpening: (fillId: number) => void
  /** Returns to the fill opened first. */
  onBack: (() => void) | undefined
}

/** Why the fill happened, and why on this side of the quote. */
export function RuleSection({ receipt, opening, onOpening, onBack }: RuleSectionProps) {
  const { t } = useTranslation()
  const sentences = useRuleText(receipt)
  return (
    <ReceiptSection number={2} title={t('receipt.rule.title')}>
      <p className={styles.text}>{sentences.join(' ')}</p>
      {receipt.fill.standing && <StopOutFacts receipt={receipt} snapshot={receipt.fill.standing} />}
      {opening && (
        <Button variant="text" className={styles.link} onClick={() => onOpening(opening.fillId)}>
          {t('receipt.rule.opening')}
        </Button>
      )}
      {onBack && (
        <Button variant="text" className={styles.link} onClick={onBack}>
          {t('receipt.rule.back')}
        </Button>
      )}
    </ReceiptSection>
  )
}
