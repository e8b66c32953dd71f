import { Verified } from '@/features/identity/components/verified'
import { existingPath, IdentityPage, stepPath } from '../parts/identity-page'

/** The identity is verified. */
export default function Successful() {
  const paths = {
    deposit: existingPath('/deposite'),
    withdraw: existingPath('/withdraw'),
    process: '/process?status=REVIEW',
    failed: '/failed',
  }
  return (
    <IdentityPage path="/successful">
      {(identity) => <Verified identity={identity} pathOf={stepPath} paths={paths} />}
    </IdentityPage>
  )
}
