import { cx } from '@/ui/cx'
import { addressGroups } from '../model/address-groups'
import styles from './payee.module.css'

export type AddressTextProps = { address: string }

/** An address in groups of four with bold ends, which traders compare first. Copying it yields no gaps. */
export function AddressText({ address }: AddressTextProps) {
  return (
    <bdi dir="ltr" className={styles.address}>
      {addressGroups(address).map(({ text, end }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never move
        <span key={at} className={cx(end && styles.end)}>
          {text}
        </span>
      ))}
    </bdi>
  )
}
