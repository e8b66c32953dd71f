import { ExpiryField } from './expiry-field'
import { LegFields, type LegFieldsProps } from './leg-fields'

/** The fields of a pending order: prices, protection and expiry. */
export function PendingOrderFields(props: LegFieldsProps) {
  const { input, problems, onChange } = props
  return (
    <>
      <LegFields {...props} />
      <ExpiryField input={input} problem={problems.expiresAt} onChange={onChange} />
    </>
  )
}
