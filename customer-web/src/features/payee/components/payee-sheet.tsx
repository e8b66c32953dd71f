import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { ProofSheet, type ProofSheetProps } from './proof-sheet'

export type PayeeSheetProps = Pick<
  ProofSheetProps,
  'done' | 'busy' | 'run' | 'paymentPath' | 'onClose'
> & {
  act: 'delete' | 'restore'
  id: number
  label: string
  /** The payee's details. */
  children: ReactNode
}

/** Confirms the deletion or restoration of a payee. */
export function PayeeSheet({ act, id, label, ...rest }: PayeeSheetProps) {
  const { t } = useTranslation()
  return (
    <ProofSheet
      act={{ act, payeeId: id }}
      title={t(`payee.${act}.title`, { label: bidiIsolate(label) })}
      text={t(`payee.${act}.text`)}
      keepLabel={t(`payee.${act}.keep`)}
      confirmLabel={t(`payee.${act}.confirm`)}
      danger={act === 'delete'}
      {...rest}
    />
  )
}
