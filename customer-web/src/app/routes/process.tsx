import { UnderReview } from '@/features/identity/components/under-review'
import { existing, IdentityPage } from './identity-page'

/** The verification is under review. */
export default function Process() {
  const paths = { deposit: existing('/deposite'), support: existing('/kefu') }
  return (
    <IdentityPage path="/process">
      {(identity) => <UnderReview identity={identity} paths={paths} />}
    </IdentityPage>
  )
}
