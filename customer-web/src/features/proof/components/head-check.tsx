import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { canHash } from '@/features/receipt/model/tape'
import { formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import type { Chain } from '../api/head-page'
import { useHeadCheck } from '../api/heads'

export type HeadCheckProps = { chain: Chain }

/** Recomputes the chain on this device, a hundred heads per press, back to the first one. */
export function HeadCheck({ chain }: HeadCheckProps) {
  const { t } = useTranslation()
  const { walk, check, checking, error } = useHeadCheck(chain)
  if (!canHash()) return <Note tone="warning">{t('receipt.verdict.cannot')}</Note>
  const whole = walk !== null && walk.next === undefined
  return (
    <>
      {!whole && !walk?.problem && (
        <Button variant="primary" busy={checking} onClick={check}>
          {t(walk ? 'proof.heads.check_older' : 'proof.heads.check')}
        </Button>
      )}
      {error && <Note tone="warning">{reasonOf(error).reason}</Note>}
      <div role="status">
        {walk?.problem && (
          <Note tone="error">
            {t(`proof.heads.problem.${walk.problem.what}`, {
              batch: bidiIsolate(`#${formatFixed(walk.problem.batch, 0)}`),
            })}
          </Note>
        )}
        {walk && !walk.problem && (
          <Note tone="success">
            {t('proof.heads.checked', {
              count: walk.count,
              heads: formatFixed(walk.count, 0),
              batch: bidiIsolate(`#${formatFixed(walk.oldest.batch, 0)}`),
            })}{' '}
            {whole && t('proof.heads.whole')} {walk.unsigned && t('receipt.verdict.unsigned')}
          </Note>
        )}
      </div>
    </>
  )
}
