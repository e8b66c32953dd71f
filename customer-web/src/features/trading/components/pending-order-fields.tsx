import { ExpiryField } from './expiry-field'
import { LegFields, type LegFieldsProps } from './leg-fields'

/** What a waiting order can be told: its prices, its protection, how long it waits. */
export function PendingOrderFields(props: LegFieldsProps) {
  const { input, problems, onChange } = props
  return (
    <>
      <LegFields {...props} />
      <ExpiryField input={input} problem={problems.expiresAt} onChange={onChange} />
    </>
  )
}
