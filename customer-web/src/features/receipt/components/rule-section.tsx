import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import type { Fill, Receipt } from '../model/evidence'
import { useRuleText } from '../model/rule-text'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'
import { StopOutFacts } from './stop-out-facts'

export type RuleSectionProps = {
  receipt: Receipt
  /** The fill that opened what this one closes, whose proof can be looked at as well. */
  opening: Fill | undefined
  onOpening: (fillId: number) => void
  /** Back from there to the fill that was looked at first. */
  onBack: (() => void) | undefined
}

/** Why the fill happened, and why at this side of the quote. */
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
