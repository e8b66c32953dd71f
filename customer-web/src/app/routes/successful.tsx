import { Verified } from '@/features/identity/components/verified'
import { existing, IdentityPage, stepPath } from './identity-page'

/** The identity is verified. */
export default function Successful() {
  const paths = {
    deposit: existing('/deposite'),
    withdraw: existing('/withdraw'),
    process: '/process?status=REVIEW',
    failed: '/failed',
  }
  return (
    <IdentityPage path="/successful">
      {(identity) => <Verified identity={identity} pathOf={stepPath} paths={paths} />}
    </IdentityPage>
  )
}
