import { UnderReview } from '@/features/identity/components/under-review'
import { existingPath, IdentityPage } from '../parts/identity-page'

/** The verification is under review. */
export default function Process() {
  const paths = { deposit: existingPath('/deposite'), support: existingPath('/kefu') }
  return (
    <IdentityPage path="/process">
      {(identity) => <UnderReview identity={identity} paths={paths} />}
    </IdentityPage>
  )
}
