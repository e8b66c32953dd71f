import { ExpiryField } from './expiry-field'
import { LegFields, type LegFieldsProps } from './leg-fields'

/** What a waiting order can be told: its prices, its protection, how long it waits. */
export function WaitingFields(props: LegFieldsProps) {
  const { terms, problems, onChange } = props
  return (
    <>
      <LegFields {...props} />
      <ExpiryField terms={terms} problem={problems.expiresAt} onChange={onChange} />
    </>
  )
}
