import { useTranslation } from 'react-i18next'
import { Note } from '@/ui/note'
import { type AnyReceipt, isSealed } from '../model/evidence'
import { canHash } from '../model/tape'
import { type Check, failureIn } from '../model/verify'
import { CheckList } from './check-list'
import styles from './receipt.module.css'

export type VerdictNoteProps = {
  receipt: AnyReceipt
  /** The results of the checks; undefined until they have run. */
  checks: readonly Check[] | undefined
  /** The checks could not run. */
  broken: boolean
  checkedAt: number
  /** What to do if a check fails. */
  advice: string
}

/** The verdict. It says "Checks out" only after the receipt was recomputed on this device. */
export function VerdictNote({ receipt, checks, broken, checkedAt, advice }: VerdictNoteProps) {
  const { t } = useTranslation()
  const failure = checks && failureIn(checks)
  const unsigned = checks?.some(({ outcome }) => outcome === 'unknown')
  const fits = 'charge' in receipt ? 'charge_fits' : 'fits'
  const note = () => {
    if (!canHash()) return <Note tone="warning">{t('receipt.verdict.cannot')}</Note>
    if (!isSealed(receipt)) return <Note>{t('receipt.verdict.unsealed')}</Note>
    if (broken) return <Note tone="warning">{t('receipt.verdict.broken')}</Note>
    if (!checks) return <Note>{t('receipt.verdict.checking')}</Note>
    if (failure) {
      return (
        <Note tone="error">
          <b>{t('receipt.verdict.mismatch')}</b>{' '}
          {t(`receipt.check.${failure.name}`, { symbol: failure.symbol ?? '' })}. {advice}
        </Note>
      )
    }
    return (
      <Note tone="success">
        <b>{t(`receipt.verdict.${fits}`)}</b> {t(`receipt.verdict.${fits}_how`)}{' '}
        {unsigned && t('receipt.verdict.unsigned')}
      </Note>
    )
  }
  return (
    <div className={styles.verdict}>
      <div role="status">{note()}</div>
      {checks && checks.length > 0 && !broken && (
        <CheckList checks={checks} checkedAt={checkedAt} open={failure !== undefined} />
      )}
    </div>
  )
}
