import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/ui/failure-note'
import { Note } from '@/ui/note'
import { WalletFailure } from '../model/provider'

/** Why a wallet, or the server, did not do what it was asked. */
export function WalletProblemNote({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (!(error instanceof WalletFailure)) return <FailureNote error={error} />
  const tone = error.problem === 'failed' ? 'error' : 'warning'
  return <Note tone={tone}>{t(`ethereum.problem.${error.problem}`)}</Note>
}
